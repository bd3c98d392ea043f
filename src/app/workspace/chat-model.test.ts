import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../chat/store/storage-port.ts';
import { openSettings } from '../../host/settings/settings.ts';
import { createLedger } from '../../model/budget/ledger.ts';
import type { LanguageModel } from '../../model/language-model.ts';
import { createOpenAIMedia } from '../../model/media/openai-media.ts';
import { windowMemory } from '../../model/model-window.ts';
import { createOpenAIModel } from '../../model/openai-model.ts';
import { BusyModel } from '../../model/retrying.ts';
import { createScriptedModel } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { callMemory } from './call-memory.ts';
import { createChatModel, createSummaryModel, createTitleModel, learntOfModels } from './chat-model.ts';

const never = new AbortController().signal;
const quiet = () => undefined;

/** A chat model of a provider elsewhere; `serve` answers what is sent for pictures and speech. */
async function bench(inner: LanguageModel, serve: typeof fetch = fetch) {
  const far = { id: 'far', baseURL: 'https://models.example/v1', models: [{ id: 'm', name: 'm' }] };
  const near = { id: 'near', baseURL: 'http://127.0.0.1:11434/v1', models: [{ id: 'l', name: 'llama' }] };
  const settings = await openSettings(
    { read: async () => null, write: async () => undefined, list: async () => [] },
    { get: () => undefined, set: () => undefined },
    () => 1,
  );
  const parts = {
    ...{
      settings,
      today: () => '2026-11-23',
      random: () => 0,
      windows: windowMemory(),
      calls: callMemory(),
      served: null,
      hostAi: () => ({ providers: [far, near] }),
    },
    ledger: createLedger({ storage: createMemoryStorage(), device: 'dev', now: () => 1 }),
    load: async () => () => inner,
    loadMedia: async () => createOpenAIMedia,
    proxy: { fetchFor: () => serve, forwards: () => false },
  };
  const choose = createChatModel(parts);
  const { model } = choose({ purpose: 'answer' });
  if (!model?.media) throw new Error('no model');
  const ask = () => model.complete({ messages: [{ role: 'user', content: 'hello' }] }, never, quiet);
  return {
    settings,
    parts,
    media: model.media,
    ask,
    choose,
    title: createTitleModel(parts, choose),
    summary: createSummaryModel(parts, choose),
  };
}

describe('“Local only” counts at once', () => {
  it('for an answer in progress: it sends nothing more to a model elsewhere', async () => {
    const inner = createScriptedModel(['One.', 'Two.', 'Three.']);
    const { settings, ask, choose } = await bench(inner);
    await ask();
    await settings.update(() => ({ localOnly: true }));
    await expect(ask()).rejects.toMatchObject({ code: 'model_not_local' });
    expect(inner.requests).toHaveLength(1);
    expect(choose({ purpose: 'answer' })).toMatchObject({ model: null, problem: { code: 'model_not_local' } });
    await settings.update(() => ({ remoteProviders: ['far'] }));
    expect(await ask()).toMatchObject({ content: 'Two.' });
  });

  it('for a request that would be sent again in text because its provider refused native calls', async () => {
    let asked = 0;
    const inner: LanguageModel = {
      ...{ label: 'm', model: 'm' },
      complete: async () => {
        asked += 1;
        await settings.update(() => ({ localOnly: true }));
        throw new ToolError('model_no_tools', 'm does not support tools', 'choose another');
      },
    };
    const { settings, choose } = await bench(inner);
    const find = { type: 'function', function: { name: 'find', description: '', parameters: {} } } as const;
    const request = { messages: [{ role: 'user', content: 'hello' }], tools: [find] } as const;
    await expect(choose({ purpose: 'answer' }).model?.complete(request, never, quiet)).rejects.toMatchObject({ code: 'model_not_local' });
    expect(asked).toBe(1);
  });

  it('for a request waiting for its next attempt, even for pictures and speech', async () => {
    let asked = 0;
    let close = async (): Promise<unknown> => undefined;
    const inner: LanguageModel = {
      ...{ label: 'm', model: 'm' },
      complete: async () => {
        asked += 1;
        await close();
        throw new BusyModel('model_rate_limited', 'too many requests', 'wait', 0);
      },
    };
    const busy: typeof fetch = async () => {
      asked += 1;
      await close();
      return new Response('{"error":{"message":"busy"}}', { status: 429, headers: { 'retry-after': '0' } });
    };
    const { settings, ask, media } = await bench(inner, busy);
    close = () => settings.update(() => ({ localOnly: true }));
    await expect(ask()).rejects.toMatchObject({ code: 'model_not_local' });
    expect(asked).toBe(1);
    await settings.update(() => ({ localOnly: false }));
    await expect(media.generateImages('a roof', {}, never)).rejects.toMatchObject({ code: 'model_not_local' });
    expect(asked).toBe(2);
  });
});

