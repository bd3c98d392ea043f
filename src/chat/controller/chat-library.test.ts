import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../store/storage-port.ts';
import { listed, openChat } from '../testing/open-chat.ts';

const items = async <T>(listing: Promise<{ kind: 'ok'; items: readonly T[] } | { kind: 'failed' }>): Promise<readonly T[]> => {
  const found = await listing;
  return found.kind === 'ok' ? found.items : [];
};

async function twoChats() {
  const storage = createMemoryStorage();
  const opened = await openChat({ storage, replies: ['Soil is alive.', 'Heat stays at night.'] });
  await opened.chat.send('About soil');
  const soil = opened.chat.view().sessionId;
  await opened.chat.newChat();
  await opened.chat.send('About heat');
  return { ...opened, storage, soil, heat: opened.chat.view().sessionId };
}

describe('the library of chats', () => {
  it('finds in titles while one types, and in full text with the place', async () => {
    const { chat, soil } = await twoChats();
    const all = await items(chat.library.list());
    expect(chat.library.byTitle(all, 'soi').map((one) => one.id)).toEqual([soil]);
    const [match] = await items(chat.library.search('alive'));
    expect(match).toMatchObject({ summary: { id: soil }, snippet: { before: 'Soil is ', match: 'alive' } });
    const { updated } = match!.summary;
    await chat.openChat(soil);
    await chat.messages.reveal(match!.nodeId!);
    // A chat that is only viewed is not saved as if it had just been written.
    expect((await items(chat.library.list())).find(({ id }) => id === soil)?.updated).toBe(updated);
    expect(chat.view().messages.at(-1)?.nodeId).toBe(match?.nodeId);
  });

  it('tags, pins, archives and renames the open chat and any other', async () => {
    const { chat, soil, heat } = await twoChats();
    await chat.library.setTags(soil, [' garden ', 'garden', '']);
    await chat.library.setPinned(soil, true);
    await chat.library.setTags(heat, ['house']);
    await chat.library.setArchived(heat, true);
    await chat.library.rename(heat, ' Warm ');
    await chat.library.rename(heat, '  ');
    expect(chat.view()).toMatchObject({ title: 'Warm', tags: ['house'] });
    expect(await items(chat.library.list())).toMatchObject([
      { id: soil, pinned: true, tags: ['garden'] },
      { id: heat, title: 'Warm', archived: true, tags: ['house'] },
    ]);
  });

  it('an archived chat is not the one that opens at start', async () => {
    const { chat, storage, soil, heat } = await twoChats();
    await chat.library.setArchived(heat, true);
    expect((await openChat({ storage, run: 2 })).chat.view().sessionId).toBe(soil);
  });

  it('a deleted chat can be brought back; the open one is left first', async () => {
    const { chat, heat } = await twoChats();
    await chat.library.remove(heat);
    expect(chat.view().messages).toEqual([]);
    expect(await items(chat.library.trashed())).toMatchObject([{ id: heat, title: 'About heat' }]);
    await chat.library.restore(heat);
    await chat.openChat(heat);
    expect(chat.view().messages).toHaveLength(2);
    await chat.library.restore(heat);
    expect(chat.view().notice?.code).toBe('chat_missing');
  });

  it('says whether a chat was deleted, brought back or deleted for good', async () => {
    const memory = createMemoryStorage();
    let full = false;
    const refuse = async (): Promise<void> => {
      if (full) throw new Error('disk full');
    };
    const { chat } = await openChat({
      storage: {
        ...memory,
        write: (path, text) => refuse().then(() => memory.write(path, text)),
        remove: (path) => refuse().then(() => memory.remove(path)),
      },
      replies: ['one', 'two'],
    });
    await chat.send('first');
    const id = chat.view().sessionId;
    await chat.newChat();
    const { library } = chat;
    full = true;
    expect(await library.remove(id)).toBe(false);
    expect(chat.view().notice).toMatchObject({ code: 'storage_failed', message: 'disk full' });
    full = false;
    expect(await library.remove(id)).toBe(true);
    full = true;
    expect([await library.restore(id), await library.discard(id)]).toEqual([false, false]);
    expect(await items(library.trashed())).toMatchObject([{ id }]);
    full = false;
    expect([await library.restore(id), await library.restore(id)]).toEqual([true, false]);
    expect([await library.remove(id), await library.discard(id)]).toEqual([true, true]);
  });

  it('one that is deleted for good takes what its Undo knows along; one that is not deleted keeps it', async () => {
    const { storage, soil, heat } = await twoChats();
    const forgotten: string[] = [];
    const forget = async (id: string): Promise<void> => void forgotten.push(id);
    const { chat } = await openChat({ storage, run: 2, deps: { writes: { forget, stay: async (id) => id === soil } } });
    expect([await chat.library.wrote(soil), await chat.library.wrote(heat)]).toEqual([true, false]);
    await chat.library.remove(soil);
    await chat.library.discard(soil);
    await chat.library.discard(heat);
    expect(forgotten).toEqual([soil]);
    expect(await items(chat.library.trashed())).toEqual([]);
    expect((await items(chat.library.list())).map(({ id }) => id)).toEqual([heat]);
  });

  it('goes out and comes in: JSON whole, Markdown to read', async () => {
    const { chat, soil, heat } = await twoChats();
    const text = (await chat.library.exportJson([soil, heat]))!;
    const elsewhere = (await openChat({ run: 2 })).chat;
    const read: number[] = [];
    const stop = new AbortController();
    const onRead = (count: number): void => {
      read.push(count);
      stop.abort();
    };
    expect(await chat.library.exportJson([soil, heat], { signal: stop.signal, onRead })).toBeNull();
    expect([read, chat.view().notice]).toEqual([[1], undefined]);
    expect(await elsewhere.library.importJson(text)).toEqual([soil, heat]);
    await elsewhere.openChat(heat);
    expect(elsewhere.view().messages).toEqual(chat.view().messages);
    expect(await elsewhere.library.importJson(text)).toEqual([]);
    expect(await listed(elsewhere)).toHaveLength(2);
    expect(elsewhere.view().messages).toEqual(chat.view().messages);
    await elsewhere.library.remove(soil);
    expect(await elsewhere.library.importJson(text)).toEqual([soil]);
    expect(await listed(elsewhere)).toHaveLength(2);
    expect(await elsewhere.library.importJson('{}')).toBeNull();
    expect(elsewhere.view().notice?.code).toBe('import_unreadable');
    const words = { user: 'You', assistant: 'It', attached: '', summary: 'Summary', branch: '' };
    expect(await chat.library.exportMarkdown(soil, { branches: 'shown', words, formatTime: () => 'now' })).toContain(
      '## You · now\n\nAbout soil',
    );
    expect(await chat.library.exportJson(['gone'])).toBeNull();
    expect(chat.view().notice?.code).toBe('chat_missing');
  });

  it('a chat whose file is damaged is named apart from the others, until it is deleted', async () => {
    const { chat, storage, soil, heat } = await twoChats();
    expect(await chat.library.list()).toMatchObject({ items: [{ id: heat }, { id: soil }], unreadable: [] });
    const file = storage.files.get(`sessions/${soil}.json`) ?? '';
    await storage.write(`sessions/${soil}.json`, file.slice(0, -40));
    expect(await chat.library.list()).toMatchObject({ items: [{ id: heat }], unreadable: [{ id: soil, title: 'About soil' }] });
    await chat.library.remove(soil);
    expect(await chat.library.list()).toMatchObject({ items: [{ id: heat }], unreadable: [] });
    expect(await items(chat.library.trashed())).toMatchObject([{ id: soil, title: 'About soil' }]);
  });

  it('a storage that does not answer is told apart from one without chats', async () => {
    const storage = createMemoryStorage();
    let down = false;
    const flaky = { ...storage, modified: (dir: string) => (down ? Promise.reject(new Error('offline')) : storage.modified!(dir)) };
    const { chat } = await openChat({ storage: flaky });
    expect(await chat.library.list()).toEqual({ kind: 'ok', items: [], unread: 0, unreadable: [] });
    down = true;
    expect(await chat.library.list()).toMatchObject({ kind: 'failed', error: { code: 'storage_failed', message: 'offline' } });
  });
});
