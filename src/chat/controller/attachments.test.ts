import { describe, expect, it } from 'vitest';
import type { ScriptedReply } from '../../model/testing/scripted-model.ts';
import type { CompletionRequest, UserMessage } from '../../tools/contract/messages.ts';
import { withContext, withFile } from '../session/contexts.ts';
import { DraftStore } from '../store/draft-store.ts';
import { createMemoryStorage } from '../store/storage-port.ts';
import { createMemoryAssets } from '../testing/memory-assets.ts';
import { openChat } from '../testing/open-chat.ts';

const picture = (name = 'map.png', size = 3) => ({ kind: 'image' as const, name, mime: 'image/png', bytes: new Uint8Array(size).fill(1) });
const text = {
  kind: 'text' as const,
  name: 'plan.md',
  mime: 'text/markdown',
  bytes: new Uint8Array(4),
  text: 'Launch in May </attached-note>',
};
const questions = (request: CompletionRequest | undefined): readonly UserMessage[] =>
  request?.messages.filter((message) => message.role === 'user') ?? [];

async function withAssets(replies: readonly ScriptedReply[]) {
  const assets = createMemoryAssets();
  const storage = createMemoryStorage();
  return { assets, ...(await openChat({ replies, storage, deps: { assets } })) };
}

describe('files that are attached', () => {
  it('go along with the question: a picture as its bytes, a text in its frame; the chat keeps paths alone', async () => {
    const { chat, model, assets, storage } = await withAssets(['A map.']);
    await chat.attach(picture());
    await chat.attach(text);
    expect(chat.view().attachments.map(({ name, size, asset }) => [name, size, asset])).toEqual([
      ['map.png', 3, 'assets/1-map.png'],
      ['plan.md', 4, 'assets/2-plan.md'],
    ]);
    await chat.send('What is this?');
    const [question] = questions(model.requests[0]);
    expect(question?.images).toEqual([{ name: 'map.png', mime: 'image/png', url: 'data:image/png;base64,AQEB' }]);
    expect(question?.content.match(/<\/attached-note>/g)).toHaveLength(2);
    expect(question?.content).toContain(
      '<attached-note kind="picture" title="map.png" link="![map.png](assets/1-map.png)"></attached-note>',
    );
    expect(question?.content).toMatch(
      /<attached-note kind="file" title="plan.md" link="\[plan.md\]\(assets\/2-plan.md\)">\nLaunch in May .*\n\nWhat is this\?$/s,
    );
    expect(chat.view().attachments).toEqual([]);
    expect(chat.view().messages[0]?.attachments.map(({ name }) => name)).toEqual(['map.png', 'plan.md']);
    expect(JSON.stringify(await storage.read(`sessions/${chat.view().sessionId}.json`))).toContain('assets/1-map.png');
    expect(JSON.stringify(await storage.read(`sessions/${chat.view().sessionId}.json`))).not.toContain('base64');
    expect(assets.reads).toEqual(['assets/1-map.png']);
  });

  it('of earlier questions go along again, and one that is gone is named instead', async () => {
    const { chat, model, assets } = await withAssets(['A map.', 'Blue.', 'Gone.']);
    await chat.attach(picture());
    await chat.send('What is this?');
    await chat.send('Its colour?');
    expect(questions(model.requests[1])[0]?.images).toHaveLength(1);
    assets.files.clear();
    await chat.send('And now?');
    const [first] = questions(model.requests[2]);
    expect(first?.images).toBeUndefined();
    expect(first?.content).toContain('[picture "map.png" is not sent: it is no longer in the workspace]');
  });

  it('are read once in a turn, however many requests it makes', async () => {
    const { chat, model, assets } = await withAssets([{ calls: [{ name: 'search_notes', arguments: { query: 'map' } }] }, 'Yes.']);
    await chat.attach(picture());
    await chat.send('Is it there?');
    expect(model.requests.map((request) => questions(request)[0]?.images?.length)).toEqual([1, 1]);
    expect(assets.reads).toHaveLength(1);
  });

  it('the newest pictures first, as long as they fit into a request', async () => {
    const { chat, model } = await withAssets(['One.', 'Two.']);
    await chat.attach(picture('old.png', 7_000_000));
    await chat.send('Old?');
    await chat.attach(picture('new.png', 7_000_000));
    await chat.send('New?');
    const [old, fresh] = questions(model.requests[1]);
    expect(old?.images).toBeUndefined();
    expect(old?.content).toContain('[picture "old.png" is not sent: there are too many in this chat]');
    expect(fresh?.images?.map(({ name }) => name)).toEqual(['new.png']);
  });

  it('alone are a question, of which the chat has its title; edited, it keeps them', async () => {
    const { chat, model } = await withAssets(['A map.', 'Yes.']);
    await chat.attach(picture());
    await chat.send('');
    expect(chat.view().title).toBe('map.png');
    await chat.messages.edit(chat.view().messages[0]?.nodeId ?? '', 'Is it a map?');
    expect(questions(model.requests[1]).map(({ content, images }) => [content.split('\n').at(-1), images?.length])).toEqual([
      ['Is it a map?', 1],
    ]);
  });

  it('are taken away again, and stay with their chat when another is opened', async () => {
    const { chat } = await withAssets(['Yes.']);
    await chat.send('One?');
    const first = chat.view().sessionId;
    await chat.attach(picture());
    chat.addContext({ kind: 'document', id: '20200101000000-abcdefg', title: 'Apollo', text: 'May' });
    await chat.newChat();
    expect(chat.view()).toMatchObject({ attachments: [], contexts: [] });
    await chat.openChat(first);
    expect(chat.view().contexts.map(({ title }) => title)).toEqual(['Apollo']);
    chat.removeAttachment(chat.view().attachments[0]?.id ?? '');
    expect(chat.view().attachments).toEqual([]);
  });

  it('land in the chat in which they were attached, however long they take to be read and saved', async () => {
    const saving: (() => void)[] = [];
    const assets = createMemoryAssets();
    const slow: typeof assets.save = async (...file) => {
      await new Promise<void>((resolve) => saving.push(resolve));
      return assets.save(...file);
    };
    const { chat } = await openChat({
      replies: ['Yes.'],
      deps: { assets: { ...assets, read: (path, signal) => assets.read(path, signal), save: slow } },
    });
    await chat.send('One?');
    const first = chat.view().sessionId;
    const { addContext } = chat.composer();
    const attached = chat.attach(picture());
    const leaving = chat.newChat();
    saving[0]?.();
    await Promise.all([attached, leaving]);
    addContext({ kind: 'document', id: '20200101000000-abcdefg', title: 'Apollo', text: 'May' });
    expect(chat.view()).toMatchObject({ attachments: [], contexts: [] });
    await chat.openChat(first);
    expect([chat.view().contexts.map(({ title }) => title), chat.view().attachments.map(({ name }) => name)]).toEqual([
      ['Apollo'],
      ['map.png'],
    ]);
    // A chat that gets its first question meanwhile is the same chat.
    await chat.newChat();
    const to = chat.composer();
    await chat.send('Two?');
    to.addContext({ kind: 'document', id: '20200101000000-abcdefg', title: 'Gemini', text: 'June' });
    expect(chat.view().contexts.map(({ title }) => title)).toEqual(['Gemini']);
  });

  it('and words stay in a chat that has nothing yet when a new one is asked for: it is one', async () => {
    const { chat } = await withAssets([]);
    await chat.attach(picture());
    chat.typed.keepDraft('Half a question');
    await chat.newChat();
    expect([chat.typed.draft, chat.view().attachments.map(({ name }) => name)]).toEqual(['Half a question', ['map.png']]);
  });

  it('are refused with a reason where they cannot be kept', async () => {
    const { chat } = await openChat();
    await expect(chat.attach(picture())).rejects.toMatchObject({ code: 'internal' });
    expect(chat.view().attachments).toEqual([]);
  });
});

