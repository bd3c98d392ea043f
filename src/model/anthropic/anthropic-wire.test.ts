import { describe, expect, it } from 'vitest';
import type { CompletionRequest, CompletionResult, Message, ModelDelta } from '../../tools/contract/messages.ts';
import { InterruptedAnswer, type ModelSettings } from '../language-model.ts';
import { BusyModel } from '../retrying.ts';
import { loadModel } from '../server/load-model.ts';

interface Reply {
  readonly events?: readonly object[];
  readonly status?: number;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}
interface Sent {
  readonly url: string;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

const never = new AbortController().signal;
const settings: ModelSettings = { baseURL: 'https://api.anthropic.com/v1', apiKey: 'sk-ant-1', model: 'claude-sonnet-4-5' };
const question: CompletionRequest = { messages: [{ role: 'user', content: 'hi' }] };
const tool = { type: 'function', function: { name: 'search', description: 'Looks', parameters: { type: 'object' } } } as const;

const start = { type: 'message_start', message: { type: 'message', usage: { input_tokens: 3, output_tokens: 1 } } };
const text = (words: string): object[] => [
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: words } },
];
const stop = (reason: string): object[] => [
  { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 2 } },
  { type: 'message_stop' },
];
const hello: Reply = { events: [start, ...text('Hello'), ...stop('end_turn')] };

/** A model over answers that are given in their order. */
async function open(replies: readonly Reply[], more: Partial<ModelSettings> = {}, config: unknown = undefined) {
  const left = [...replies];
  const sent: Sent[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push({
      url: String(url),
      headers: new Headers(init?.headers),
      body: JSON.parse(String(init?.body ?? '{}')) as Record<string, unknown>,
    });
    const { events, status = 200, body, headers } = left.shift() ?? hello;
    const said = events
      ? events.map((each) => `event: ${'type' in each ? each.type : ''}\ndata: ${JSON.stringify(each)}\n\n`).join('')
      : JSON.stringify(body);
    return new Response(said, { status, headers: { 'content-type': events ? 'text/event-stream' : 'application/json', ...headers } });
  };
  const create = await loadModel('anthropic-messages', () => config);
  const model = create({ ...settings, ...more, fetch });
  const deltas: ModelDelta[] = [];
  const ask = (request: CompletionRequest = question): Promise<CompletionResult> =>
    model.complete(request, never, (delta) => deltas.push(delta));
  return { model, ask, sent, deltas };
}

const THOUGHT = { type: 'thinking', thinking: 'Hmm.', signature: 'EqQ=' };
const thoughtful: Reply = {
  events: [
    start,
    { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'Hmm.' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'EqQ=' } },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: 'I look.' } },
    { type: 'content_block_start', index: 2, content_block: { type: 'redacted_thinking', data: 'EmwK' } },
    ...[3, 4].flatMap((index) => [
      { type: 'content_block_start', index, content_block: { type: 'tool_use', id: `toolu_0000000${index}`, name: 'search', input: {} } },
      { type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: `{"q":${index}}` } },
    ]),
    ...stop('tool_use'),
  ],
};
const answered = ({ content, tool_calls }: CompletionResult): Message[] => [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content, tool_calls: JSON.parse(JSON.stringify(tool_calls)) as CompletionResult['tool_calls'] },
  ...tool_calls.map(
    (call, at): Message => ({
      role: 'tool',
      tool_call_id: call.id,
      content: at === 0 ? 'two' : 'gone',
      outcome: { status: at === 0 ? 'success' : 'error', durationMs: 1 },
    }),
  ),
];

