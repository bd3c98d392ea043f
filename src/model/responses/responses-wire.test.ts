import { describe, expect, it } from 'vitest';
import type { CompletionRequest, CompletionResult, Message } from '../../tools/contract/messages.ts';
import { InterruptedAnswer, type ModelSettings } from '../language-model.ts';
import { BusyModel } from '../retrying.ts';
import { loadModel } from '../server/load-model.ts';

interface Reply {
  readonly events?: readonly object[];
  readonly status?: number;
  readonly body?: object;
}

const never = new AbortController().signal;
const settings: ModelSettings = { baseURL: 'https://api.openai.com/v1', apiKey: 'sk-1', model: 'gpt-5.4' };
const question: CompletionRequest = { messages: [{ role: 'user', content: 'hi' }] };
const tool = { type: 'function', function: { name: 'search', description: 'Looks', parameters: { type: 'object' } } } as const;

const said = (delta: string): object => ({ type: 'response.output_text.delta', output_index: 0, content_index: 0, delta });
const ended = (type: string, more: object = {}): object => ({
  type: `response.${type}`,
  response: { object: 'response', status: type, output: [], ...more },
});
const hello: Reply = { events: [said('Hello'), ended('completed')] };

/** A model over answers that are given in their order. */
async function open(replies: readonly Reply[], more: Partial<ModelSettings> = {}) {
  const left = [...replies];
  const sent: { readonly url: string; readonly headers: Headers; readonly body: Record<string, unknown> }[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    sent.push({
      url: String(url),
      headers: new Headers(init?.headers),
      body: JSON.parse(String(init?.body ?? '{}')) as Record<string, unknown>,
    });
    const { events, status = 200, body } = left.shift() ?? hello;
    const text = events
      ? events.map((each) => `event: ${'type' in each ? each.type : ''}\ndata: ${JSON.stringify(each)}\n\n`).join('')
      : JSON.stringify(body);
    return new Response(text, { status, headers: { 'content-type': events ? 'text/event-stream' : 'application/json' } });
  };
  const model = (await loadModel('openai-responses'))({ ...settings, ...more, fetch });
  const ask = (request: CompletionRequest = question): Promise<CompletionResult> => model.complete(request, never, () => undefined);
  return { model, ask, sent };
}

const REASONING = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hmm.' }], encrypted_content: 'gAAAA=' };
const MESSAGE = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  phase: 'commentary',
  content: [{ type: 'output_text', text: 'I look.' }],
};
const CALLS = [1, 2].map((at) => ({
  type: 'function_call',
  id: `fc_${at}`,
  call_id: `call_0000000${at}`,
  name: 'search',
  arguments: `{"q":${at}}`,
}));
const thoughtful: Reply = { events: [ended('completed', { output: [REASONING, MESSAGE, ...CALLS] })] };
const answered = ({ content, tool_calls }: CompletionResult): Message[] => [
  { role: 'user', content: 'hi' },
  { role: 'assistant', content, tool_calls: JSON.parse(JSON.stringify(tool_calls)) as CompletionResult['tool_calls'] },
  ...tool_calls.map((call): Message => ({ role: 'tool', tool_call_id: call.id, content: 'found' })),
];

