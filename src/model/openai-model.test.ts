import type { ServerResponse } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { ToolError } from '../tools/contract/errors.ts';
import type { CompletionRequest, CompletionResult, ModelDelta } from '../tools/contract/messages.ts';
import { estimateTokens } from '../tools/util/estimate-tokens.ts';
import { InterruptedAnswer } from './language-model.ts';
import { createOpenAIModel } from './openai-model.ts';
import { closers, DONE, delta, event, type Handler, serve, sse } from './testing/model-server.ts';

const question: CompletionRequest = { messages: [{ role: 'user', content: 'hello' }] };

async function ask(
  baseURL: string,
  request: CompletionRequest = question,
  signal = new AbortController().signal,
  apiKey = 'sk-test-123456',
) {
  const deltas: ModelDelta[] = [];
  const model = createOpenAIModel({ baseURL, apiKey, model: 'm1', newCallId: () => `fresh${deltas.length}abcd` });
  const outcome = await model
    .complete(request, signal, (one) => deltas.push(one))
    .then(
      (result) => ({ result, error: undefined }),
      (error: unknown) => ({ result: undefined, error }),
    );
  return { ...outcome, deltas, failure: outcome.error instanceof ToolError ? outcome.error : undefined };
}
const failing = (status: number, message: string, headers: Record<string, string> = {}, code?: string): Handler => {
  return (_body, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message, code } }));
  };
};

describe('a server that sends on to another one', () => {
  it.each([302, 307, 308])('gets the question alone, and the other nothing: %i', async (status) => {
    const elsewhere = await serve((_body, response) => sse(response, delta({ content: 'Mine.' }, 'stop'), DONE));
    const { baseURL } = await serve((_body, response) => {
      response.writeHead(status, { location: `${elsewhere.baseURL}/chat/completions` });
      response.end();
    });
    expect((await ask(baseURL)).failure).toMatchObject({ code: 'model_unreachable' });
    expect(elsewhere.bodies).toEqual([]);
  });
});