describe('what is attached to a draft', () => {
  const file = { id: 'a', kind: 'image' as const, name: 'map.png', mime: 'image/png', size: 1, asset: 'assets/map.png' };
  const context = { kind: 'document' as const, id: '20200101000000-abcdefg', title: 'Apollo', text: 'May' };

  function page(room = Number.POSITIVE_INFINITY) {
    const kept = new Map<string, string>();
    const set = (key: string, value: string): void => {
      if (value.length > room) throw new Error('quota');
      kept.set(key, value);
    };
    const notes = {
      keys: () => [...kept.keys()],
      get: (key: string) => kept.get(key) ?? null,
      set,
      remove: (key: string) => void kept.delete(key),
    };
    return (writer: string) => new DraftStore({ notes, prefix: 'p:', writer });
  }
  const alone = (id: string) => ({ id, others: async () => new Set<string>() }) as never;

  it('is there again after the page was closed', async () => {
    const open = page();
    const before = open('one');
    before.keepDraft('About ');
    before.attachTo('', '', (attached) => withFile(withContext(attached, context), file));
    const after = open('two');
    await after.adoptDrafts(alone('two'));
    expect(after.draft).toBe('About ');
    expect(after.attached.attachments).toEqual([file]);
    expect(after.attached.contexts.map(({ title }) => title)).toEqual(['Apollo']);
    // Nobody gets it twice.
    const third = open('three');
    await third.adoptDrafts(alone('three'));
    expect(third.attached.attachments).toEqual([file]);
  });

  it('is kept where nothing was typed beside it, and so are the drafts of other chats', async () => {
    const open = page();
    const before = open('one');
    before.keepDraft('Half a question');
    before.leave('another');
    before.keepAttached({ contexts: [], attachments: [file] });
    // A page that takes it over and is closed at once, then another one.
    for (const writer of ['two', 'three']) {
      const after = open(writer);
      await after.adoptDrafts(alone(writer));
      expect(after.attached.attachments).toEqual([file]);
      if (writer === 'three') after.enter('another');
      expect(after.draft).toBe(writer === 'three' ? 'Half a question' : '');
    }
  });

  it('gives way to the words where the browser has no room for both', async () => {
    const open = page(200);
    const before = open('one');
    before.keepDraft('Words');
    before.keepAttached({ contexts: [], attachments: [{ ...file, kind: 'text', text: 'x'.repeat(500) }] });
    const after = open('two');
    await after.adoptDrafts(alone('two'));
    expect(after.draft).toBe('Words');
    expect(after.attached.attachments).toEqual([]);
  });
});

