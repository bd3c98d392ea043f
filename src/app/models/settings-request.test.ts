import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createMemoryStorage } from '../../chat/store/storage-port.ts';
import { openChat } from '../../chat/testing/open-chat.ts';
import { openSettings } from '../../host/settings/settings.ts';
import { createLedger } from '../../model/budget/ledger.ts';
import { createOpenAIMedia } from '../../model/media/openai-media.ts';
import { windowMemory } from '../../model/model-window.ts';
import { createOpenAIModel } from '../../model/openai-model.ts';
import { callMemory } from '../workspace/call-memory.ts';
import { createChatModel } from '../workspace/chat-model.ts';

const closers: (() => void)[] = [];
const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
  vi.stubGlobal('localStorage', storage);
});
afterEach(() => {
  vi.unstubAllGlobals();
  for (const close of closers.splice(0)) close();
});

/** A provider that answers each request with the next of these, and keeps every body. */
async function serve(replies: readonly object[]) {
  const bodies: string[] = [];
  const queue = [...replies];
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (piece: Buffer) => (text += piece.toString()));
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' });
      if (request.method === 'GET') return response.end(JSON.stringify({ data: [{ id: 'm', context_length: 200_000 }] }));
      bodies.push(text);
      return response.end(
        JSON.stringify({ choices: [{ index: 0, message: queue.shift() ?? { content: 'More.' }, finish_reason: 'stop' }] }),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => server.close());
  return { bodies, baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
}

/** A chat as the product joins it: `settings.json`, the choice of the model, its adapter. */
async function chatWith(file: object, replies: readonly object[]) {
  const { bodies, baseURL } = await serve(replies);
  const json = JSON.stringify({ schema: 1, model: { source: 'custom', baseURL, model: 'm' }, ...file });
  const storage = {
    read: async (path: string) => (path === 'settings.json' ? json : null),
    write: async () => undefined,
    list: async () => ['settings.json'],
  };
  const settings = await openSettings(storage, { get: () => 'key', set: () => undefined }, () => 1);
  const model = createChatModel({
    ...{
      settings,
      today: () => '2026-11-23',
      random: Math.random,
      windows: windowMemory(),
      calls: callMemory(),
    },
    ledger: createLedger({ storage: createMemoryStorage(), device: 'dev', now: () => 1 }),
    hostAi: () => ({ providers: [{ id: 'p', baseURL, models: [{ id: 'm', name: 'm' }] }] }),
    served: null,
    load: async () => createOpenAIModel,
    loadMedia: async () => createOpenAIMedia,
    proxy: { fetchFor: () => fetch, forwards: () => false },
  });
  const opened = await openChat({ deps: { settings: () => settings.get(), model } });
  return { ...opened, bodies, settings };
}

const call = {
  content: '',
  tool_calls: [{ id: 'call-00001', type: 'function', function: { name: 'search_notes', arguments: '{"query":"launch"}' } }],
};
const bodyOf = (text: string | undefined): Record<string, unknown> & { messages: { role: string; content: string }[] } =>
  JSON.parse(text ?? '{}');

describe('from settings.json to the bytes at the server', () => {
  it('the prompt, the options, the privacy rule and the tools are in every request of a turn', async () => {
    const file = {
      systemPrompt: 'Be kind.',
      chatOption: { temperature: 0.25 },
      privacy: { enabled: true, fields: ['Mallory', 'IBAN'] },
      toolCallMaxRounds: 1,
    };
    const { chat, bodies } = await chatWith(file, [
      call,
      { ...call, tool_calls: [{ ...call.tool_calls[0], id: 'call-00002' }] },
      { content: 'End.' },
    ]);
    await chat.send('launch of Mallory?');
    expect(bodies).toHaveLength(3);
    for (const [index, text] of bodies.entries()) {
      expect(text).toContain('Be kind.');
      expect(text).toContain('<PRIVACY_RULE>');
      expect(text).toContain('launch of MASK1V1X?');
      expect(text).not.toMatch(/Mallory|IBAN/u);
      expect(bodyOf(text)).toMatchObject({ model: 'm', temperature: 0.25, tool_choice: index < 2 ? 'auto' : 'none' });
      expect(text).toContain('"name":"read_doc"');
    }
  });

  it('privacy.enabled: false and a file without the key send no such rule', async () => {
    for (const file of [{ privacy: { enabled: false, fields: ['Mallory'] } }, {}]) {
      const { chat, bodies } = await chatWith(file, [{ content: 'Yes.' }]);
      await chat.send('hello?');
      expect(bodies.join('')).not.toContain('PRIVACY_RULE');
      expect(bodies.join('')).not.toContain('Mallory');
    }
  });

  it.each([
    { privacy: { enabled: 'yes', fields: ['Mallory'] } },
    { privacy: { enabled: true, fields: ['Mallory', 1] } },
    { privacy: { enabled: true, fields: ['/(/'] } },
    { privacy: { enabled: true, fields: 'Mallory' } },
    { privacy: 'Mallory' },
  ])('nothing leaves while it is not clear what is private: %j', async (file) => {
    const { chat, bodies } = await chatWith(file, [{ content: 'Yes.' }]);
    await chat.send('Mallory?');
    expect(bodies).toEqual([]);
    expect(chat.view().messages.at(-1)).toMatchObject({ status: 'error', error: { code: 'privacy_invalid' } });
  });

  it('another value that is wrong leaves what is private as it is', async () => {
    const { chat, bodies } = await chatWith({ toolHistory: 'some', privacy: { enabled: true, fields: ['Mallory'] } }, [
      { content: 'Yes.' },
    ]);
    await chat.send('Mallory?');
    expect(bodies.join('')).toContain('MASK1V1X?');
    expect(bodies.join('')).not.toContain('Mallory');
  });

  it.each(['compressed', 'full'])('toolHistory: %s', async (toolHistory) => {
    const { chat, bodies } = await chatWith({ toolHistory }, [call, { content: 'First.' }, { content: 'Second.' }]);
    await chat.send('one?');
    await chat.send('two?');
    const roles = bodyOf(bodies[2]).messages.map(({ role }) => role);
    const full = ['system', 'user', 'assistant', 'tool', 'assistant', 'user'];
    expect(roles).toEqual(toolHistory === 'full' ? full : ['system', 'user', 'assistant', 'user']);
    // Nothing of ours goes over the wire.
    expect(bodies[2]).not.toMatch(/"(?:sources|withheld|repeats|reasoning)":/u);
  });

  it('contextTokens bounds what goes along, and without it the window comes from the provider', async () => {
    const words = 'word '.repeat(3000);
    for (const [contextTokens, expected] of [
      [6000, false],
      [undefined, true],
    ] as const) {
      const { chat, bodies } = await chatWith(contextTokens ? { contextTokens } : {}, [
        { content: 'a' },
        { content: 'b' },
        { content: 'c' },
      ]);
      await chat.send(`oldest ${words}`);
      await chat.send(`newer ${words}`);
      await chat.send('last');
      expect(bodyOf(bodies[2]).messages.some(({ content }) => content.startsWith('oldest'))).toBe(expected);
      expect(bodyOf(bodies[2]).messages.at(-1)?.content).toBe('last');
    }
  });

  it.each([
    { toolHistory: 'some' },
    { contextTokens: 'many' },
    { contextTokens: 10 },
    { privacy: 'Mallory' },
    { privacy: { enabled: true, fields: 'Mallory' } },
  ])('a value that is none is told, and the file kept aside: %j', async (file) => {
    const { settings } = await chatWith(file, []);
    expect(settings.problem).toBe('settings-broken');
  });
});