describe('an answer', () => {
  it('streams text, reasoning, usage and the time of the first token', async () => {
    const { baseURL, bodies } = await serve((_body, response, request) => {
      expect(request.headers.authorization).toBe('Bearer sk-test-123456');
      expect(Object.keys(request.headers).filter((name) => name.startsWith('x-stainless'))).toEqual([]);
      const usage = event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 } });
      sse(
        response,
        delta({ role: 'assistant', content: '' }),
        delta({ reasoning_content: 'hm' }),
        delta({ content: '笔' }),
        delta({ content: '记' }, 'stop'),
        usage,
        DONE,
      );
      response.end();
    });
    const { result, deltas } = await ask(baseURL);
    expect(result).toMatchObject({ content: '笔记', reasoning: 'hm', finishReason: 'stop', usage: { total_tokens: 10 }, tool_calls: [] });
    expect(result?.time?.total).toBeGreaterThanOrEqual(result?.time?.firstToken ?? -1);
    expect(deltas.map((one) => one.type)).toEqual(['reasoning', 'text', 'text', 'usage']);
    expect(bodies[0]).toMatchObject({ model: 'm1', stream: true, stream_options: { include_usage: true } });
    expect(bodies[0]).not.toHaveProperty('tools');
  });

  it('assembles tool calls that arrive mixed, by index', async () => {
    const call = (index: number, id: string | null, name: string | null, args: string) => ({
      index,
      id,
      function: { name, arguments: args },
    });
    const { baseURL } = await serve((_body, response) => {
      sse(
        response,
        delta({ tool_calls: [call(0, 'call_aaaaaaaa', 'search_notes', '{"que')] }),
        delta({ tool_calls: [call(1, 'call_bbbbbbbb', 'read_doc', '{"id":')] }),
        delta({ tool_calls: [call(0, null, null, 'ry":"x"}'), call(1, null, null, '"1"}')] }),
        delta({}, 'tool_calls'),
        DONE,
      );
      response.end();
    });
    const { result, deltas } = await ask(baseURL);
    expect(result?.tool_calls).toEqual([
      { id: 'call_aaaaaaaa', type: 'function', function: { name: 'search_notes', arguments: '{"query":"x"}' } },
      { id: 'call_bbbbbbbb', type: 'function', function: { name: 'read_doc', arguments: '{"id":"1"}' } },
    ]);
    expect(deltas.filter((one) => one.type === 'toolCallStart')).toHaveLength(2);
  });

  it('tells calls apart where servers share an index, leave it out, or count ids from zero', async () => {
    const { baseURL } = await serve((_body, response) => {
      const first = { id: 'call_0', function: { name: 'a', arguments: '{}' } };
      const second = { id: 'call_1', function: { name: 'b', arguments: { deep: true } } };
      sse(
        response,
        delta({ tool_calls: [{ ...first, index: 0 }] }),
        delta({ tool_calls: [{ ...second, index: 0 }] }),
        delta({ tool_calls: [{ function: { name: 'c' }, id: 'x' }] }, 'tool_calls'),
        DONE,
      );
      response.end();
    });
    const { result } = await ask(baseURL);
    expect(result?.tool_calls.map((call) => [call.function.name, call.function.arguments])).toEqual([
      ['a', '{}'],
      ['b', '{"deep":true}'],
      ['c', '{}'],
    ]);
    expect(new Set(result?.tool_calls.map((call) => call.id)).size).toBe(3);
    expect(result?.tool_calls.every((call) => call.id.startsWith('fresh'))).toBe(true);
  });

  const fn = (name?: string, args?: unknown) => ({
    function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
  });
  const twice = [
    ['a', '{"x":1}'],
    ['a', '{"x":2}'],
  ];

  it.each([
    ['without ids and indexes', [fn('a', '{"x":1}'), fn('a', '{"x":2}')]],
    [
      'with one id',
      [
        { id: 'same', ...fn('a', '{"x":1}') },
        { id: 'same', ...fn('a', '{"x":2}') },
      ],
    ],
    [
      'with one index',
      [
        { index: 0, ...fn('a', '{"x":1}') },
        { index: 0, ...fn('a', '{"x":2}') },
      ],
    ],
    ['with arguments as objects', [fn('a', { x: 1 }), fn('a', { x: 2 })]],
  ])('keeps several calls of an answer that was not streamed several: %s', async (_how, tool_calls) => {
    const message = { role: 'assistant', content: null, tool_calls };
    const { baseURL } = await serve((_body, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }] }));
    });
    const { result } = await ask(baseURL);
    expect(result?.tool_calls.map((call) => [call.function.name, call.function.arguments])).toEqual(twice);
    expect(new Set(result?.tool_calls.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    ['whole, one a chunk', [[fn('a', '{"x":1}')], [fn('a', '{"x":2}')]]],
    ['whole, in one chunk', [[fn('a', '{"x":1}'), fn('a', '{"x":2}')]]],
    ['whole, under one index', [[{ index: 0, ...fn('a', '{"x":1}') }], [{ index: 0, ...fn('a', '{"x":2}') }]]],
    ['in pieces, one after another', [[fn('a', '{"x"')], [fn(undefined, ':1}')], [fn('a', '{"x"')], [fn(undefined, ':2}')]]],
    ['in pieces that repeat the name', [[fn('a', '{"x"')], [fn('a', ':1}')], [fn('a', '')], [fn('a', '{"x"')], [fn('a', ':2}')]]],
    [
      'in pieces, side by side by their place',
      [
        [fn('a', '{"x"'), fn('a', '{"x"')],
        [fn(undefined, ':1}'), fn(undefined, ':2}')],
      ],
    ],
    [
      'in pieces, mixed by id',
      [
        [{ id: 'p', ...fn('a', '{"x"') }],
        [{ id: 'q', ...fn('a', '{"x"') }],
        [{ id: 'p', ...fn(undefined, ':1}') }],
        [{ id: 'q', ...fn(undefined, ':2}') }],
      ],
    ],
  ])('tells streamed calls apart that come %s', async (_how, chunks) => {
    const { baseURL } = await serve((_body, response) => {
      sse(response, ...chunks.map((tool_calls) => delta({ tool_calls })), delta({}, 'tool_calls'), DONE);
      response.end();
    });
    const { result } = await ask(baseURL);
    expect(result?.tool_calls.map((call) => [call.function.name, call.function.arguments])).toEqual(twice);
  });

  it('is read from plain JSON where a server cannot stream, and without a content type', async () => {
    const whole = {
      choices: [{ message: { content: 'whole' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    };
    const json = await serve(
      (_body, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(whole)),
    );
    expect((await ask(json.baseURL)).result).toMatchObject({ content: 'whole', usage: { total_tokens: 2 } });
    const untyped = await serve((_body, response) => void response.end(delta({ content: 'plain' }, 'stop') + DONE));
    expect((await ask(untyped.baseURL)).result?.content).toBe('plain');
  });

  it('sends history with calls as servers take it: no own fields, broken arguments replaced', async () => {
    const { baseURL, bodies } = await serve((_body, response) => {
      sse(response, delta({ content: 'ok' }, 'stop'), DONE);
      response.end();
    });
    const calls = [{ id: 'call_aaaaaaaa', type: 'function' as const, function: { name: 't', arguments: '{oops' }, invalid: 'not JSON' }];
    await ask(baseURL, {
      messages: [
        { role: 'assistant', content: '', reasoning: 'secret', tool_calls: calls },
        { role: 'tool', tool_call_id: 'call_aaaaaaaa', content: 'bad' },
      ],
      chatOption: { temperature: 0.1, tool_choice: 'auto' },
    });
    expect(bodies[0]?.messages).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_aaaaaaaa', type: 'function', function: { name: 't', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'call_aaaaaaaa', content: 'bad' },
    ]);
    expect(bodies[0]).toMatchObject({ temperature: 0.1 });
    expect(bodies[0]).not.toHaveProperty('tool_choice');
  });

  it('asks again without stream_options when a server refuses them, and remembers', async () => {
    const { baseURL, bodies } = await serve((body, response, request) => {
      if (body.stream_options) return failing(400, 'Unrecognized request argument supplied: stream_options')(body, response, request);
      sse(response, delta({ content: 'ok' }, 'stop'), DONE);
      response.end();
    });
    const model = createOpenAIModel({ baseURL, apiKey: '', model: 'm1' });
    for (const _round of [1, 2]) expect((await model.complete(question, new AbortController().signal, () => undefined)).content).toBe('ok');
    expect(bodies.map((body) => 'stream_options' in body)).toEqual([true, false, false]);
  });

  const thinking = (field: string) => ({
    [field]: 'Look it up.',
    tool_calls: [
      {
        index: 0,
        id: 'call-00001',
        function: { name: 'search', arguments: '{}' },
        extra_content: { google: { thought_signature: 'AbC=' } },
      },
    ],
  });
  const round = (result: CompletionResult): CompletionRequest => ({
    messages: [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: '', reasoning: result.reasoning ?? '', tool_calls: result.tool_calls },
      { role: 'tool', tool_call_id: 'call-00001', content: 'found' },
      { role: 'assistant', content: 'Found it.', reasoning: 'It is done.' },
    ],
  });

  it.each(['reasoning_content', 'reasoning'])(
    'gives back %s, and what stands beside a call, to the server that sent them',
    async (field) => {
      const { baseURL, bodies } = await serve((_body, response) => {
        sse(response, delta(thinking(field)), delta({}, 'tool_calls'), DONE);
        response.end();
      });
      const model = createOpenAIModel({ baseURL, apiKey: '', model: 'm1' });
      const first = await model.complete(question, new AbortController().signal, () => undefined);
      await model.complete(round(first), new AbortController().signal, () => undefined);
      const [, answer, , text] = (bodies[1]?.messages ?? []) as Record<string, unknown>[];
      expect(answer).toMatchObject({ [field]: 'Look it up.', tool_calls: [{ extra_content: { google: { thought_signature: 'AbC=' } } }] });
      expect(text).toEqual({ role: 'assistant', content: 'Found it.' });
    },
  );

  it('gives no reasoning to a server that sent none, or refuses it, and remembers that', async () => {
    const { baseURL, bodies } = await serve((body, response, request) => {
      if (JSON.stringify(body.messages).includes('reasoning_content'))
        return failing(400, "messages.1: property 'reasoning_content' is unsupported")(body, response, request);
      sse(response, delta(bodies.length === 1 ? { content: 'ok' } : thinking('reasoning_content'), 'stop'), DONE);
      response.end();
    });
    const model = createOpenAIModel({ baseURL, apiKey: '', model: 'm1' });
    const given = { content: '', reasoning: 'Hm.', tool_calls: [], finishReason: 'stop' };
    const call = { id: 'call-00001', type: 'function' as const, function: { name: 'search', arguments: '{}' } };
    for (const _round of [1, 2, 3, 4])
      await model.complete(round({ ...given, tool_calls: [call] }), new AbortController().signal, () => undefined);
    const sent = bodies.map((body) => JSON.stringify(body.messages).includes('reasoning_content'));
    expect(sent).toEqual([false, false, true, false, false]);
  });

  it('goes on giving reasoning to a server that refuses a request because some is missing', async () => {
    const { baseURL, bodies } = await serve((body, response, request) => {
      const [, answer] = (body.messages ?? []) as Record<string, unknown>[];
      if (answer && !answer.reasoning_content)
        return failing(400, 'Missing `reasoning_content` field in the assistant message at message index 1')(body, response, request);
      sse(response, delta(thinking('reasoning_content'), 'stop'), DONE);
      response.end();
    });
    const model = createOpenAIModel({ baseURL, apiKey: '', model: 'm1' });
    const first = await model.complete(question, new AbortController().signal, () => undefined);
    const { reasoning: _gone, ...without } = first;
    // Of an answer of another model, or one that may no longer be read.
    const refused = model.complete(round(without), new AbortController().signal, () => undefined);
    await expect(refused).rejects.toMatchObject({ code: 'model_bad_request' });
    expect(bodies).toHaveLength(2);
    expect(await model.complete(round(first), new AbortController().signal, () => undefined)).toMatchObject({ finishReason: 'stop' });
  });

  it('gives nothing beside a call to a server that refuses it, such as another than the one that sent it', async () => {
    const { baseURL, bodies } = await serve((body, response, request) => {
      if (JSON.stringify(body.messages).includes('extra_content'))
        return failing(400, "'messages.1.tool_calls.0' : property 'extra_content' is unsupported")(body, response, request);
      sse(response, delta({ content: 'ok' }, 'stop'), DONE);
      response.end();
    });
    const model = createOpenAIModel({ baseURL, apiKey: '', model: 'm1' });
    const [call] = thinking('reasoning').tool_calls;
    const other = {
      content: '',
      tool_calls: [{ ...call, type: 'function' as const, id: 'call-00001' }],
      finishReason: 'stop',
    } as CompletionResult;
    for (const _round of [1, 2])
      expect((await model.complete(round(other), new AbortController().signal, () => undefined)).content).toBe('ok');
    expect(bodies.map((body) => JSON.stringify(body.messages).includes('extra_content'))).toEqual([true, false, false]);
  });

  it('sends no Authorization without a key', async () => {
    let authorization: string | undefined = 'unset';
    const { baseURL } = await serve((_body, response, request) => {
      authorization = request.headers.authorization;
      sse(response, delta({ content: 'ok' }, 'stop'), DONE);
      response.end();
    });
    await ask(`${baseURL}/chat/completions/`, question, undefined, '');
    expect(authorization).toBeUndefined();
  });
});

