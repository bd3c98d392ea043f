// Whatever a session file, a journal entry, the index, a deleted chat or a value outside holds: the chat opens or says why not, goes
// on, and nothing that cannot be read is written over. MARGINALIA_DAMAGES says how many chats are damaged.
import { expect, it } from 'vitest';
import { seededRandom } from '../../../bench/random.ts';
import { damage } from '../../../tests/support/damage.ts';
import { runCount } from '../../../tests/support/property-runs.ts';
import type { ScriptedReply } from '../../model/testing/scripted-model.ts';
import { type ChatStorage, createMemoryStorage } from '../store/storage-port.ts';
import { openChat } from '../testing/open-chat.ts';
import { readSession } from './saved-format.ts';

const COUNT = Number(process.env.MARGINALIA_DAMAGES ?? runCount(80, 200));
const FIRST = Number(process.env.MARGINALIA_DAMAGE_SEED ?? 1);
type Files = Record<string, string>;

/** Chats with all that a chat can hold, one that was deleted, and the journal of a turn as it would stand after a crash. */
async function soundFiles(): Promise<Files> {
  const storage = createMemoryStorage();
  const journal: Files = {};
  const recording: ChatStorage = {
    ...storage,
    write(path, text) {
      if (path.startsWith('journal/')) journal[path] = text;
      return storage.write(path, text);
    },
  };
  const search = { name: 'search_notes', arguments: JSON.stringify({ query: 'launch' }) };
  const replies: ScriptedReply[] = [
    { text: 'Looking.', calls: [search, { name: 'list_notebooks', arguments: '{}' }] },
    'May.',
    'June.',
    'Two.',
    'Gone.',
  ];
  const { chat } = await openChat({ storage: recording, replies: [...replies, { text: 'Again.', calls: [search] }, 'Cut off'] });
  chat.addContext({ kind: 'block', id: '20200101000000-abcdefg', title: 'Apollo', text: 'Launch in May' });
  chat.addContext({ kind: 'selection', id: '20200101000000-abcdefg', title: 'May', text: 'May' });
  await chat.send('When?');
  await chat.rerun(chat.view().messages.at(-1)?.nodeId ?? '');
  await chat.newChat();
  await chat.send('Two?');
  const kept = chat.view().sessionId;
  await chat.newChat();
  await chat.send('To be deleted');
  await chat.library.remove(chat.view().sessionId);
  await chat.openChat(kept);
  for (const path of Object.keys(journal)) delete journal[path];
  const before = Object.fromEntries(storage.files);
  await chat.send('Cut off');
  await chat.dispose();
  return { ...before, ...journal };
}

async function tryOut(sound: Files, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const files = { ...sound };
  for (let times = 1 + random.below(3); times > 0; times--) {
    const chats = Object.keys(files).filter((path) => /^sessions\/(?!index)/.test(path));
    const path = random.pick(random.next() < 0.6 ? chats : Object.keys(files)) ?? '';
    files[path] = damage(files[path] ?? '', random);
  }
  const storage = createMemoryStorage();
  for (const [path, text] of Object.entries(files)) await storage.write(path, text);
  const { chat, model } = await openChat({ storage, run: 2, replies: Array.from({ length: 20 }, () => ({ text: 'An answer.' })) });
  const list = await chat.library.list();
  const ids = list.kind === 'failed' ? [] : list.items.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const names = Object.keys(files).flatMap((path) => /^sessions\/(?!index)([^/]+)\.json$/.exec(path)?.[1] ?? []);
  for (const id of new Set([...ids, ...names])) {
    await chat.openChat(id);
    const { messages, notice, contexts } = chat.view();
    expect(notice?.code).not.toBe('internal');
    expect(new Set(messages.map(({ nodeId }) => nodeId)).size).toBe(messages.length);
    for (const one of [{ contexts }, ...messages])
      expect(new Set(one.contexts.map(({ contextId }) => contextId)).size).toBe(one.contexts.length);
    const before = messages.length;
    if (chat.view().sessionId !== id) continue;
    const asked = model.requests.length;
    await chat.send('And now?');
    if (chat.view().blocked) continue;
    expect([chat.view().messages.length, model.requests.length], chat.view().notice?.message).toEqual([before + 2, asked + 1]);
  }
  await chat.newChat();
  await chat.send('Once more');
  expect(chat.view().messages.map(({ status }) => status)).toEqual(['done', 'done']);
  await chat.dispose();
  const now = Object.fromEntries(storage.files);
  for (const [path, text] of Object.entries(files)) {
    if (!/^sessions\/(?!index)/.test(path)) continue;
    const read = readSession(text);
    const aside = Object.entries(now).some(([other, copy]) => other.startsWith(`${path}.broken-`) && copy === text);
    if (read.kind === 'broken') expect(now[path] === text || aside, `${path}: ${read.reason}`).toBe(true);
    if (read.kind === 'newer') expect(now[path]).toBe(text);
  }
}

it(`a damaged chat opens or says why not, and others go on: ${COUNT} of them`, async () => {
  const sound = await soundFiles();
  for (let seed = FIRST; seed < FIRST + COUNT; seed++) {
    try {
      await tryOut(sound, seed);
    } catch (error) {
      throw new Error(
        `seed ${seed} (MARGINALIA_DAMAGE_SEED=${seed} MARGINALIA_DAMAGES=1): ${error instanceof Error ? error.stack : error}`,
      );
    }
  }
});