describe('what is open in the editor when a question is sent', () => {
  const open = (id: string) => ({ kind: 'open' as const, id, title: `Note ${id}`, text: 'It is open.', sources: [{ document: id }] });
  const frame = (id: string): string => `<attached-note kind="open" id="${id}" title="Note ${id}">\nIt is open.\n</attached-note>`;

  it('is named in the question, never in the system prompt, and counts as no note that was read', async () => {
    const { chat, model } = await openChat({ replies: ['See ((20260101120000-aaaaaaa "it")).', 'Yes.'] });
    await chat.send('Sum it up', Promise.resolve([open('20260101120000-aaaaaaa')]));
    const [question] = questions(model.requests[0]);
    expect(question?.content).toBe(`${frame('20260101120000-aaaaaaa')}\n\nSum it up`);
    expect(model.requests[0]?.messages[0]?.content).not.toContain('20260101120000-aaaaaaa');
    expect(chat.view().messages[1]?.citations).toEqual([]);
    await chat.send('And this?', Promise.resolve([open('b')]));
    // The same bytes as before, for the provider's cache.
    expect(questions(model.requests[1]).map(({ content }) => content)).toEqual([question?.content, `${frame('b')}\n\nAnd this?`]);
  });

  it('is one note, also where questions wait', () => {
    const attached = [open('a'), open('b')].reduce(withContext, { contexts: [], attachments: [] });
    expect(attached.contexts.map(({ id }) => id)).toEqual(['b']);
  });

  it('that cannot be read any more leaves the words in the composer', async () => {
    const { chat, model } = await openChat({ replies: [] });
    await expect(chat.send('Explain this', Promise.reject(new Error('guarded')))).rejects.toThrow('guarded');
    expect([chat.typed.draft, model.requests, chat.view().messages]).toEqual(['Explain this', [], []]);
  });
});