describe('a request', () => {
  it('goes to the messages, with the key and the version, as a page may ask', async () => {
    const { ask, sent } = await open([hello]);
    await ask();
    expect(sent[0]?.url).toBe('https://api.anthropic.com/v1/messages');
    const headers = sent[0]?.headers;
    expect(headers?.get('x-api-key')).toBe('sk-ant-1');
    expect(headers?.get('anthropic-version')).toBe('2023-06-01');
    expect(headers?.get('anthropic-dangerous-direct-browser-access')).toBe('true');
    expect(headers?.get('authorization')).toBeNull();
    expect(sent[0]?.body).toMatchObject({ model: 'claude-sonnet-4-5', stream: true, max_tokens: 16_000 });
  });

  it.each([
    ['https://openrouter.ai', 'https://openrouter.ai/api/v1/messages', 'Bearer sk-ant-1'],
    ['https://api.deepseek.com/anthropic', 'https://api.deepseek.com/anthropic/v1/messages', null],
    ['https://api.anthropic.com/v1/messages', 'https://api.anthropic.com/v1/messages', null],
  ])('to %s goes to %s', async (baseURL, url, authorization) => {
    const { ask, sent, model } = await open([hello], { baseURL });
    await ask();
    expect(sent[0]?.url).toBe(url);
    expect(sent[0]?.headers.get('authorization')).toBe(authorization);
    expect(sent[0]?.headers.get('x-api-key')).toBe(authorization === null ? 'sk-ant-1' : null);
    expect((await model.prepare?.(question, never))?.address).toBe(url);
  });

  it('has the headers of its provider, filled in, in the place of the protocol’s own', async () => {
    const headers = {
      'x-api-key': '{{secrets.KEY}}',
      'x-team': `$TEAM-$\{TEAM}-{{vars.TEAM}}`,
      'x-other': '{{secrets.OTHER}} $100',
      'x bad': 'a',
      'x-lines': 'a\nb',
      'x-number': 7,
    };
    const config = {
      secrets: {
        items: [
          { name: 'KEY', value: 'hidden' },
          { name: 'OTHER', value: 'no', allowedHosts: ['elsewhere.example'] },
        ],
      },
      variables: { items: [{ name: 'TEAM', value: 'red' }] },
    };
    const { ask, sent } = await open([hello], { headers }, config);
    await ask();
    expect(sent[0]?.headers.get('x-api-key')).toBe('hidden');
    expect(sent[0]?.headers.get('x-team')).toBe('red-red-red');
    expect(sent[0]?.headers.get('x-other')).toBe('{{secrets.OTHER}} $100');
    // What no request could carry is left out, and costs nothing else.
    for (const name of ['x-lines', 'x-number']) expect(sent[0]?.headers.get(name)).toBeNull();
  });

  it('has the system apart, turns that alternate, pictures, tools, and marks for the cache', async () => {
    const { ask, sent } = await open([hello]);
    await ask({
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'two ' },
        { role: 'user', content: 'three', images: [{ name: 'a', mime: 'image/png', url: 'data:image/png;base64,AAAA' }] },
        { role: 'user', content: ' ' },
      ],
      tools: [tool],
      chatOption: { tool_choice: 'required', parallel_tool_calls: false, stop: ['END'], temperature: 1.7, seed: 7, top_k: 3 },
    });
    const cached = { cache_control: { type: 'ephemeral' } };
    expect(sent[0]?.body).toMatchObject({
      system: [{ type: 'text', text: 'Be short.', ...cached }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'one' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'two', ...cached }] },
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
            { type: 'text', text: 'three', ...cached },
          ],
        },
      ],
      tools: [{ name: 'search', description: 'Looks', input_schema: { type: 'object' } }],
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      stop_sequences: ['END'],
      temperature: 1,
      top_k: 3,
    });
    for (const name of ['seed', 'stop', 'parallel_tool_calls', 'reasoning_effort']) expect(sent[0]?.body).not.toHaveProperty(name);
  });

  it.each([
    ['claude-sonnet-4-5', 'high', { thinking: { type: 'enabled', budget_tokens: 16_000 }, max_tokens: 32_000 }],
    ['claude-opus-4-7', 'xhigh', { thinking: { type: 'adaptive' }, output_config: { effort: 'xhigh' }, max_tokens: 16_000 }],
    ['claude-opus-5', 'none', { thinking: { type: 'disabled' } }],
  ])('lets %s think (%s), and leaves the temperature out', async (model, effort, expected) => {
    const { ask, sent } = await open([hello], { model });
    await ask({ ...question, chatOption: { reasoning_effort: effort, temperature: 0.5 } });
    expect(sent[0]?.body).toMatchObject(expected);
    expect('temperature' in (sent[0]?.body ?? {})).toBe(effort === 'none' && !/opus-[5-9]/.test(model));
  });

  it('asks for no thoughts where a limit leaves no room for them, or a call has to come', async () => {
    const { ask, sent } = await open([hello, hello]);
    await ask({ ...question, chatOption: { reasoning_effort: 'high', max_tokens: 1500 } });
    await ask({ ...question, tools: [tool], chatOption: { reasoning_effort: 'high', tool_choice: 'required' } });
    for (const { body } of sent) expect(body).not.toHaveProperty('thinking');
    expect(sent[0]?.body.max_tokens).toBe(1500);
  });

  it.each([
    ['max_tokens: 16000 > 8192, which is the maximum allowed number of output tokens', { max_tokens: 8192 }],
    ['`temperature` is deprecated for this model.', { temperature: undefined }],
  ])('is sent once more, and not so again, after “%s”', async (message, expected) => {
    const refusal = { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } };
    const { ask, sent } = await open([refusal, hello, hello]);
    for (const turn of [0, 1]) await ask({ ...question, chatOption: { temperature: 0.2 + turn / 10 } }).catch((error: unknown) => error);
    for (const [name, value] of Object.entries(expected)) expect(sent.at(-1)?.body[name]).toEqual(value);
  });
});