it('a service for pictures or speech that is busy is asked again, and each wait is told; of a long text only what is missing', async () => {
  const texts: string[] = [];
  const serve: typeof fetch = async (_url, init) => {
    const { input } = JSON.parse(String(init?.body));
    texts.push(input);
    if (texts.length === 2) return new Response('{"error":{"message":"busy"}}', { status: 429, headers: { 'retry-after': '0' } });
    return new Response(new Uint8Array([texts.length]), { headers: { 'content-type': 'audio/mpeg' } });
  };
  const { media, settings } = await bench(createScriptedModel([]), serve);
  const waits: number[] = [];
  const long = Array.from({ length: 1500 }, (_, n) => `word${n}`).join(' ');
  const spoken = await media.speak(
    long,
    {},
    never,
    ({ attempt, error }) => waits.push(attempt) && expect(error.code).toBe('model_rate_limited'),
  );
  expect(waits).toEqual([1]);
  expect(texts).toHaveLength(new Set(texts).size + 1);
  expect(spoken.bytes).toHaveLength(new Set(texts).size);
  await settings.update(() => ({ retries: 0 }));
  texts.length = 1;
  await expect(media.speak('Again', {}, never)).rejects.toMatchObject({ code: 'model_rate_limited' });
});

it('a title is asked of no model elsewhere while only local ones may be, even where the user allowed it for answers', async () => {
  const { settings, title, choose } = await bench(createScriptedModel([]));
  await settings.update(() => ({ modelTitles: true }));
  expect(title({ purpose: 'title' })).not.toBeNull();
  await settings.update(() => ({ localOnly: true, remoteProviders: ['far'] }));
  expect(choose({ purpose: 'answer' }).model).not.toBeNull();
  expect(title({ purpose: 'title' })).toBeNull();
});

it('a chat that was given a local model leaves the machine for no title and no summary; another one asks the model that was set for them', async () => {
  const { settings, title, summary } = await bench(createScriptedModel([]));
  await settings.update(({ models }) => ({ modelTitles: true, models: { ...models, title: { providerId: 'far', model: 'm' } } }));
  const [local, remote] = [
    { providerId: 'near', model: 'l' },
    { providerId: 'far', model: 'm' },
  ];
  expect([title({ purpose: 'title' }, local)?.model, summary({ purpose: 'summary' }, local)]).toEqual(['llama', null]);
  expect([title({ purpose: 'title' }, remote)?.model, summary({ purpose: 'summary' }, remote)?.model]).toEqual(['m', 'm']);
  expect(summary({ purpose: 'summary' })?.model).toBe('m');
});

describe('whether notes are searched before a model is asked', () => {
  it('is as was set for it; else only where it calls tools in text, and could search without asking', async () => {
    const { settings, choose } = await bench(createScriptedModel([]));
    const searches = (unasked: boolean) => choose({ purpose: 'answer' }).model?.searchFirst?.(unasked);
    expect([searches(true), searches(false)]).toEqual([false, false]);
    await settings.update(() => ({ toolProtocol: 'vcp' }));
    expect([searches(true), searches(false)]).toEqual([true, false]);
    await settings.update(() => ({ searchFirst: { 'far/m': true } }));
    expect([searches(true), searches(false)]).toEqual([true, true]);
  });
});

