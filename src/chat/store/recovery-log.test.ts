import { describe, expect, it } from 'vitest';
import { createGate } from '../../model/testing/scripted-model.ts';
import type { OwnedChatController } from '../controller/controller-deps.ts';
import { deviceNotes, type EndingStorage, endingStorage } from '../testing/failing-page.ts';
import { listed, openChat } from '../testing/open-chat.ts';
import { session } from '../testing/samples.ts';
import { Windows } from '../testing/windows.ts';
import { createMemoryStorage, type MemoryStorage } from './storage-port.ts';
import { createChatStore } from './store.ts';
import type { ChatStore } from './store-port.ts';
import type { KeyValueStore } from './window-registry.ts';

/** One device: its files, its notes and its windows. */
class Device {
  readonly storage: MemoryStorage = createMemoryStorage();
  readonly windows = new Windows();
  readonly notes: ReturnType<typeof deviceNotes>;
  private count = 0;

  constructor(room?: number) {
    this.notes = deviceNotes(room);
  }

  store(name: string, run: number, storage: EndingStorage = endingStorage(this.storage), notes: KeyValueStore = this.notes): ChatStore {
    let time = run * 1e12;
    const unsaved = { notes, prefix: 'unsaved:' };
    return createChatStore({ storage, device: 'dev', now: () => ++time, unsaved, ...this.windows.open(name) });
  }

  /** A new page, with what the last one left. */
  async page(replies: Parameters<typeof openChat>[0] = {}) {
    const run = ++this.count;
    const storage = endingStorage(this.storage);
    const name = `dev_w${run}`;
    const opened = await openChat({ run, deps: { store: this.store(name, run + 1, storage) }, ...replies });
    return { ...opened, ending: storage, close: () => this.windows.close(name) };
  }
}

type Page = Awaited<ReturnType<Device['page']>>;
interface Action {
  readonly does: (chat: OwnedChatController) => Promise<unknown>;
  readonly shows: (page: Page) => Promise<unknown>;
  readonly as: unknown;
}

const shown = (chat: OwnedChatController) => chat.view().messages;
const idOf = async (chat: OwnedChatController, title: string): Promise<string> =>
  (await listed(chat)).find((summary) => summary.title === title)?.id ?? '';
const nodeOf = (chat: OwnedChatController, index: number): string => shown(chat)[index]?.nodeId ?? '';
const titles = async ({ chat }: Page): Promise<readonly string[]> => (await listed(chat)).map(({ title }) => title).sort();

/** What a user does to an open chat of two turns ("q1" in two versions) beside the chats "other" and, in the trash, "thrown". */
const ACTIONS: Readonly<Record<string, Action>> = {
  hide: {
    does: (chat) => chat.messages.setHidden(nodeOf(chat, 1), true),
    shows: async ({ chat }) => shown(chat).map((message) => message.hidden === true),
    as: [false, true, false, false],
  },
  pin: {
    does: (chat) => chat.messages.setPinned(nodeOf(chat, 0), true),
    shows: async ({ chat }) => shown(chat).map((message) => message.pinned === true),
    as: [true, false, false, false],
  },
  'delete a message': {
    does: (chat) => chat.messages.remove(nodeOf(chat, 3)),
    shows: async ({ chat }) => shown(chat).length,
    as: 3,
  },
  'show another version': {
    does: (chat) => chat.messages.showVersion(nodeOf(chat, 3), 1),
    shows: async ({ chat }) => shown(chat)[3]?.position?.version,
    as: 1,
  },
  'show another branch': {
    does: (chat) => chat.messages.continueFrom(nodeOf(chat, 1)),
    shows: async ({ chat }) => shown(chat).length,
    as: 2,
  },
  'forget what is above': {
    does: (chat) => chat.messages.separate(),
    shows: async ({ chat }) => shown(chat).at(-1)?.role,
    as: 'separator',
  },
  'rename the open chat': {
    does: (chat) => chat.library.rename(chat.view().sessionId, 'Renamed'),
    shows: async ({ chat }) => chat.view().title,
    as: 'Renamed',
  },
  'rename another': {
    does: async (chat) => chat.library.rename('other', 'Renamed'),
    shows: titles,
    as: ['Renamed', 'q1'],
  },
  'tag and pin another': {
    does: async (chat) => Promise.all([chat.library.setTags('other', ['garden']), chat.library.setPinned('other', true)]),
    shows: async ({ chat }) => (await listed(chat)).find(({ id }) => id === 'other'),
    as: expect.objectContaining({ tags: ['garden'], pinned: true }),
  },
  'delete another': { does: (chat) => chat.library.remove('other'), shows: titles, as: ['q1'] },
  'delete the open one': { does: (chat) => chat.library.remove(chat.view().sessionId), shows: titles, as: ['other'] },
  'bring one back': { does: (chat) => chat.library.restore('thrown'), shows: titles, as: ['other', 'q1', 'thrown'] },
  send: {
    does: (chat) => chat.send('q3'),
    shows: async ({ chat }) => shown(chat).map(({ segments }) => segments.flatMap((one) => (one.kind === 'text' ? [one.text] : []))[0])[4],
    as: 'q3',
  },
};

