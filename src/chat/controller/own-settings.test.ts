import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../model/testing/scripted-model.ts';
import { readSession } from '../session/saved-format.ts';
import type { Session } from '../session/types.ts';
import { createMemoryStorage, type MemoryStorage } from '../store/storage-port.ts';
import { createChatStore } from '../store/store.ts';
import { openChat } from '../testing/open-chat.ts';
import { Windows } from '../testing/windows.ts';
import type { ChatControllerDeps, ChatModel } from './controller-deps.ts';
import { summaryModels } from './summary-models.ts';

const OTHER = { providerId: 'p', model: 'other' };

/** The models of the settings and of a provider that may be gone. */
function models() {
  const defaultModel = createScriptedModel(['default one', 'default two', 'default three'], 'default');
  const other = createScriptedModel(['other one', 'other two'], 'other');
  let isGone = false;
  const model: ChatControllerDeps['model'] = (_use, ref): ChatModel => {
    if (!ref) return { status: { label: 'default', kind: 'ready' }, model: defaultModel };
    if (isGone) return { status: { label: '', kind: 'missing' }, model: null };
    return { status: { label: 'other', kind: 'ready', ref }, model: other };
  };
  const settings: ChatControllerDeps['settings'] = () => ({
    systemPrompt: 'Of the settings.',
    chatOption: { temperature: 0.5, seed: 1 },
    toolCallMaxRounds: 3,
  });
  return { defaultModel, other, deps: { model, settings }, setGone: (gone: boolean) => (isGone = gone) };
}

function savedChat(storage: MemoryStorage, id: string): Session {
  const read = readSession(storage.files.get(`sessions/${id}.json`) ?? '');
  if (read.kind !== 'ok') throw new Error(JSON.stringify([read, [...storage.files]]));
  return read.session;
}

