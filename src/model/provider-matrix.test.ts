// What services that call themselves compatible send for one and the same answer: some thoughts, "Grüße 👋", and one call of a tool. Written from
// their documentation and from their users' reports (the source stands beside each), not from recordings.
import { describe, expect, it } from 'vitest';
import { full } from '../../tests/support/property-runs.ts';
import type { ModelDelta } from '../tools/contract/messages.ts';
import { loadModel } from './server/load-model.ts';
import type { WireProtocol } from './server/wire-protocol.ts';
import { PROTOCOL_SERVICES } from './testing/protocol-services.ts';

const USAGE = { prompt_tokens: 12, completion_tokens: 7, total_tokens: 19 };
const ARGS = '{"query":"Grüße"}';
const [HEAD, TAIL] = [ARGS.slice(0, 7), ARGS.slice(7)];

interface Service {
  readonly name: string;
  readonly source: string;
  /** Objects become `data:` lines; text is sent as it is. */
  readonly lines: readonly (object | string)[];
  readonly newline?: '\r\n';
  /** It tells no thoughts. */
  readonly silent?: boolean;
  readonly noDone?: boolean;
  /** Default: chat completions. Others name their events. */
  readonly protocol?: WireProtocol;
  /** In the place of a stream. */
  readonly whole?: object;
}

const chunk = (delta: object | null, more: object = {}, choice: object = {}): object => ({
  id: 'x',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'm',
  choices: delta === null ? [] : [{ index: 0, delta, finish_reason: null, ...choice }],
  ...more,
});
const end = (reason: string, more: object = {}): object => chunk({}, more, { finish_reason: reason });
const text = [chunk({ content: 'Grü' }), chunk({ content: 'ße 👋' })];
const call = (fields: object): object => chunk({ tool_calls: [fields] });
const named = { id: 'call_1', type: 'function', function: { name: 'search', arguments: '' } };