async function prepared(): Promise<{ readonly device: Device; readonly page: Page }> {
  const device = new Device();
  const store = device.store('dev_before', 1.7);
  await store.save(session('other', { title: 'other' }));
  await store.save(session('thrown', { title: 'thrown' }));
  await store.remove('thrown');
  device.windows.close('dev_before');
  const page = await device.page({ replies: ['a1', 'a2', 'a2 again', 'a3'] });
  await page.chat.newChat();
  await page.chat.send('q1');
  await page.chat.send('q2');
  await page.chat.rerun(nodeOf(page.chat, 3));
  return { device, page };
}

/** Does it, closes the page at that request (or when it is done), and opens another one; false: it was done before that. */
async function cutOff(action: Action, requests: number): Promise<boolean> {
  const { device, page } = await prepared();
  expect(device.notes.all.size).toBe(0);
  page.ending.endAfter(requests);
  const done = action.does(page.chat).then(() => true);
  const inTime = await Promise.race([done, page.ending.ended.then(() => false)]);
  page.close();
  const next = await device.page();
  expect(await action.shows(next), `cut off after ${requests} requests`).toEqual(action.as);
  expect([...device.notes.all.keys()]).toEqual([]);
  return !inTime;
}

describe('a page that is closed in the middle of a change', () => {
  it.each(Object.keys(ACTIONS))('loses nothing at any request: %s', async (name) => {
    const action = ACTIONS[name];
    if (!action) throw new Error(name);
    let requests = 0;
    while (await cutOff(action, requests)) requests++;
    expect(requests).toBeGreaterThan(2);
  });

  it('keeps an answer that was finished and not saved', async () => {
    const { device, page } = await prepared();
    const gate = createGate();
    const next = await device.page({ replies: [{ text: 'all of it', gateEnd: gate }] });
    page.close();
    await next.chat.openChat(await idOf(next.chat, 'q1'));
    void next.chat.send('q3');
    await gate.reached;
    next.ending.endAfter(0);
    gate.open();
    await next.ending.ended;
    await next.until(({ running }) => !running);
    next.close();
    const after = await device.page();
    expect(shown(after.chat).at(-1)).toMatchObject({ status: 'done', segments: [{ kind: 'text', text: 'all of it' }] });
  });
});

describe('a page that is closed in the middle of an answer', () => {
  const write = { name: 'daily_note', arguments: { op: 'append', markdown: 'Launch in May.' }, id: 'call-write' };

  /** An answer that asks to write, and goes on in words that end when the gate opens. */
  async function askedToWrite() {
    const device = new Device();
    const gate = createGate();
    const page = await device.page({
      replies: [
        { text: 'I add it.', calls: [write] },
        { text: 'It is', gateEnd: gate },
      ],
    });
    void page.chat.send('add it');
    const { approvalId } = await page.approval();
    return { device, gate, page, approvalId };
  }

  it('knows of a round that the journal does not have yet, so that nothing is done twice', async () => {
    const { device, gate, page, approvalId } = await askedToWrite();
    page.ending.endAfter(0);
    page.chat.decide(approvalId, { approved: true });
    await gate.reached;
    page.close();
    const next = await device.page({ notes: page.notes, replies: ['It is there.'] });
    const [, answer] = shown(next.chat);
    expect(answer).toMatchObject({ status: 'interrupted', error: { code: 'interrupted' } });
    expect(answer?.segments).toMatchObject([{ text: 'I add it.' }, { call: { status: 'success' } }]);
    await next.chat.rerun(nodeOf(next.chat, 1));
    expect(JSON.stringify(next.model.requests.at(-1)?.messages)).toMatch(/do not make them again/);
    expect(next.notes.writes).toBe(1);
  });

  it('keeps a consent that was given or taken back while it ran', async () => {
    const { device, gate, page, approvalId } = await askedToWrite();
    page.chat.decide(approvalId, { approved: true, remember: true });
    await gate.reached;
    const given = page.chat.view().allowances;
    expect(given).toHaveLength(1);
    page.close();
    const next = await device.page();
    expect(next.chat.view().allowances).toEqual(given);
  });
});