describe('a request', () => {
  it('leaves nothing with the provider, and names everything as this protocol does', async () => {
    const { ask, sent } = await open([hello]);
    await ask({
      messages: [
        { role: 'system', content: 'Be short.' },
        { role: 'user', content: 'one', images: [{ name: 'a', mime: 'image/png', url: 'data:image/png;base64,AAAA' }] },
        { role: 'assistant', content: 'two' },
        { role: 'user', content: 'three' },
      ],
      tools: [tool],
      chatOption: {
        ...{ tool_choice: { type: 'function', function: { name: 'search' } }, max_tokens: 99, reasoning_effort: 'low', temperature: 0.5 },
        ...{
          stop: ['END'],
          seed: 7,
          parallel_tool_calls: false,
          response_format: { type: 'json_schema', json_schema: { name: 's', schema: {} } },
        },
      },
    });
    expect(sent[0]?.url).toBe('https://api.openai.com/v1/responses');
    expect(sent[0]?.headers.get('authorization')).toBe('Bearer sk-1');
    expect(sent[0]?.body).toEqual({
      model: 'gpt-5.4',
      stream: true,
      store: false,
      include: ['reasoning.encrypted_content'],
      instructions: 'Be short.',
      input: [
        {
          ...{ type: 'message', role: 'user' },
          content: [
            { type: 'input_text', text: 'one' },
            { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' },
          ],
        },
        { type: 'message', role: 'assistant', content: 'two' },
        { type: 'message', role: 'user', content: 'three' },
      ],
      tools: [{ type: 'function', name: 'search', description: 'Looks', parameters: { type: 'object' }, strict: false }],
      tool_choice: { type: 'function', name: 'search' },
      parallel_tool_calls: false,
      max_output_tokens: 99,
      temperature: 0.5,
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_schema', name: 's', schema: {} } },
    });
  });

  it.each([
    ['Encrypted content is not supported with this model.', 'include'],
    ['Your organization must be verified to generate reasoning summaries.', 'summary'],
    ["Unsupported parameter: 'temperature' is not supported with this model.", 'temperature'],
  ])('is sent once more without what was refused: %s', async (message, field) => {
    const { ask, sent } = await open([{ status: 400, body: { error: { message } } }, hello, hello]);
    const request = { ...question, chatOption: { temperature: 0.5, reasoning_effort: 'low' } };
    for (const _ of [0, 1]) await ask(request);
    expect(sent.map(({ body }) => JSON.stringify(body).includes(`"${field}"`))).toEqual([true, false, false]);
  });
});

describe('thoughts', () => {
  it('go back encrypted, word for word, in their order, with the calls and their results', async () => {
    const { ask, sent } = await open([thoughtful, hello]);
    const result = await ask({ ...question, tools: [tool] });
    expect(result).toMatchObject({ content: 'I look.', reasoning: 'Hmm.', finishReason: 'tool_calls' });
    expect(JSON.stringify([result.content, result.reasoning])).not.toContain('gAAAA');
    await ask({ messages: answered(result), tools: [tool] });
    expect(sent[1]?.body.input).toEqual([
      { type: 'message', role: 'user', content: 'hi' },
      REASONING,
      { type: 'message', role: 'assistant', content: 'I look.', phase: 'commentary' },
      ...CALLS,
      ...CALLS.map(({ call_id }) => ({ type: 'function_call_output', call_id, output: 'found' })),
    ]);
  });

  it('do not go to another model, nor to one that refused them', async () => {
    const { ask } = await open([thoughtful]);
    const messages = answered(await ask({ ...question, tools: [tool] }));
    const other = await open([hello], { model: 'gpt-5.6' });
    await other.ask({ messages });
    expect(JSON.stringify(other.sent[0]?.body)).not.toMatch(/gAAAA|rs_1/);
    expect(JSON.stringify(other.sent[0]?.body)).toContain('call_00000001');
    const refusing = await open([{ status: 400, body: { error: { message: 'The encrypted content could not be verified.' } } }, hello]);
    await refusing.ask({ messages });
    expect(refusing.sent.map(({ body }) => JSON.stringify(body).includes('gAAAA'))).toEqual([true, false]);
  });
});

describe('an answer', () => {
  it.each([
    ['completed', {}, 'stop'],
    ['incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, 'length'],
    ['incomplete', { incomplete_details: { reason: 'content_filter' } }, 'content_filter'],
  ])('that is %s (%j) ended with %s', async (type, more, finish) => {
    const { ask } = await open([{ events: [said('Hello'), ended(type, more)] }]);
    expect((await ask()).finishReason).toBe(finish);
  });

  it('that is a refusal says so, in its words', async () => {
    const { ask } = await open([{ events: [{ type: 'response.refusal.delta', output_index: 0, delta: 'I cannot.' }, ended('completed')] }]);
    expect(await ask()).toMatchObject({ content: 'I cannot.', finishReason: 'refusal' });
  });

  it('counts what was read from the cache, and thoughts as written', async () => {
    const usage = {
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 4 },
      output_tokens: 7,
      output_tokens_details: { reasoning_tokens: 5 },
      total_tokens: 16,
    };
    const { ask } = await open([{ events: [said('a'), ended('completed', { usage })] }]);
    expect((await ask()).usage).toEqual({ prompt_tokens: 9, completion_tokens: 7, total_tokens: 16, cached_tokens: 4 });
  });

  it.each([
    ['nothing', [said('Hel')]],
    ['a failure', [said('Hel'), ended('failed', { error: { code: 'server_error', message: 'The server had an error' } })]],
    ['a failure without words', [said('Hel'), ended('failed')]],
    ['an error', [said('Hel'), { type: 'error', code: 'server_error', message: 'The server had an error' }]],
  ])('that ends with %s is interrupted, and keeps what came', async (_name, events) => {
    const error = await (await open([{ events }])).ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InterruptedAnswer);
    expect(error).toMatchObject({ partial: { content: 'Hel' } });
  });

  it('that fails before it begins may be asked for again', async () => {
    const failed = ended('failed', { error: { code: 'rate_limit_exceeded', message: 'Rate limit reached. Please try again in 3s.' } });
    const error = await (await open([{ events: [failed] }])).ask().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(BusyModel);
    expect(error).toMatchObject({ code: 'model_rate_limited', retryAfter: 3 });
  });
});