describe('what was learnt of a model', () => {
  const far = { providerId: 'far', model: 'm' };
  const near = { providerId: 'near', model: 'l' };
  const refusal = () => new ToolError('model_no_tools', 'm does not support tools', 'choose another');
  const tools = [{ type: 'function', function: { name: 'find', description: 'Finds.', parameters: { type: 'object' } } }] as const;

  it('is shown once two turns taught it, and forgotten for this model alone', async () => {
    const inner = createScriptedModel([{ error: refusal() }, 'One.', 'Two.', { error: refusal() }, 'Three.']);
    const { parts, choose } = await bench(inner);
    const { learnt, forget } = learntOfModels(parts);
    const turn = async (rounds: number): Promise<void> => {
      const { model } = choose({ purpose: 'answer' });
      for (let round = 0; round < rounds; round += 1)
        await model?.complete({ messages: [{ role: 'user', content: 'hello' }], tools }, never, quiet);
    };
    await turn(2);
    expect(learnt(far)).toEqual({});
    await turn(1);
    expect(learnt(far)).toEqual({ noTools: 'refused' });
    parts.windows.set(JSON.stringify(['https://models.example/v1', 'm']), 3000);
    parts.calls.state('tools', JSON.stringify(['near', 'http://127.0.0.1:11434/v1', 'llama']), true);
    expect([learnt(far), learnt(near)]).toEqual([{ noTools: 'refused', window: 3000 }, { noTools: 'stated' }]);
    forget(far);
    expect([learnt(far), learnt(near)]).toEqual([{}, { noTools: 'stated' }]);
    expect(learnt({ providerId: 'gone', model: 'x' })).toEqual({});
  });
});

/** Ollama with one model; `capabilities` are what it publishes of it. */
function ollama(capabilities: () => readonly string[]) {
  const bodies: Record<string, unknown>[] = [];
  const paths: string[] = [];
  const serve: typeof fetch = async (url, init) => {
    const { pathname } = new URL(String(url));
    paths.push(pathname);
    if (pathname === '/v1/models') return Response.json({ data: [{ id: 'llama', owned_by: 'library' }] });
    if (pathname === '/api/ps') return Response.json({ models: [] });
    if (pathname === '/api/show') return Response.json({ capabilities: capabilities(), model_info: { 'llama.context_length': 131_072 } });
    bodies.push(JSON.parse(String(init?.body)));
    const chunk = { choices: [{ index: 0, delta: { content: 'Yes.' }, finish_reason: 'stop' }] };
    return new Response(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { serve, bodies, paths };
}

describe('a server at home that publishes whether a model takes tools', () => {
  const near = { providerId: 'near', model: 'l' };
  const find = { type: 'function', function: { name: 'find_it', description: 'Finds.', parameters: { type: 'object' } } } as const;
  const request = { messages: [{ role: 'user', content: 'hello' }], tools: [find] } as const;

  it('gets calls in text from the first question on where it takes none, and native ones once it takes them', async () => {
    let capabilities: readonly string[] = ['completion'];
    const server = ollama(() => capabilities);
    const { parts } = await bench(createScriptedModel([]), server.serve);
    /** As after a restart: what it said counts for some seconds. */
    const ask = async () => {
      const choose = createChatModel({ ...parts, load: async () => createOpenAIModel });
      const { model } = choose({ purpose: 'answer' }, near);
      await model?.window?.tokens(0);
      await model?.complete(request, never, quiet);
      return choose({ purpose: 'answer' }, near).status.calls;
    };
    expect(await ask()).toEqual({ written: 'vcp', isRefused: false });
    expect(server.bodies[0]).not.toHaveProperty('tools');
    expect(JSON.stringify(server.bodies[0])).toContain('find_it');
    expect(server.paths).toEqual(['/v1/models', '/api/ps', '/api/show', '/v1/chat/completions']);
    expect(learntOfModels(parts).learnt(near)).toMatchObject({ noTools: 'stated' });
    capabilities = ['completion', 'tools'];
    expect(await ask()).toEqual({ written: 'native', isRefused: false });
    expect(server.bodies[1]).toHaveProperty('tools');
    capabilities = [];
    expect(await ask()).toEqual({ written: 'native', isRefused: false });
  });
});

it('an agent of the computer reads elsewhere, and no other model', async () => {
  const inner = createScriptedModel(['One.']);
  const { parts } = await bench(inner);
  const choose = createChatModel({
    ...parts,
    guests: { list: () => [{ id: 'claude', name: 'Claude', project: 'p1' }], model: async () => inner },
  });
  expect(choose({ purpose: 'answer' }, { providerId: 'claude', model: 'Claude' }).model?.readsElsewhere).toBe(true);
  expect(choose({ purpose: 'answer' }).model?.readsElsewhere).toBe(false);
  expect(choose({ purpose: 'answer' }, { providerId: 'claude', model: 'Claude' }).model?.project).toBe('p1');
  expect(choose({ purpose: 'answer' }).model?.project).toBeUndefined();
});
