import { describe, expect, it } from 'vitest';
import { type AskServer, askServerFacts, readLmStudio, readOllama, readProps, serverKind } from './server-window.ts';

const list = (owner: string | undefined, id = 'm') => ({ object: 'list', data: [{ id, object: 'model', owned_by: owner }] });
const signal = new AbortController().signal;

/** A server with these routes. */
function server(routes: Readonly<Record<string, unknown>>) {
  const asked: string[] = [];
  const ask: AskServer = async (url) => {
    const { pathname } = new URL(url);
    asked.push(pathname);
    if (!(pathname in routes)) throw new Error('404');
    return routes[pathname];
  };
  return { ask, asked };
}

describe('which server answers', () => {
  it.each([
    ['http://127.0.0.1:8080/v1', list('llamacpp'), 'llama.cpp'],
    ['http://192.168.1.4:9000', list('llama.cpp'), 'llama.cpp'],
    ['http://127.0.0.1:8080', { data: [{ id: 'm' }] }, 'llama.cpp'],
    ['http://127.0.0.1:11434/v1', { data: null }, 'ollama'],
    ['http://nas.local:8000/v1', list('library'), 'ollama'],
    ['http://127.0.0.1:1234/v1', list('organization_owner'), 'lm-studio'],
    ['http://127.0.0.1:8000/v1', list('vllm'), 'other'],
    ['http://127.0.0.1:8080/v1', list('vllm'), 'other'],
    ['http://127.0.0.1:5000/v1', 'rubbish', 'other'],
  ])('%s is known by its list and its port', (base, answer, kind) => {
    expect(serverKind(base, answer, 'm')).toBe(kind);
  });
});

describe('what a server says of a model', () => {
  it.each([
    [
      { default_generation_settings: { n_ctx: 8192 }, chat_template_caps: { supports_tools: true } },
      { window: 8192, takesTools: true },
    ],
    [
      { default_generation_settings: { n_ctx: 4096 }, chat_template_caps: { supports_tools: false } },
      { window: 4096, takesTools: false },
    ],
    [{ default_generation_settings: null, n_ctx: 2048 }, { window: 2048 }],
    [{ default_generation_settings: { n_ctx: 0 } }, {}],
    [{ default_generation_settings: { n_ctx: '8192' }, chat_template_caps: [] }, {}],
    ['<html>', {}],
    [undefined, {}],
  ])('llama.cpp: %j', (props, facts) => {
    expect(readProps(props)).toEqual({ window: undefined, takesTools: undefined, ...facts });
  });

  const shown = {
    parameters: 'temperature 0.7\nnum_ctx                        16384',
    model_info: { 'qwen3.context_length': 40_960 },
    capabilities: ['completion', 'tools'],
  };
  it.each([
    [{ models: [{ name: 'm', model: 'm', context_length: 32_768 }] }, shown, { window: 32_768, takesTools: true }],
    [{ models: [{ name: 'm:latest', context_length: 8192 }] }, undefined, { window: 8192 }],
    [{ models: [] }, shown, { window: 16_384, takesTools: true }],
    [undefined, { model_info: { 'llama.context_length': 131_072 }, capabilities: ['completion'] }, { window: 4096, takesTools: false }],
    [{ models: null }, { model_info: { 'x.context_length': 2048 } }, { window: 2048 }],
    [{ error: 'no' }, 'cut {', {}],
    [{ data: [{ id: 'm' }] }, { data: [{ id: 'm' }] }, {}],
  ])('Ollama: %j %j', (running, show, facts) => {
    expect(readOllama(running, show, 'm')).toEqual({ window: undefined, takesTools: undefined, ...facts });
  });

  it.each([
    [
      { id: 'm', state: 'loaded', loaded_context_length: 16_384, max_context_length: 131_072, capabilities: ['tool_use'] },
      { window: 16_384, takesTools: true },
    ],
    [
      { id: 'm', state: 'not-loaded', max_context_length: 131_072, capabilities: [] },
      { window: 4096, takesTools: false },
    ],
    [{ id: 'm', max_context_length: 2048 }, { window: 2048 }],
    [{ id: 'other', loaded_context_length: 9999 }, {}],
  ])('LM Studio: %j', (entry, facts) => {
    expect(readLmStudio({ data: [entry] }, 'm')).toEqual({ window: undefined, takesTools: undefined, ...facts });
  });
});

describe('asking a server', () => {
  const props = { default_generation_settings: { n_ctx: 4096 } };
  it('asks one on this machine or network for what it has, and only its own routes', async () => {
    const { ask, asked } = server({ '/props': props });
    expect((await askServerFacts({ base: 'http://127.0.0.1:8080/v1', model: 'm' }, list('llamacpp'), ask, signal)).window).toBe(4096);
    expect(asked).toEqual(['/props']);
  });

  it('asks nobody else', async () => {
    const { ask, asked } = server({ '/props': props });
    expect(await askServerFacts({ base: 'https://api.example.com/v1', model: 'm' }, list('llamacpp'), ask, signal)).toEqual({});
    expect(await askServerFacts({ base: 'http://127.0.0.1:8000/v1', model: 'm' }, list('vllm'), ask, signal)).toEqual({});
    expect(asked).toEqual([]);
  });

  it('goes on without a route that the server lacks', async () => {
    const { ask } = server({ '/api/ps': { models: [{ name: 'm', context_length: 8192 }] } });
    const { window } = await askServerFacts({ base: 'http://127.0.0.1:11434/v1', model: 'm' }, {}, ask, signal);
    expect(window).toBe(8192);
    expect((await askServerFacts({ base: 'http://127.0.0.1:11434/v1', model: 'm' }, {}, server({}).ask, signal)).window).toBeUndefined();
  });
});