describe('a failure names its cause and the next step', () => {
  it.each([
    [401, 'Incorrect API key provided: sk-test-123456', {}, undefined, 'model_unauthorized', /key in the settings/],
    [403, 'denied', {}, undefined, 'model_unauthorized', /key/],
    [404, 'The model `m1` does not exist', {}, undefined, 'model_not_found', /choose a model/],
    [400, 'model "m1" not found, try pulling it first', {}, undefined, 'model_not_found', /choose a model/],
    [429, 'slow down', { 'retry-after': '17' }, undefined, 'model_rate_limited', /wait 17 s/],
    [429, 'slow down', {}, undefined, 'model_rate_limited', /wait a minute/],
    [429, 'You exceeded your current quota', {}, 'insufficient_quota', 'model_no_credit', /balance/],
    [400, "This model's maximum context length is 8192 tokens", {}, 'context_length_exceeded', 'model_context_overflow', /larger window/],
    [
      400,
      "'max_tokens' is too large: 8192. The maximum context length is 8192 tokens",
      {},
      undefined,
      'model_context_overflow',
      /larger window/,
    ],
    // What a chat's options ask for is not the chat's length: to shorten it would help nobody, and be remembered.
    [400, '`max_tokens` must be at most 8192, the maximum value for `max_tokens`', {}, undefined, 'model_bad_request', /options/],
    [400, 'm1 has a maximum of 4096 output tokens', {}, undefined, 'model_bad_request', /options/],
    [400, 'm1 does not support tools', {}, undefined, 'model_no_tools', /switch the tools off/],
    [400, 'm1 does not support Function Calling', {}, undefined, 'model_no_tools', /Automatic/],
    [400, 'Tool calling is not supported for this model', {}, undefined, 'model_no_tools', /Automatic/],
    [400, 'Unrecognized request argument supplied: tools', {}, undefined, 'model_no_tools', /Automatic/],
    [400, '"auto" tool choice requires --enable-auto-tool-choice', {}, undefined, 'model_no_tools', /Automatic/],
    [404, 'No endpoints found that support tool use.', {}, undefined, 'model_no_tools', /Automatic/],
    [500, 'tools param requires --jinja flag', {}, undefined, 'model_no_tools', /Automatic/],
    // An option of calls is not calls: from then on they would be written in text for nothing.
    [400, "Unsupported parameter: 'parallel_tool_calls' is not supported", {}, undefined, 'model_bad_request', /options/],
    [400, 'Invalid content type. image_url is only supported by certain models.', {}, undefined, 'model_no_vision', /choose a model/],
    [400, 'unknown variant `image_url`, expected `text`', {}, undefined, 'model_no_vision', /hide the messages/],
    [404, 'No endpoints found that support image input', {}, undefined, 'model_no_vision', /choose a model/],
    [400, 'm1 is not a multimodal model', {}, undefined, 'model_no_vision', /choose a model/],
    [400, 'temperature must be below 2', {}, undefined, 'model_bad_request', /options/],
    [503, 'overloaded', {}, undefined, 'model_server_error', /send again/],
  ])('%i %s', async (status, message, headers, code, expected, next) => {
    const { baseURL } = await serve(failing(status, message, headers, code));
    const { failure } = await ask(baseURL);
    expect(failure?.code).toBe(expected);
    expect(failure?.next).toMatch(next);
    expect(String(failure)).not.toContain('sk-test-123456');
  });

  it('no connection: says so, with the CORS hint only where the cause is hidden', async () => {
    const { baseURL } = await serve(() => undefined);
    for (const close of closers.splice(0)) await close();
    const { failure } = await ask(baseURL);
    expect(failure?.code).toBe('model_unreachable');
    expect(failure?.message).toContain('ECONNREFUSED');
    expect(failure?.next).not.toContain('CORS');
    const browser = createOpenAIModel({ baseURL, apiKey: '', model: 'm1', fetch: () => Promise.reject(new TypeError('Failed to fetch')) });
    await expect(browser.complete(question, new AbortController().signal, () => undefined)).rejects.toMatchObject({
      code: 'model_unreachable',
      next: expect.stringContaining('CORS'),
    });
  });

  it('an address that is none', async () => {
    expect((await ask('not an address')).failure).toMatchObject({ code: 'model_unreachable', next: expect.stringContaining('https://') });
  });

  it.each([
    ['a web page', 'text/html', '<html>login</html>', /web page/],
    ['loose text', 'text/plain', 'it works!', /not a model's answer/],
    ['JSON without choices', 'application/json', '{"ok":true}', /without a choice/],
    ['JSON that is a list', 'application/json', '[1]', /without a choice/],
    ['a stream of other things', 'text/event-stream', 'data: {"hello":1}\n\ndata: [DONE]\n\n', /without a choice/],
    ['a stream that is not JSON', 'text/event-stream', 'data: oops\n\n', /could not be read/],
    ['nothing at all', 'text/event-stream', '', /without a choice/],
  ])('rubbish: %s', async (_name, type, body, message) => {
    const { baseURL } = await serve((_body, response) => void response.writeHead(200, { 'content-type': type }).end(body));
    const { failure } = await ask(baseURL);
    expect(failure?.code).toBe('model_bad_answer');
    expect(failure?.message).toMatch(message);
  });

  it.each([
    ['the connection is cut', (response: ServerResponse) => void response.socket?.destroy()],
    ['the stream ends without an end mark', (response: ServerResponse) => void response.end()],
    ['rubbish follows', (response: ServerResponse) => void response.end('data: {broken\n\n')],
    [
      'an error follows',
      (response: ServerResponse) => void response.end(event({ error: { message: 'CUDA out of memory', code: 'server_error' } })),
    ],
  ])('in the middle, %s: what arrived is kept', async (_name, end) => {
    let seen = (): void => undefined;
    const arrived = new Promise<void>((resolve) => {
      seen = resolve;
    });
    const { baseURL } = await serve((_body, response) => {
      sse(response, delta({ content: 'half an ' }));
      void arrived.then(() => end(response));
    });
    const model = createOpenAIModel({ baseURL, apiKey: '', model: 'm1' });
    const error = await model.complete(question, new AbortController().signal, () => seen()).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InterruptedAnswer);
    expect(error).toMatchObject({ code: 'model_interrupted', partial: { content: 'half an ' } });
  });
});

