import { withoutNulls } from '../../../tools/connections/absent-nulls.ts';
import { fieldOf, isRecord, parsedJson } from '../../../tools/util/plain-value.ts';

/** Whether a program takes answers of a type: by HTTP it takes all where it names none. */
function accepts(request: Request, type: string): boolean {
  const named = (request.headers.get('accept') ?? '*/*').split(',').map((each) => each.split(';', 1)[0]?.trim().toLowerCase() ?? '');
  return ['*/*', type.replace(/\/.*/, '/*'), type].some((each) => named.includes(each));
}

/** The answers among the events of a stream, as one body. */
async function asJson(response: Response, isBatch: boolean): Promise<Response> {
  const events = (await response.text()).split('\n\n');
  const messages = events.map((event) => parsedJson(event.replaceAll(/^(?:data: ?|(?:event|id|retry):.*(?:\n|$))/gm, '')));
  const answers = messages.filter((message) => isRecord(message) && message.method === undefined);
  const headers = new Headers(response.headers);
  headers.set('content-type', 'application/json');
  return new Response(JSON.stringify(isBatch ? answers : (answers.at(-1) ?? null)), { status: response.status, headers });
}

/**
 * Answers a request of a program by `handle`, which wants that it accepts both JSON and events, and that what is absent is not null.
 * Rejects like `readText`, which reads the body.
 */
export async function answerLeniently(
  request: Request,
  handle: (request: Request) => Promise<Response>,
  readText: (request: Request) => Promise<string>,
): Promise<Response> {
  const { method, url, signal } = request;
  const [takesJson, takesEvents] = [accepts(request, 'application/json'), accepts(request, 'text/event-stream')];
  const headers = new Headers(request.headers);
  if (takesEvents || (takesJson && method === 'POST')) headers.set('accept', 'application/json, text/event-stream');
  if (method !== 'POST') return handle(new Request(url, { method, headers, signal }));
  const text = await readText(request);
  const message = parsedJson(text);
  // Null as an id asks for no answer, and is refused; so is what is nested too deep.
  const isUsable = message !== undefined && fieldOf(message, 'id') !== null;
  headers.delete('content-length');
  const body = isUsable ? JSON.stringify(withoutNulls(message)) : text;
  const response = await handle(new Request(url, { method, headers, signal, body }));
  return takesEvents || !response.headers.get('content-type')?.includes('event-stream')
    ? response
    : asJson(response, Array.isArray(message));
}
