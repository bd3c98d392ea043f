// Local servers that answer in the published shapes of Anthropic's messages and OpenAI's responses: the same thoughts, text and calls.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ProtocolReply {
  readonly thoughts?: string;
  readonly text?: string;
  readonly call?: { readonly name: string; readonly args: object };
}

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

interface Received {
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ProtocolServer {
  readonly baseURL: string;
  /** Requests for answers. */
  readonly requests: Received[];
  push(...replies: ProtocolReply[]): void;
  close(): Promise<void>;
}

const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*', 'access-control-allow-methods': '*' };
const MODEL = 'local-model';

function* anthropicEvents({ thoughts, text = '', call }: ProtocolReply): Generator<Event> {
  let index = -1;
  function* block(content_block: object, ...deltas: readonly object[]) {
    index += 1;
    yield { type: 'content_block_start', index, content_block };
    for (const delta of deltas) yield { type: 'content_block_delta', index, delta };
    yield { type: 'content_block_stop', index };
  }
  yield {
    type: 'message_start',
    message: { id: 'msg_1', type: 'message', role: 'assistant', content: [], usage: { input_tokens: 9, output_tokens: 1 } },
  };
  yield { type: 'ping' };
  if (thoughts)
    yield* block(
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: thoughts },
      { type: 'signature_delta', signature: 'c2lnbmVk' },
    );
  if (text) yield* block({ type: 'text', text: '' }, ...text.split(/(?<= )/u).map((piece) => ({ type: 'text_delta', text: piece })));
  const json = JSON.stringify(call?.args);
  if (call)
    yield* block(
      { type: 'tool_use', id: 'toolu_0123456789', name: call.name, input: {} },
      ...[json.slice(0, 9), json.slice(9)].map((partial_json) => ({ type: 'input_json_delta', partial_json })),
    );
  yield {
    type: 'message_delta',
    delta: { stop_reason: call ? 'tool_use' : 'end_turn', stop_sequence: null },
    usage: { output_tokens: 7 },
  };
  yield { type: 'message_stop' };
}

function* responsesEvents({ thoughts, text = '', call }: ProtocolReply): Generator<Event> {
  const reasoning = thoughts && {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: thoughts }],
    encrypted_content: 'c2lnbmVk',
  };
  const message = text && {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text, annotations: [] }],
  };
  const called = call && {
    type: 'function_call',
    id: 'fc_1',
    call_id: 'call_0123456789',
    name: call.name,
    arguments: JSON.stringify(call.args),
  };
  const output = [reasoning, message, called].filter((item) => typeof item === 'object');
  yield { type: 'response.created', response: { object: 'response', status: 'in_progress', output: [] } };
  for (const [output_index, item] of output.entries()) {
    const at = { output_index, item_id: item.id };
    yield {
      type: 'response.output_item.added',
      ...at,
      item: item.type === 'function_call' ? { ...item, arguments: '' } : item,
    };
    if (item === reasoning) yield { type: 'response.reasoning_summary_text.delta', ...at, summary_index: 0, delta: thoughts };
    if (item === message)
      for (const delta of text.split(/(?<= )/u)) yield { type: 'response.output_text.delta', ...at, content_index: 0, delta };
    if (item === called) yield { type: 'response.function_call_arguments.delta', ...at, delta: JSON.stringify(call?.args) };
    yield { type: 'response.output_item.done', ...at, item };
  }
  const usage = { input_tokens: 9, input_tokens_details: { cached_tokens: 0 }, output_tokens: 7, total_tokens: 16 };
  yield { type: 'response.completed', response: { object: 'response', status: 'completed', output, usage } };
}

const SHAPES = {
  'anthropic-messages': { route: '/v1/messages', events: anthropicEvents },
  'openai-responses': { route: '/v1/responses', events: responsesEvents },
} as const;

export async function startProtocolServer(protocol: keyof typeof SHAPES): Promise<ProtocolServer> {
  const { route, events } = SHAPES[protocol];
  const queue: ProtocolReply[] = [];
  const requests: Received[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://local');
    if (request.method === 'OPTIONS') return void response.writeHead(204, CORS).end();
    if (request.method === 'GET')
      return void response.writeHead(pathname === '/v1/models' ? 200 : 404, { ...CORS, 'content-type': 'application/json' }).end(
        JSON.stringify({
          data: [{ id: MODEL, type: 'model', display_name: 'Local', max_input_tokens: 200_000 }],
          has_more: false,
          last_id: MODEL,
        }),
      );
    let text = '';
    request.on('data', (piece: Buffer) => {
      text += piece.toString();
    });
    request.on('end', () => {
      requests.push({ path: pathname, headers: request.headers, body: JSON.parse(text) as Record<string, unknown> });
      const reply = queue.shift();
      if (pathname !== route || !reply) {
        response.writeHead(404, { ...CORS, 'content-type': 'application/json' });
        response.end(JSON.stringify({ type: 'error', error: { type: 'not_found_error', message: 'no such route, or no reply left' } }));
        return;
      }
      response.writeHead(200, { ...CORS, 'content-type': 'text/event-stream' });
      for (const event of events(reply)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    push: (...replies) => void queue.push(...replies),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
