import { describe, expect, it } from 'vitest';
import { findLocalServers, listModels, readModelList } from './model-list.ts';
import { marksOf } from './model-marks.ts';

const signal = new AbortController().signal;
const codeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'no error',
    (error: { code?: string }) => error.code ?? String(error),
  );
const answering = (...answers: (Response | Error)[]) => {
  const asked: { url: string; authorization: string | null }[] = [];
  const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
    asked.push({ url: String(url), authorization: new Headers(init?.headers).get('authorization') });
    const answer = answers.shift();
    if (answer instanceof Response) return answer;
    throw answer ?? new TypeError('Failed to fetch');
  };
  return { fetch, asked };
};

describe('a list of models', () => {
  it('is sorted as people read it, each once, without those that only index, rank or judge', () => {
    const ids = [
      'gpt-10',
      'gpt-9',
      'text-embedding-3-large',
      'gpt-9',
      'bge-m3',
      'qwen3-reranker-8b',
      'omni-moderation-latest',
      'tts-1',
      7,
      '',
    ];
    expect(readModelList({ data: ids.map((id) => ({ id })) }).map(({ id }) => id)).toEqual(['gpt-9', 'gpt-10', 'tts-1']);
  });

  it('names a model that is a file by the file: a server of one may give its path', () => {
    const ids = ['/home/li/models/SmolLM2-135M.gguf', './m.gguf', 'C:\\models\\gemma.gguf', 'openai/gpt-4o', '/'];
    expect(Object.fromEntries(readModelList({ data: ids.map((id) => ({ id })) }).map(({ model, name }) => [model, name]))).toEqual({
      '/home/li/models/SmolLM2-135M.gguf': 'SmolLM2-135M.gguf',
      './m.gguf': 'm.gguf',
      'C:\\models\\gemma.gguf': 'gemma.gguf',
      'openai/gpt-4o': 'openai/gpt-4o',
      '/': '/',
    });
  });

  const entries = [{ id: 'a' }, { id: 'b' }];
  it.each<[string, unknown]>([
    ['OpenAI', { object: 'list', data: entries }],
    ['a bare list', entries],
    ['names alone', ['a', 'b']],
    ['names in a list', { data: ['a', 'b'] }],
    ['a model instead of an id', { data: [{ model: 'a', display_name: 'A' }, { model: 'b' }] }],
    ['slugs', { models: [{ slug: 'a' }, { slug: 'b' }] }],
    ['Ollama', { models: [{ name: 'a', model: 'a', size: 3 }, { name: 'b' }] }],
    ['a result', { result: [{ id: '0a1b2c3d-1111-2222-3333-444455556666', name: 'a' }, { name: 'b' }] }],
    ['a list in a list', { data: { models: entries } }],
    ['models by name', { data: { a: { size: 3 }, b: { size: 4 } } }],
    [
      'models by service',
      {
        data: [
          { name: 'one', models: [{ id: 'a' }] },
          { name: 'two', models: ['b'] },
        ],
      },
    ],
  ])('is read in the shape of %s', (_name, answer) => {
    expect(readModelList(answer).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('says what the provider says in the place of one', async () => {
    const refused = (body: unknown, status = 200) =>
      listModels({ baseURL: 'https://host.test/v1', apiKey: '' }, answering(new Response(JSON.stringify(body), { status })).fetch, signal);
    await expect(refused({ error: { message: 'Top up first' } })).rejects.toThrow(/Top up first/);
    await expect(refused({ code: 30_001, message: '余额不足' }, 403)).rejects.toThrow(/余额不足/);
  });

  it.each([undefined, null, 'x', {}, { data: 3 }, { data: [null, 1] }])('is empty for %j', (answer) => {
    expect(readModelList(answer)).toEqual([]);
  });

  it('says of a model what its entry says, over what its name lets expect', () => {
    const openRouter = {
      id: 'maker/gpt-4o',
      context_length: 4096,
      supported_parameters: ['temperature', 'reasoning'],
      architecture: { input_modalities: ['text'] },
    };
    const mistral = { id: 'some-model', max_context_length: 32_768, capabilities: { function_calling: true, vision: true } };
    expect(readModelList({ data: [openRouter, mistral] })).toEqual([
      {
        ...{ id: 'maker/gpt-4o', model: 'maker/gpt-4o', name: 'maker/gpt-4o', type: 'chat' },
        tools: false,
        vision: false,
        reasoning: true,
        context: 4096,
      },
      { ...{ id: 'some-model', model: 'some-model', name: 'some-model', type: 'chat' }, tools: true, vision: true, context: 32_768 },
    ]);
  });

  it('is asked at the address that the chat uses, with the key and only where there is one', async () => {
    const { fetch, asked } = answering(Response.json({ data: [{ id: 'a' }] }), Response.json({ data: [{ id: 'a' }] }));
    await listModels({ baseURL: 'http://x/v1/chat/completions/', apiKey: 'sk-1' }, fetch, signal);
    await listModels({ baseURL: 'http://x/v1', apiKey: '' }, fetch, signal);
    expect(asked).toEqual([
      { url: 'http://x/v1/models', authorization: 'Bearer sk-1' },
      { url: 'http://x/v1/models', authorization: null },
    ]);
  });

  it.each([
    [new TypeError('Failed to fetch'), 'model_unreachable'],
    [new Response('', { status: 401 }), 'model_unauthorized'],
    [new Response('', { status: 404 }), 'model_bad_answer'],
    [new Response('<html>'), 'model_bad_answer'],
    [Response.json({ data: [] }), 'model_bad_answer'],
  ])('that does not come says why: %#', async (answer, code) => {
    expect(await codeOf(listModels({ baseURL: 'http://x/v1', apiKey: 'k' }, answering(answer).fetch, signal))).toBe(code);
  });

  it('is not asked for at what is no address', async () => {
    const { fetch, asked } = answering();
    expect(await codeOf(listModels({ baseURL: 'no address', apiKey: '' }, fetch, signal))).toBe('model_unreachable');
    expect(asked).toEqual([]);
  });
});

describe('servers on this machine', () => {
  it('are found at their ports; one that does not run is left out', async () => {
    const { fetch, asked } = answering(new TypeError('refused'), Response.json({ data: [{ id: 'qwen3' }] }));
    expect(await findLocalServers(fetch, signal)).toMatchObject([{ id: 'lm-studio', listed: [{ id: 'qwen3' }] }]);
    const addresses = ['http://127.0.0.1:11434/v1/models', 'http://127.0.0.1:1234/v1/models', 'http://127.0.0.1:8080/v1/models'];
    expect(asked.map(({ url }) => url)).toEqual(addresses);
  });
});

describe('what a name tells', () => {
  it.each([
    ['gpt-4.1-mini', { tools: true, vision: true, context: 1_047_576 }],
    ['o3-mini', { tools: true, vision: true, reasoning: true, context: 200_000 }],
    ['gpt-3.5-turbo', { tools: true, context: 16_385 }],
    ['deepseek-r1:8b', { tools: false, reasoning: true }],
    ['meta-llama/llama-3.1-70b-instruct', { tools: true }],
    ['llama2', { tools: false }],
    ['qwen2.5-vl:7b', { tools: true, vision: true }],
    ['llava:13b', { vision: true }],
    ['my-own-model', {}],
  ])('%s', (model, marks) => {
    expect(marksOf(model)).toEqual({ type: 'chat', ...marks });
  });

  it('says the type alone of models that do not talk', () => {
    expect(marksOf('gpt-image-1')).toEqual({ type: 'image-gen' });
  });
});

describe('the models of Anthropic', () => {
  it('are asked for page by page, with their windows and what they can do', async () => {
    const asked: { readonly url: string; readonly headers: Headers }[] = [];
    const yes = { supported: true };
    const capabilities = { image_input: yes, thinking: yes, effort: { ...yes, low: yes, high: yes, max: { supported: false } } };
    const pages = [
      { data: [{ id: 'claude-b', max_input_tokens: 1_000_000, capabilities }], has_more: true, last_id: 'claude-b' },
      { data: [{ id: 'claude-a', max_input_tokens: null, capabilities: null }], has_more: false, last_id: 'claude-a' },
    ];
    const fetch = async (url: string | URL | Request, init?: RequestInit): Promise<Response> => {
      asked.push({ url: String(url), headers: new Headers(init?.headers) });
      return Response.json(pages[asked.length - 1]);
    };
    const provider = { baseURL: 'https://api.anthropic.com', apiKey: 'k', protocol: 'anthropic-messages' as const };
    const models = await listModels(provider, fetch, new AbortController().signal);
    expect(models.map(({ id, context, vision, reasoning, efforts }) => ({ id, context, vision, reasoning, efforts }))).toEqual([
      { id: 'claude-a', context: 200_000, vision: true, reasoning: undefined, efforts: undefined },
      { id: 'claude-b', context: 1_000_000, vision: true, reasoning: true, efforts: ['low', 'high'] },
    ]);
    expect(asked.map(({ url }) => url)).toEqual([
      'https://api.anthropic.com/v1/models?limit=1000',
      'https://api.anthropic.com/v1/models?limit=1000&after_id=claude-b',
    ]);
    expect(asked[0]?.headers.get('x-api-key')).toBe('k');
    expect(asked[0]?.headers.get('anthropic-dangerous-direct-browser-access')).toBe('true');
  });

  it('are asked for once more by no provider that repeats itself', async () => {
    let asked = 0;
    const fetch = async (): Promise<Response> => {
      asked += 1;
      return Response.json({ data: [{ id: 'claude-a' }], has_more: true, last_id: 'claude-a' });
    };
    const provider = { baseURL: 'https://api.anthropic.com', apiKey: 'k', protocol: 'anthropic-messages' as const };
    expect(await listModels(provider, fetch, new AbortController().signal)).toHaveLength(1);
    expect(asked).toBe(2);
  });
});