const SERVICES: readonly Service[] = [
  {
    name: 'OpenAI: arguments in pieces by index, usage last in a chunk without choices',
    source: 'https://platform.openai.com/docs/api-reference/chat-streaming',
    silent: true,
    lines: [
      ...[
        chunk({ role: 'assistant', content: '' }),
        ...text,
        call({ index: 0, ...named }),
        call({ index: 0, function: { arguments: HEAD } }),
      ],
      ...[call({ index: 0, function: { arguments: TAIL } }), end('tool_calls'), chunk(null, { usage: USAGE })],
    ],
  },
  {
    name: 'Azure OpenAI: begins with a chunk without choices',
    source: 'https://learn.microsoft.com/azure/ai-services/openai/how-to/content-streaming',
    silent: true,
    lines: [
      ...[chunk(null, { prompt_filter_results: [{ prompt_index: 0 }] }), chunk({ role: 'assistant', content: '' }), ...text],
      ...[call({ index: 0, ...named, function: { name: 'search', arguments: ARGS } }), end('tool_calls'), chunk(null, { usage: USAGE })],
    ],
  },
  {
    name: 'DeepSeek: thoughts in reasoning_content, null beside them, usage with the end, comments in between',
    source: 'https://api-docs.deepseek.com/guides/reasoning_model',
    lines: [
      ...[': keep-alive', chunk({ role: 'assistant', content: null, reasoning_content: 'Hmm.' }), ': keep-alive'],
      ...[chunk({ content: 'Grü', reasoning_content: null }), chunk({ content: 'ße 👋', reasoning_content: null })],
      ...[call({ index: 0, ...named }), call({ index: 0, function: { arguments: ARGS } }), end('tool_calls', { usage: USAGE })],
    ],
  },
  {
    name: 'OpenRouter: thoughts in reasoning, comments while it works, the whole call at once',
    source: 'https://openrouter.ai/docs/api-reference/streaming',
    lines: [
      ...[': OPENROUTER PROCESSING', ': OPENROUTER PROCESSING', chunk({ role: 'assistant', content: '', reasoning: 'Hmm.' })],
      ...[...text, call({ index: 0, ...named, function: { name: 'search', arguments: ARGS } }), end('tool_calls')],
      chunk({ role: 'assistant', content: '' }, { usage: USAGE }),
    ],
  },
  {
    name: 'Ollama: role and empty text in every piece, ends with stop after a call',
    source: 'https://github.com/ollama/ollama/blob/main/docs/openai.md',
    lines: [
      ...[chunk({ role: 'assistant', content: '', reasoning: 'Hmm.' }), chunk({ role: 'assistant', content: 'Grüße 👋' })],
      chunk({ role: 'assistant', content: '', tool_calls: [{ index: 0, ...named, function: { name: 'search', arguments: ARGS } }] }),
      ...[chunk({ role: 'assistant', content: '' }, {}, { finish_reason: 'stop' }), chunk(null, { usage: USAGE })],
    ],
  },
  {
    name: 'vLLM: usage null in every chunk but the last',
    source: 'https://docs.vllm.ai/en/latest/features/tool_calling.html',
    lines: [
      ...[chunk({ role: 'assistant', content: '' }, { usage: null }), chunk({ reasoning_content: 'Hmm.' }, { usage: null }), ...text],
      ...[
        call({ index: 0, ...named }),
        call({ index: 0, function: { arguments: HEAD } }),
        call({ index: 0, function: { arguments: TAIL } }),
      ],
      ...[end('tool_calls', { usage: null }), chunk(null, { usage: USAGE })],
    ],
  },
  {
    name: 'Groq: usage in a field of its own',
    source: 'https://console.groq.com/docs/api-reference#chat-create',
    lines: [
      ...[chunk({ role: 'assistant', content: '' }, { x_groq: { id: 'req_1' } }), chunk({ reasoning: 'Hmm.' }), ...text],
      ...[
        call({ index: 0, ...named, function: { name: 'search', arguments: ARGS } }),
        end('tool_calls', { x_groq: { id: 'req_1', usage: USAGE } }),
      ],
    ],
  },
  {
    name: 'Mistral: content in parts, thoughts among them',
    source: 'https://docs.mistral.ai/capabilities/reasoning',
    lines: [
      chunk({ role: 'assistant', content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Hmm.' }] }] }),
      ...[chunk({ content: [{ type: 'text', text: 'Grü' }] }), chunk({ content: 'ße 👋' })],
      chunk(
        { content: '', tool_calls: [{ ...named, function: { name: 'search', arguments: ARGS }, index: 0 }] },
        { usage: USAGE },
        { finish_reason: 'tool_calls' },
      ),
    ],
  },
  {
    name: 'Gemini: a call without an index and with an empty id, ends with stop',
    source: 'https://ai.google.dev/gemini-api/docs/openai',
    silent: true,
    lines: [
      ...[
        chunk({ role: 'assistant', content: 'Grüße 👋' }),
        call({ id: '', type: 'function', function: { name: 'search', arguments: ARGS } }),
      ],
      end('stop', { usage: USAGE }),
    ],
  },
  {
    name: 'LM Studio: an id of digits, CRLF',
    source: 'https://lmstudio.ai/docs/app/api/tools',
    silent: true,
    newline: '\r\n',
    lines: [
      ...[chunk({ role: 'assistant', content: 'Grü' }), chunk({ content: 'ße 👋' }), call({ index: 0, ...named, id: '365174485' })],
      ...[
        call({ index: 0, function: { arguments: HEAD } }),
        call({ index: 0, function: { arguments: TAIL } }),
        end('tool_calls'),
        chunk(null, { usage: USAGE }),
      ],
    ],
  },
  {
    name: 'llama.cpp: timings beside, a space less after data:',
    source: 'https://github.com/ggml-org/llama.cpp/tree/master/tools/server',
    lines: [
      chunk({ role: 'assistant', content: null }),
      ...[
        `data:${JSON.stringify(chunk({ reasoning_content: 'Hmm.' }))}`,
        ...text,
        call({ index: 0, ...named, function: { name: 'search', arguments: HEAD } }),
      ],
      ...[call({ index: 0, function: { arguments: TAIL } }), end('tool_calls'), chunk(null, { usage: USAGE, timings: { prompt_n: 12 } })],
    ],
  },
  {
    name: 'Moonshot: usage inside of the choice',
    source: 'https://platform.moonshot.ai/docs/api/chat',
    lines: [
      ...[chunk({ role: 'assistant', content: '' }), chunk({ reasoning_content: 'Hmm.' }), ...text, call({ index: 0, ...named })],
      ...[call({ index: 0, function: { arguments: ARGS } }), chunk({}, {}, { finish_reason: 'tool_calls', usage: USAGE })],
    ],
  },
  {
    name: 'SiliconFlow: the call’s id and name again, or null, in every piece',
    source: 'https://docs.siliconflow.cn/cn/userguide/guides/function-calling',
    lines: [
      ...[chunk({ role: 'assistant', content: null, reasoning_content: 'Hmm.' }), ...text, call({ index: 0, ...named })],
      ...[
        call({ index: 0, id: 'call_1', type: 'function', function: { name: null, arguments: HEAD } }),
        call({ index: 0, id: null, type: null, function: { name: '', arguments: TAIL } }),
      ],
      end('tool_calls', { usage: USAGE }),
    ],
  },
  {
    name: 'Zhipu: usage in the middle too, and no [DONE]',
    source: 'https://docs.bigmodel.cn/api-reference',
    noDone: true,
    lines: [
      ...[
        chunk({ role: 'assistant', reasoning_content: 'Hmm.' }),
        text[0] ?? {},
        chunk({ content: 'ße 👋' }, { usage: { ...USAGE, completion_tokens: 2 } }),
      ],
      ...[call({ index: 0, ...named, function: { name: 'search', arguments: ARGS } }), end('tool_calls', { usage: USAGE })],
    ],
  },
];

function bytesOf({ lines, newline: given, noDone, protocol = 'openai', whole }: Service): Uint8Array {
  if (whole) return new TextEncoder().encode(JSON.stringify(whole));
  const newline = given ?? '\n';
  const blank = newline.repeat(2);
  const nameOf = (line: object): string => (protocol === 'openai' || !('type' in line) ? '' : `event: ${line.type}${newline}`);
  const sent = lines.map((line) => (typeof line === 'string' ? line : `${nameOf(line)}data: ${JSON.stringify(line)}`));
  return new TextEncoder().encode([...sent, ...(noDone ? [] : ['data: [DONE]'])].map((line) => `${line}${blank}`).join(''));
}

/** Cuts at the ends of lines, inside of each sign of several bytes, and at every seventh byte; all of them in the full form. */
const isTried = (bytes: Uint8Array, at: number): boolean =>
  at % 7 === 0 || (bytes[at] ?? 0) >= 0x80 || bytes[at] === 0x0a || bytes[at - 1] === 0x0a || bytes[at - 1] === 0x0d;

/** The answer as it comes in pieces that begin at these bytes. */
async function ask(service: Service, cuts: readonly number[]) {
  const bytes = bytesOf(service);
  const ends = [...cuts.filter((at) => at > 0 && at < bytes.length), bytes.length];
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let from = 0;
      for (const to of ends) {
        controller.enqueue(bytes.slice(from, to));
        from = to;
      }
      controller.close();
    },
  });
  const type = service.whole ? 'application/json' : 'text/event-stream; charset=utf-8';
  const fetch = async () => new Response(body, { headers: { 'content-type': type } });
  const create = await loadModel(service.protocol ?? 'openai');
  const model = create({ baseURL: 'https://x/v1', apiKey: 'k', model: 'm', fetch, newCallId: () => 'made' });
  const streamed = { text: '', reasoning: '' };
  const take = (delta: ModelDelta): void => {
    if (delta.type === 'text' || delta.type === 'reasoning') streamed[delta.type] += delta.text;
  };
  const { content, reasoning, tool_calls, usage } = await model.complete(
    { messages: [{ role: 'user', content: 'hi' }] },
    new AbortController().signal,
    take,
  );
  return { content, reasoning, calls: tool_calls.map((each) => each.function), usage, streamed };
}

describe('the same answer', () => {
  it.each([...SERVICES, ...PROTOCOL_SERVICES])('$name', async (service) => {
    const thoughts = service.silent ? undefined : 'Hmm.';
    const expected = {
      content: 'Grüße 👋',
      reasoning: thoughts,
      calls: [{ name: 'search', arguments: ARGS }],
      usage: expect.objectContaining(USAGE),
      streamed: { text: 'Grüße 👋', reasoning: thoughts ?? '' },
    };
    expect(await ask(service, [])).toEqual(expected);
    const bytes = bytesOf(service);
    const { length } = bytes;
    expect(
      await ask(
        service,
        Array.from({ length }, (_, at) => at),
      ),
    ).toEqual(expected);
    for (let at = 1; at < length; at += 1)
      if (full || isTried(bytes, at)) expect(await ask(service, [at]), `cut at byte ${at}`).toEqual(expected);
  });
});
