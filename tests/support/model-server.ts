// A scripted model behind a real HTTP port: a queue of replies and a log of requests, so that browser tests drive the
// whole adapter, network included.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ScriptedCall {
  readonly name: string;
  /** An object is sent as JSON; a string is sent as it is, so that broken JSON can be sent too. */
  readonly args: unknown;
}

export type ScriptedReply =
  | (Streamed & { readonly text: string; readonly hold?: Promise<void>; readonly finish?: string })
  | (Streamed & { readonly calls: readonly ScriptedCall[]; readonly hold?: Promise<void>; readonly finish?: string })
  | { readonly status: number; readonly body: string; readonly headers?: Record<string, string> }
  | { readonly raw: string; readonly contentType?: string }
  | { readonly cutAfter: string; readonly hold: Promise<void> };

/** The request's body, as far as tests look at it. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | null;
    readonly tool_call_id?: string;
    readonly tool_calls?: readonly unknown[];
  }[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters?: { readonly properties?: object } } }[];
  readonly stop?: readonly string[];
}

/** The tools that a request offers, and those that it lists in `use_tool`. */
export const toolsIn = (request: Pick<ModelRequest, 'tools'> | undefined): readonly string[] =>
  (request?.tools ?? []).flatMap(({ function: { name, parameters } }) => {
    const { tool } = (parameters?.properties ?? {}) as { readonly tool?: { readonly enum?: readonly string[] } };
    return name === 'use_tool' ? (tool?.enum ?? []) : [name];
  });

/** A reply may be computed from the request, for ids that only the workspace knows. */
export type Script = ScriptedReply | ((request: ModelRequest) => ScriptedReply);

export interface ModelServer {
  readonly baseURL: string;
  readonly requests: ModelRequest[];
  /** The bodies as they came. */
  readonly bodies: string[];
  push(...replies: Script[]): void;
  /** What answers where the queue is empty; without one that is an error of the server. */
  otherwise(script: Script): void;
  /** What `GET /models` lists from now on; at first it is the model of the settings. */
  list(models: readonly Readonly<Record<string, unknown>>[]): void;
  /** What `GET /props` says from now on, as llama.cpp's server does; at first that is no other than the list. */
  props(props: Readonly<Record<string, unknown>>): void;
  /** From now on pages may ask it nothing (CORS), or may again. */
  openToPages(open: boolean): void;
  /** Forgets replies that nobody asked for. */
  clear(): void;
  close(): Promise<void>;
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' };

async function readBody(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}

let callNumber = 0;

interface Streamed {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** Characters a piece of the text; default: words. */
  readonly piece?: number;
}

function deltas(reply: Streamed): unknown[] {
  const words = (reply.text ?? '').match(reply.piece ? new RegExp(`.{1,${reply.piece}}`, 'gsu') : /\S+\s*|\s+/g) ?? [];
  const calls = (reply.calls ?? []).map((call, index) => {
    const text = typeof call.args === 'string' ? call.args : JSON.stringify(call.args);
    const middle = Math.floor(text.length / 2);
    const head = { index, id: `call_${++callNumber}`, type: 'function', function: { name: call.name, arguments: text.slice(0, middle) } };
    return [{ tool_calls: [head] }, { tool_calls: [{ index, function: { arguments: text.slice(middle) } }] }];
  });
  const thoughts = reply.reasoning === undefined ? [] : [{ reasoning_content: reply.reasoning }];
  return [{ role: 'assistant', content: '' }, ...thoughts, ...words.map((content) => ({ content })), ...calls.flat()];
}

async function stream(
  response: ServerResponse,
  reply: Exclude<ScriptedReply, { status: number } | { raw: string } | { cutAfter: string }>,
): Promise<void> {
  response.writeHead(200, { ...CORS, 'content-type': 'text/event-stream' });
  const send = (choice: unknown, usage?: unknown) =>
    response.write(
      `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'scripted', choices: choice ? [choice] : [], ...(usage ? { usage } : {}) })}\n\n`,
    );
  const parts = deltas(reply);
  for (const [index, delta] of parts.entries()) {
    send({ index: 0, delta, finish_reason: null });
    // Held after the first words, so that a test can act in the middle of an answer.
    if (index === Math.min(2, parts.length - 1) && reply.hold !== undefined) await reply.hold;
    if (response.destroyed) return;
  }
  send({ index: 0, delta: {}, finish_reason: reply.finish ?? (reply.calls?.length ? 'tool_calls' : 'stop') });
  send(undefined, { prompt_tokens: 100, completion_tokens: parts.length, total_tokens: 100 + parts.length });
  response.end('data: [DONE]\n\n');
}

async function answer(script: Script | undefined, request: ModelRequest, response: ServerResponse): Promise<void> {
  if (!script) {
    response.writeHead(500, CORS).end(JSON.stringify({ error: { message: 'the script has no further reply' } }));
    return;
  }
  const reply = typeof script === 'function' ? script(request) : script;
  if ('status' in reply)
    response
      .writeHead(reply.status, { ...CORS, 'access-control-expose-headers': '*', 'content-type': 'application/json', ...reply.headers })
      .end(reply.body);
  else if ('raw' in reply) response.writeHead(200, { ...CORS, 'content-type': reply.contentType ?? 'text/event-stream' }).end(reply.raw);
  else if ('cutAfter' in reply) {
    // A length that is never reached and a closed connection: what a proxy that dies in the middle looks like. Held until
    // the test has seen the text, because a browser drops what it has not read yet when a body fails.
    response.writeHead(200, { ...CORS, 'content-type': 'text/event-stream', 'content-length': 100_000 });
    const chunk = {
      id: 'c',
      object: 'chat.completion.chunk',
      created: 1,
      model: 'scripted',
      choices: [{ index: 0, delta: { content: reply.cutAfter }, finish_reason: null }],
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    await reply.hold;
    response.destroy();
  } else await stream(response, reply);
}

export async function startModelServer(): Promise<ModelServer> {
  const queue: Script[] = [];
  let fallback: Script | undefined;
  const requests: ModelRequest[] = [];
  const bodies: string[] = [];
  let open = true;
  let props: object | null = null;
  let listed: readonly Readonly<Record<string, unknown>>[] = [{ id: 'scripted', object: 'model' }];
  const server = createServer((request, response) => {
    if (request.method === 'OPTIONS') return void response.writeHead(open ? 204 : 403, open ? CORS : {}).end();
    if (request.method === 'GET')
      return void response
        .writeHead(200, { ...CORS, 'content-type': 'application/json' })
        .end(JSON.stringify(props && request.url?.startsWith('/props') ? props : { object: 'list', data: listed }));
    void readBody(request).then((text) => {
      const body = JSON.parse(text) as ModelRequest;
      requests.push(body);
      bodies.push(text);
      return answer(queue.shift() ?? fallback, body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseURL: `http://127.0.0.1:${port}/v1`,
    requests,
    bodies,
    push: (...replies) => void queue.push(...replies),
    otherwise: (script) => {
      fallback = script;
    },
    list: (models) => {
      listed = models;
    },
    props: (said) => {
      props = said;
    },
    openToPages: (isOpen) => {
      open = isOpen;
    },
    clear: () => void queue.splice(0),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
