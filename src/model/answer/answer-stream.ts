import { createParser } from 'eventsource-parser';
import { APIError } from 'openai';
import { failureIn } from '../failure-words.ts';

/** The answer is neither an event stream nor JSON; `excerpt` is its beginning. */
export class NotAnAnswer extends Error {
  readonly contentType: string;
  readonly excerpt: string;

  constructor(contentType: string, excerpt: string) {
    super(`unexpected ${contentType || 'content without a type'}`);
    this.name = 'NotAnAnswer';
    this.contentType = contentType;
    this.excerpt = excerpt;
  }
}

type TakeChunk = (chunk: unknown) => boolean;

const END = '[DONE]';
const MAX_LOOSE = 10_000;
const MAX_EXCERPT = 2000;

function parseJson(body: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return null;
  }
}

/** Reads a response, streamed or JSON; resolves to its completeness, rejects with NotAnAnswer, APIError or SyntaxError. */
export async function readAnswer(response: Response, take: TakeChunk): Promise<boolean> {
  const contentType = response.headers.get('content-type') ?? '';
  if (/event-stream/i.test(contentType)) return readEvents(response, take);
  const body = await response.text();
  if (/^\s*(?:data|event|id|:)/.test(body)) return readEvents(new Response(body, { headers: response.headers }), take);
  const json = parseJson(body);
  if (!json) throw new NotAnAnswer(contentType, body.slice(0, MAX_EXCERPT));
  throwFailure(json.value, response.headers);
  take(json.value);
  return true;
}

function throwFailure(value: unknown, headers: Headers): void {
  const failure = failureIn(value);
  if (failure !== undefined) throw new APIError(undefined, detailsOf(failure), undefined, headers);
}

/** Lines of a stream outside events: several gateways report their failure there as bare JSON, or a web page. */
class LooseLines {
  private tail = '';
  private lines: string[] = [];

  take(text: string): readonly unknown[] {
    const lines = (this.tail + text).split('\n');
    this.tail = (lines.pop() ?? '').slice(0, MAX_LOOSE);
    const loose = lines.filter((line) => !/^(?:(?:data|event|id|retry)\s*:|:|\s*$)/u.test(line));
    this.lines.push(...loose.slice(0, MAX_LOOSE - this.lines.length));
    return loose.flatMap((line) => (/^\s*\{.*\}\s*$/u.test(line) ? [parseJson(line)?.value ?? {}] : []));
  }

  get text(): string {
    return this.lines.join('\n');
  }
}

async function readEvents(response: Response, take: TakeChunk): Promise<boolean> {
  let sawEnd = false;
  let events = 0;
  const loose = new LooseLines();
  const parser = createParser({
    onEvent({ event, data }) {
      if (sawEnd) return;
      events += 1;
      sawEnd = data.trim() === END || take(chunkOf(event, data, response.headers));
    },
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    while (reader && !sawEnd) {
      const { done, value } = await reader.read();
      // Some servers send no empty line after the last event.
      const text = done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true });
      parser.feed(text);
      if (!sawEnd) for (const value of loose.take(text)) throwFailure(value, response.headers);
      if (done) break;
    }
    return sawEnd || readLoose(loose.text, events === 0, response, take);
  } finally {
    // The rest is not read; an error in it was reported already.
    reader?.cancel().catch(() => undefined);
  }
}

/** Handles what follows the events, or replaces them if there were none. Returns whether it was an answer. */
function readLoose(text: string, isAll: boolean, { headers }: Response, take: TakeChunk): boolean {
  if (text.trim() === '') return false;
  const json = parseJson(text);
  if (json) throwFailure(json.value, headers);
  if (!isAll) return false;
  if (!json) throw new NotAnAnswer(/^\s*</u.test(text) ? 'text/html' : '', text.slice(0, MAX_EXCERPT));
  take(json.value);
  return true;
}

function chunkOf(event: string | undefined, data: string, headers: Headers): unknown {
  const json = parseJson(data);
  if (event === 'error') throw new APIError(undefined, detailsOf(json ? (failureIn(json.value) ?? json.value) : data), undefined, headers);
  if (!json) throw new SyntaxError(`an event of the stream is not JSON: ${data.slice(0, MAX_EXCERPT)}`);
  throwFailure(json.value, headers);
  return json.value;
}

const detailsOf = (failure: unknown): object => (typeof failure === 'object' && failure !== null ? failure : { message: String(failure) });