describe('words that no chat has yet', () => {
  it('stand in the composer of the next page: what was on its way, what waited and what was being typed', async () => {
    const device = new Device();
    const gate = createGate();
    const page = await device.page({ replies: [{ text: 'half', gateEnd: gate }] });
    void page.chat.send('q1');
    await gate.reached;
    page.chat.typed.keepDraft('half a qu');
    await page.chat.send('q2');
    await page.chat.send('q3');
    expect(page.chat.view().queued).toBe('q2\n\nq3');
    // A chat is being opened when it is sent: the words wait for that.
    page.ending.endAfter(0);
    void page.chat.openChat('other');
    void page.chat.send('q4');
    page.close();
    const next = await device.page();
    // What waited is in the composer, before what was typed there, as soon as its chat is left.
    expect(next.chat.typed.draft).toBe('q2\n\nq3\n\nhalf a qu\n\nq4');
    next.chat.typed.keepDraft('');
    expect(device.notes.all.size).toBe(0);
  });

  it('are not kept longer than that, and not taken from a window that is open', async () => {
    const device = new Device();
    const page = await device.page({ replies: ['a1'] });
    page.chat.typed.keepDraft('q1');
    page.chat.typed.keepDraft('');
    await page.chat.send('q1');
    expect(device.notes.all.size).toBe(0);
    page.chat.typed.keepDraft('half a qu');
    expect((await device.page()).chat.typed.draft).toBe('');
    page.close();
    device.notes.set('unsaved:dev_x:typed', '{oops');
    expect((await device.page()).chat.typed.draft).toBe('half a qu');
    expect([...device.notes.all.values()].join()).not.toContain('oops');
  });
});

describe('what is noted', () => {
  it('is not taken from a window that is open, which saves it itself', async () => {
    const { device, page } = await prepared();
    page.ending.endAfter(0);
    void page.chat.messages.setHidden(nodeOf(page.chat, 1), true);
    void page.chat.library.remove('other');
    const beside = await device.page();
    expect(shown(beside.chat)[1]?.hidden).toBeUndefined();
    expect(await titles(beside)).toEqual(['other', 'q1']);
    expect(device.notes.all.size).toBe(2);
  });

  it('is read by the same window too, when it opens a chat anew before its save is done', async () => {
    const { page } = await prepared();
    const id = page.chat.view().sessionId;
    void page.chat.messages.setHidden(nodeOf(page.chat, 1), true);
    await page.chat.openChat(id);
    expect(shown(page.chat)[1]?.hidden).toBe(true);
  });

  it('is small: no message that the file has', async () => {
    const { device, page } = await prepared();
    page.ending.endAfter(0);
    void page.chat.messages.setHidden(nodeOf(page.chat, 1), true);
    const [note = ''] = device.notes.all.values();
    expect(note).toContain('"hidden":true');
    expect(note).not.toMatch(/"content"/);
  });

  it('does no harm where there is no room, or where a note cannot be read', async () => {
    const device = new Device(10);
    const store = device.store('dev_one', 1);
    await store.save(session('s1'));
    expect(device.notes.all.size).toBe(0);
    for (const kind of ['changes', 'turn', 'intent']) device.notes.set(`unsaved:dev_x:s1:${kind}`, '{oops');
    device.notes.set('unsaved:odd', '');
    const next = device.store('dev_two', 2);
    expect(await next.interrupted()).toEqual(['s1']);
    expect(await next.load('s1')).toMatchObject({ recovered: false, session: { id: 's1' } });
  });

  it('stands on nothing where a sync put an older file in the place of its chat', async () => {
    const { device, page } = await prepared();
    const id = page.chat.view().sessionId;
    const path = `sessions/${id}.json`;
    page.ending.endAfter(0);
    void page.chat.messages.setHidden(nodeOf(page.chat, 3), true);
    page.close();
    const file = JSON.parse(device.storage.files.get(path) ?? '');
    const [q1 = '', a1 = ''] = shown(page.chat).map((message) => message.nodeId);
    await device.storage.write(path, JSON.stringify({ ...file, nodes: { [q1]: file.nodes[q1], [a1]: file.nodes[a1] }, leafId: a1 }));
    const next = await device.page();
    await next.chat.openChat(id);
    expect(shown(next.chat).map((message) => message.nodeId)).toEqual([q1, a1]);
  });
});