describe('what a chat has of its own', () => {
  it('counts for its requests alone, stays over a restart, and is given back to the settings', async () => {
    const storage = createMemoryStorage();
    const { defaultModel, other, deps } = models();
    const first = await openChat({ storage, deps });
    await first.chat.setOwn({ model: OTHER, systemPrompt: 'Of the chat.', options: { temperature: 1 }, contextMessages: 1 });
    await first.chat.send('q1');
    const { sessionId } = first.chat.view();
    expect(first.chat.view()).toMatchObject({ model: { label: 'other' }, own: { model: OTHER, contextMessages: 1 } });
    expect(other.requests[0]?.chatOption).toMatchObject({ temperature: 1, seed: 1 });
    expect(other.requests[0]?.messages[0]?.content).toContain('Of the chat.');
    await first.chat.newChat();
    expect(first.chat.view()).toMatchObject({ model: { label: 'default' }, own: {} });
    await first.chat.send('q1');
    expect(defaultModel.requests[0]?.chatOption).toMatchObject({ temperature: 0.5 });
    expect(defaultModel.requests[0]?.messages[0]?.content).toContain('Of the settings.');
    await first.chat.dispose();

    const again = await openChat({ storage, deps, run: 2 });
    await again.chat.openChat(sessionId);
    await again.chat.send('q2');
    const asked = other.requests[1]?.messages.filter(({ role }) => role === 'user').map(({ content }) => content);
    expect(asked).toEqual(['q2']);
    await again.chat.setOwn({ model: undefined, systemPrompt: undefined, options: undefined, contextMessages: undefined });
    expect(again.chat.view().own).toEqual({});
    await again.chat.send('q3');
    expect(defaultModel.requests[1]?.messages[0]?.content).toContain('Of the settings.');
    expect(defaultModel.requests[1]?.messages.filter(({ role }) => role === 'user')).toHaveLength(3);
    expect(savedChat(storage, sessionId)).not.toHaveProperty('systemPrompt');
  });

  it('is answered once by another model where that is asked for, and keeps its own', async () => {
    const { defaultModel, other, deps } = models();
    const { chat } = await openChat({ deps });
    await chat.send('Hello');
    await chat.rerun(chat.view().messages.at(-1)!.nodeId, false, OTHER);
    expect([defaultModel.requests.length, other.requests.length]).toEqual([1, 1]);
    expect(chat.view()).toMatchObject({ model: { label: 'default' }, own: {} });
    expect(chat.view().messages.at(-1)?.position).toMatchObject({ version: 2, versions: 2 });
    await chat.rerun(chat.view().messages.at(-1)!.nodeId);
    expect([defaultModel.requests.length, other.requests.length]).toEqual([2, 1]);
  });

  it('keeps a model whose provider is gone: no other gets the chat, which says so, until it is back', async () => {
    const storage = createMemoryStorage();
    const { defaultModel, other, deps, setGone } = models();
    const { chat } = await openChat({ storage, deps });
    await chat.setOwn({ model: OTHER });
    setGone(true);
    await chat.send('q1');
    expect(defaultModel.requests).toHaveLength(0);
    expect(chat.view().model).toMatchObject({ kind: 'missing', gone: OTHER });
    expect(chat.view().messages.at(-1)?.error?.code).toBe('model_gone');
    expect(savedChat(storage, chat.view().sessionId).model).toEqual(OTHER);
    setGone(false);
    await chat.send('q2');
    expect(other.requests).toHaveLength(1);
    expect(chat.view().model).not.toHaveProperty('gone');
  });

  it('is asked for titles and summaries by its own model too', async () => {
    const { deps, setGone } = models();
    const titled: unknown[] = [];
    const titleModel: ChatControllerDeps['titleModel'] = (_use, ref) => {
      titled.push(ref);
      return null;
    };
    const { chat } = await openChat({ deps: { ...deps, titleModel } });
    await chat.setOwn({ model: OTHER });
    await chat.send('q1');
    expect(titled).toEqual([OTHER]);
    const own = { id: 's1', own: { model: OTHER } };
    expect(summaryModels(deps, own)).toMatchObject({ chat: { label: 'other' }, writer: { label: 'other' } });
    setGone(true);
    expect(summaryModels(deps, own)).toBeNull();
  });

  it('goes along with a copy of a branch and with an export', async () => {
    const storage = createMemoryStorage();
    const { chat } = await openChat({ storage, deps: models().deps });
    const own = { model: OTHER, systemPrompt: 'Rhyme.', options: { top_p: 0.5 }, contextMessages: 4 };
    await chat.setOwn(own);
    await chat.send('q1');
    const { sessionId, messages } = chat.view();
    const text = (await chat.library.exportJson([sessionId])) ?? '';
    await chat.messages.extract(messages[1]?.nodeId ?? '', 'A copy');
    expect(chat.view().sessionId).not.toBe(sessionId);
    expect(chat.view().own).toEqual(own);
    const elsewhere = await openChat({ deps: models().deps, run: 2 });
    await elsewhere.chat.library.importJson(text);
    await elsewhere.chat.openChat(sessionId);
    expect(elsewhere.chat.view().own).toEqual(own);
  });

  it('is the same in two windows: what was set or given back last counts in both', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const window = async (name: string, run: number) => {
      const store = createChatStore({ storage, device: 'dev', now: () => 1e12 * run + ++time, ...windows.open(name) });
      return openChat({ storage, run, deps: { ...models().deps, store } });
    };
    let time = 0;
    const one = await window('dev_one', 1);
    await one.chat.send('q1');
    const two = await window('dev_two', 2);
    await one.chat.setOwn({ model: OTHER, systemPrompt: 'One.' });
    await two.until(({ own, model }) => own.systemPrompt === 'One.' && model.label === 'other');
    await two.chat.setOwn({ systemPrompt: undefined, contextMessages: 2 });
    await one.until(({ own }) => own.contextMessages === 2);
    expect(one.chat.view().own).toEqual({ model: OTHER, contextMessages: 2 });
    expect(savedChat(storage, one.chat.view().sessionId)).toMatchObject({ model: OTHER, contextMessages: 2 });
  });

  it('is not changed where the chat may not be: a notice says why', async () => {
    const storage = createMemoryStorage();
    const first = await openChat({ storage, deps: models().deps });
    await first.chat.send('q1');
    const path = `sessions/${first.chat.view().sessionId}.json`;
    await first.chat.dispose();
    await storage.write(path, (storage.files.get(path) ?? '').replace('"schema":1', '"schema":99'));
    const before = storage.files.get(path);
    const { chat } = await openChat({ storage, deps: models().deps, run: 2 });
    await chat.setOwn({ systemPrompt: 'No.' });
    expect(chat.view()).toMatchObject({ own: {}, notice: { code: 'chat_newer' } });
    expect(storage.files.get(path)).toBe(before);
  });
});