/** Items of two calls as they stream; `mark`: what a gateway writes of their places and ids. */
const streamed = (mark: (at: number, event: string) => object): object[] =>
  CALLS.flatMap((call, at) => [
    { type: 'response.output_item.added', item: { ...call, arguments: '' }, ...mark(at, 'added') },
    { type: 'response.function_call_arguments.delta', item_id: call.id, delta: call.arguments, ...mark(at, 'delta') },
    { type: 'response.function_call_arguments.done', item_id: call.id, arguments: call.arguments, ...mark(at, 'done') },
    { type: 'response.output_item.done', item: call, ...mark(at, 'end') },
  ]);
/** Ids that differ in each event, as a gateway encrypts them. */
const otherIds = (at: number, event: string): object =>
  event === 'added' || event === 'end'
    ? { output_index: at, item: { ...CALLS[at], id: `${event}${at}`, ...(event === 'added' ? { arguments: '' } : {}) } }
    : { output_index: at, item_id: `${event}${at}` };

describe('an answer of a gateway', () => {
  it.each<[string, object[], object[]]>([
    ['leaves places out', streamed(() => ({})), []],
    ['leaves places out, and repeats all', streamed(() => ({})), CALLS],
    ['writes one place', streamed(() => ({ output_index: 0 })), CALLS],
    ['writes other ids each time', streamed(otherIds), CALLS.map((call) => ({ ...call, id: 'other' }))],
    ['counts a thought only at the end', streamed((at) => ({ output_index: at })), [REASONING, ...CALLS]],
    ['mixes its calls', [0, 4, 1, 5, 2, 6, 3, 7].flatMap((at) => streamed(() => ({}))[at] ?? []), CALLS],
    [
      'gives calls one id',
      streamed((at, event) => ({
        output_index: at,
        ...(event === 'added' || event === 'end' ? { item: { ...CALLS[at], call_id: 'same' } } : {}),
      })),
      [],
    ],
  ])('has each call once where it %s', async (_name, events, output) => {
    const { ask } = await open([{ events: [...events, ended('completed', { output })] }]);
    const { tool_calls } = await ask();
    expect(tool_calls.map(({ function: { name, arguments: args } }) => [name, args])).toEqual([
      ['search', '{"q":1}'],
      ['search', '{"q":2}'],
    ]);
  });

  it.each<[string, object, object[]]>([
    ['leaves places out', {}, [REASONING, MESSAGE]],
    ['counts otherwise', { output_index: 1 }, [MESSAGE]],
    ['names items', { item_id: 'msg_1' }, [{ ...MESSAGE, id: 'other' }]],
  ])('comes once where it %s', async (_name, place, output) => {
    const pieces = [
      { type: 'response.reasoning_summary_text.delta', delta: 'Hmm.', ...place },
      ...['I ', 'look.'].map((delta) => ({ type: 'response.output_text.delta', delta, ...place })),
    ];
    const { ask } = await open([{ events: [...pieces, ended('completed', { output })] }]);
    const { content, reasoning } = await ask();
    expect([content, reasoning]).toEqual(['I look.', 'Hmm.']);
  });
});

describe('a refusal in words that nobody knows', () => {
  const bare = { type: 'reasoning', id: 'rs_9', summary: [] };
  it('is answered once without what we added, and where that is refused too, stays the refusal', async () => {
    const refusal = { status: 404, body: { error: { message: "Item with id 'rs_1' not found. Items are not persisted." } } };
    const { ask, sent } = await open([thoughtful, refusal, hello]);
    const first = await ask();
    expect((await ask({ messages: answered(first) })).content).toBe('Hello');
    expect(JSON.stringify(sent[2]?.body)).not.toMatch(/rs_1|encrypted/);
    const other = await open([thoughtful, refusal, refusal, hello]);
    const again = await other.ask();
    await expect(other.ask({ messages: answered(again) })).rejects.toMatchObject({ code: expect.stringMatching(/^model_/) });
    await other.ask({ messages: answered(again) });
    expect(JSON.stringify(other.sent[3]?.body)).toContain('rs_1');
  });

  it('is not waited for where a thought has neither words nor a code', async () => {
    const { ask, sent } = await open([{ events: [ended('completed', { output: [bare, ...CALLS] })] }, hello]);
    await ask({ messages: answered(await ask()) });
    expect(JSON.stringify(sent[1]?.body.input)).not.toContain('rs_9');
  });
});