describe('a server that is asked for thoughts in another way than it knows', () => {
  it('is asked in the other way, and then for none', async () => {
    const refusal = { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message: 'thinking: unknown type' } } };
    const { ask, sent } = await open([refusal, refusal, hello], { model: 'claude-opus-4-7' });
    await ask({ ...question, chatOption: { reasoning_effort: 'low' } });
    expect(sent.map(({ body }) => body.thinking)).toEqual([{ type: 'adaptive' }, { type: 'enabled', budget_tokens: 2048 }, undefined]);
  });
});

describe('thoughts', () => {
  it('go back as they were signed, in their order, with the calls and their results', async () => {
    const { ask, sent } = await open([thoughtful, hello]);
    const result = await ask({ ...question, tools: [tool] });
    expect(result).toMatchObject({ content: 'I look.', reasoning: 'Hmm.', finishReason: 'tool_calls' });
    expect(JSON.stringify([result.content, result.reasoning])).not.toMatch(/EqQ=|EmwK/);
    await ask({ messages: answered(result), tools: [tool] });
    const [, answer, results] = (sent[1]?.body.messages ?? []) as { content: unknown[] }[];
    expect(answer?.content).toEqual([
      THOUGHT,
      { type: 'text', text: 'I look.' },
      { type: 'redacted_thinking', data: 'EmwK' },
      { type: 'tool_use', id: 'toolu_00000003', name: 'search', input: { q: 3 } },
      { type: 'tool_use', id: 'toolu_00000004', name: 'search', input: { q: 4 } },
    ]);
    expect(results?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'toolu_00000003', content: 'two' },
      { type: 'tool_result', tool_use_id: 'toolu_00000004', content: 'gone', is_error: true, cache_control: { type: 'ephemeral' } },
    ]);
  });

  it('do not go to another model, which gets the calls alone and no budget for thoughts that are not there', async () => {
    const { ask } = await open([thoughtful]);
    const messages = answered(await ask({ ...question, tools: [tool] }));
    for (const model of ['claude-haiku-4-5', 'deepseek-chat']) {
      const other = await open([hello], { model });
      await other.ask({ messages, tools: [tool], chatOption: { reasoning_effort: 'high' } });
      expect(JSON.stringify(other.sent[0]?.body)).not.toMatch(/EqQ=|EmwK|Hmm|"thinking"/);
      expect(JSON.stringify(other.sent[0]?.body)).toContain('toolu_00000003');
    }
    const chat = (await loadModel('openai'))({ ...settings, model: 'claude-sonnet-4-5' });
    expect((await chat.prepare?.({ messages }, never))?.body).not.toMatch(/EqQ=|EmwK/);
  });
});