describe('a server that says nothing more', () => {
  it.each([
    ['before its first word', [], 30, 'model_unreachable', /nothing more came/],
    // Long enough for the first words to arrive on a busy machine.
    ['in the middle of an answer', [delta({ content: 'half' })], 1000, 'model_interrupted', /broke in the middle/],
  ] as const)('%s is not waited for for ever', async (_when, parts, idleMs, code, words) => {
    const { baseURL } = await serve((_body, response) => sse(response, ...parts));
    const error = await createOpenAIModel({ baseURL, apiKey: 'k', model: 'm1', idleMs })
      .complete({ messages: [{ role: 'user', content: 'hi' }] }, new AbortController().signal, () => undefined)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(error).toMatchObject({ code, message: expect.stringMatching(words) });
  });
});

describe('a server at home that has sent nothing', () => {
  it('reads the request: said once, with its tokens, until the first byte', async () => {
    let answer = (): void => undefined;
    const isRead = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const { baseURL } = await serve((_body, response) => void isRead.then(() => sse(response, delta({ content: 'Hello.' }, 'stop'), DONE)));
    const deltas: ModelDelta[] = [];
    const content = 'many words '.repeat(400);
    const properties = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`option_${at}`, { type: 'string' }]));
    const tools: CompletionRequest['tools'] = [
      { type: 'function', function: { name: 'find', description: 'Finds.', parameters: { type: 'object', properties } } },
    ];
    const request: CompletionRequest = { messages: [{ role: 'user', content }], tools };
    await createOpenAIModel({ baseURL, apiKey: 'k', model: 'm1', readingMs: 1 }).complete(request, new AbortController().signal, (each) => {
      deltas.push(each);
      if (each.type === 'reading') answer();
    });
    expect(deltas.map(({ type }) => type).filter((type) => type === 'reading' || type === 'text')).toEqual(['reading', 'text']);
    const [first] = deltas;
    // A definition has more tokens than the same length of words.
    const plain = estimateTokens(content) + estimateTokens(JSON.stringify(tools));
    expect(first?.type === 'reading' && first.tokens).toBeGreaterThan(plain * 1.1);
  });

  it('is not said to read where it is stopped, or is not at home', async () => {
    const deltas: ModelDelta[] = [];
    const pending = { fetch: () => new Promise<Response>(() => undefined), apiKey: 'k', model: 'm1', readingMs: 1 };
    const far = createOpenAIModel({ ...pending, baseURL: 'https://api.example/v1' });
    const near = createOpenAIModel({ ...pending, baseURL: 'http://127.0.0.1:1/v1' });
    const until = new AbortController();
    const nearRead = new Promise<void>((resolve) => {
      void near.complete(question, until.signal, () => resolve()).catch(() => undefined);
    });
    void far.complete(question, until.signal, (each) => deltas.push(each)).catch(() => undefined);
    await nearRead;
    until.abort();
    expect(deltas).toEqual([]);
  });
});

describe('abort', () => {
  it('before, while waiting for the answer, and in its middle', async () => {
    const controller = new AbortController();
    const waiting = await serve(() => controller.abort());
    expect((await ask(waiting.baseURL, question, controller.signal)).failure?.code).toBe('aborted');
    expect((await ask(waiting.baseURL, question, controller.signal)).failure?.code).toBe('aborted');
    expect(waiting.bodies).toHaveLength(1);

    const middle = new AbortController();
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const streaming = await serve((_body, response) => {
      response.on('close', closed);
      sse(response, delta({ content: 'half' }));
    });
    const model = createOpenAIModel({ baseURL: streaming.baseURL, apiKey: '', model: 'm1' });
    await expect(model.complete(question, middle.signal, () => middle.abort())).rejects.toMatchObject({ code: 'aborted' });
    await expect(gone).resolves.toBeUndefined();
  });
});

it('gives what a server put beside an answer back with its calls, until a server refuses it', async () => {
  const details = [
    { type: 'reasoning.text', text: 'Look', index: 0 },
    { type: 'reasoning.text', text: ' up.', signature: 'SIGNED', index: 0 },
  ];
  const { baseURL, bodies } = await serve((body, response, request) => {
    const isRefused = bodies.length > 2 && JSON.stringify(body.messages).includes('reasoning_details');
    if (isRefused) return failing(400, "property 'reasoning_details' is unsupported")(body, response, request);
    const call = { index: 0, id: 'call_aaaaaaaa', function: { name: 'search', arguments: '{}' } };
    sse(response, ...details.map((detail) => delta({ reasoning_details: [detail] })), delta({ tool_calls: [call] }, 'tool_calls'), DONE);
    response.end();
  });
  const model = createOpenAIModel({ baseURL, apiKey: '', model: 'm1' });
  const run = (request: CompletionRequest) => model.complete(request, new AbortController().signal, () => undefined);
  const first = await run(question);
  expect(first.reasoning).toBe('Look up.');
  const next: CompletionRequest = {
    messages: [
      ...question.messages,
      { role: 'assistant', content: '', tool_calls: first.tool_calls },
      { role: 'tool', tool_call_id: 'call_aaaaaaaa', content: 'x' },
    ],
  };
  for (const _round of [1, 2]) await run(next);
  const sent = bodies.map((body) => (body.messages as Record<string, unknown>[])[1]?.reasoning_details);
  expect(sent).toEqual([
    undefined,
    [{ type: 'reasoning.text', text: 'Look up.', signature: 'SIGNED', index: 0 }],
    expect.anything(),
    undefined,
  ]);
});

describe('a server that is silent for long', () => {
  const answer = 'data: {"choices":[{"index":0,"delta":{"content":"At last."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
  /** Answers after twenty minutes. */
  const slow = (_url: unknown, init?: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      setTimeout(() => resolve(new Response(answer, { headers: { 'content-type': 'text/event-stream' } })), 1_200_000);
    });
  const ask = async (baseURL: string): Promise<string> => {
    vi.useFakeTimers();
    try {
      const model = createOpenAIModel({ baseURL, apiKey: '', model: 'm', fetch: slow });
      const asked = model
        .complete({ messages: [{ role: 'user', content: 'long' }] }, new AbortController().signal, () => undefined)
        .then(
          ({ content }) => content,
          (error: { code?: string }) => error.code ?? String(error),
        );
      await vi.advanceTimersByTimeAsync(1_300_000);
      return await asked;
    } finally {
      vi.useRealTimers();
    }
  };

  it('is waited for on this machine or network, as long as its connection is open; one elsewhere is not', async () => {
    expect(await ask('http://127.0.0.1:8080/v1')).toBe('At last.');
    expect(await ask('http://192.168.1.2:11434/v1')).toBe('At last.');
    expect(await ask('https://api.example.com/v1')).toBe('model_unreachable');
  });
});