describe('an answer', () => {
  it.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['pause_turn', 'length'],
    ['refusal', 'refusal'],
  ])('that ends with %s ended with %s', async (reason, finish) => {
    const { ask } = await open([{ events: [start, ...text('Hello'), ...stop(reason)] }]);
    expect((await ask()).finishReason).toBe(finish);
  });

  it('counts what was read from the cache, and what was written to it, as read', async () => {
    const usage = { input_tokens: 2, cache_creation_input_tokens: 4, cache_read_input_tokens: 6, output_tokens: 1 };
    const { ask } = await open([{ events: [{ type: 'message_start', message: { usage } }, ...text('a'), ...stop('end_turn')] }]);
    expect((await ask()).usage).toEqual({ prompt_tokens: 12, completion_tokens: 2, total_tokens: 14, cached_tokens: 6 });
  });

  it('that ends without saying so is interrupted, and keeps what came', async () => {
    const { ask } = await open([{ events: [start, ...text('Hel')] }]);
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InterruptedAnswer);
    expect(error).toMatchObject({ code: 'model_interrupted', partial: { content: 'Hel' } });
  });

  it('that fails in the middle says why, and keeps what came; before that it may be asked for again', async () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const { ask } = await open([{ events: [start, ...text('Hel'), overloaded] }, { events: [start, overloaded] }]);
    expect(await ask().catch((thrown: unknown) => thrown)).toMatchObject({ code: 'model_interrupted', partial: { content: 'Hel' } });
    expect(await ask().catch((thrown: unknown) => thrown)).toBeInstanceOf(BusyModel);
  });

  it.each([
    [529, 'overloaded_error', 'Overloaded', 'model_server_error'],
    [429, 'rate_limit_error', 'This request would exceed your rate limit', 'model_rate_limited'],
    [401, 'authentication_error', 'invalid x-api-key', 'model_unauthorized'],
    [404, 'not_found_error', 'model: claude-none', 'model_not_found'],
    [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'model_context_overflow'],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API', 'model_no_credit'],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'model_context_overflow'],
  ])('that is refused with %i %s (%s) is %s', async (status, type, message, code) => {
    const reply = { status, body: { type: 'error', error: { type, message } }, headers: { 'retry-after': '7' } };
    const { ask } = await open([reply]);
    const error = await ask().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    if (status === 429) expect(error).toMatchObject({ retryAfter: 7 });
  });
});

describe('the window', () => {
  it('is what the provider says of the model, before what its name says', async () => {
    const { model, sent } = await open([{ body: { id: 'claude-sonnet-4-5-20250929', max_input_tokens: 1_000_000 } }]);
    expect(await model.window?.tokens(100_000)).toBe(750_000);
    expect(sent[0]?.url).toBe('https://api.anthropic.com/v1/models/claude-sonnet-4-5');
  });

  it('is that of its name where the provider has no such list', async () => {
    const { model } = await open([{ status: 404, body: {} }]);
    expect(await model.window?.tokens(100_000)).toBe(150_000);
  });
});

describe('a gateway', () => {
  const begun = (index: number, content_block: object): object => ({ type: 'content_block_start', index, content_block });
  const call = begun(1, { type: 'tool_use', id: 'toolu_00000001', name: 'search', input: {} });
  const json = (index: number, partial_json: string): object => ({
    ...{ type: 'content_block_delta', index },
    delta: { type: 'input_json_delta', partial_json },
  });
  const asked = ({ content, tool_calls }: CompletionResult): CompletionRequest => ({
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content, tool_calls },
      ...tool_calls.map(({ id }): Message => ({ role: 'tool', tool_call_id: id, content: 'found' })),
    ],
    tools: [tool],
  });

  it('calls its own tools by itself', async () => {
    const own = begun(0, { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} });
    const { ask } = await open([
      { events: [start, own, json(0, '{"query":"x"}'), begun(1, { type: 'text', text: 'Hello' }), ...stop('end_turn')] },
    ]);
    const { content, tool_calls } = await ask();
    expect([content, tool_calls]).toEqual(['Hello', []]);
  });

  it('gets no thought back that never came', async () => {
    const empty = begun(0, { type: 'thinking', thinking: '', signature: '' });
    const { ask, sent } = await open([{ events: [start, empty, call, json(1, '{}'), ...stop('tool_use')] }, hello]);
    await ask(asked(await ask()));
    expect(JSON.stringify(sent[1]?.body.messages)).not.toContain('"thinking"');
  });

  it.each(['messages.1.content.0.thinking: each thinking block must contain thinking', 'nonsense at 1.0'])(
    'that refuses a thought (%s) gets the conversation without it',
    async (message) => {
      const { ask, sent } = await open([thoughtful, { status: 400, body: { error: { message } } }, hello]);
      expect((await ask(asked(await ask()))).content).toBe('Hello');
      expect(sent).toHaveLength(3);
      expect(JSON.stringify(sent[2]?.body.messages)).not.toContain('EqQ=');
    },
  );
});
