import { describe, expect, it } from 'vitest';
import { sampleNotes } from '../../chat/testing/open-chat.ts';
import type { ChatView } from '../../chat/view/view.ts';
import type { NotebookRight } from '../../tools/contract/notebook-right.ts';
import { InMemoryNotes } from '../../tools/testing/in-memory-notes.ts';
import { openChatInNotes } from './testing/open-chat-in-notes.ts';

const START = ['# Apollo', 'The launch is planned for May.', 'Risk: the budget is tight.'];

async function answered(replies: Parameters<typeof openChatInNotes>[0]) {
  const notes = sampleNotes();
  const opened = await openChatInNotes({ notes, ...replies });
  const document = notes.store.documents.find(({ title }) => title === 'Apollo')!;
  const texts = (): readonly string[] => document.blocks.map(({ markdown }) => markdown);
  const write = { name: 'insert_blocks', arguments: { anchor: document.id, position: 'append', markdown: 'By the model.' } };
  const allow = (right: NotebookRight): void => {
    for (const notebook of notes.store.notebooks) notebook.right = right;
  };
  return { ...opened, notes, document, texts, write, allow };
}
const last = (view: ChatView) => view.messages.at(-1)!;

describe('an answer at the end of a note', () => {
  it('is written at once where that may be, keeps nothing for the model, and is undone', async () => {
    const { chat, kept, document, texts } = await answered({ replies: ['**Launch** in May.\n\nAsk $VAR_REF{{x}}.'] });
    await chat.send('when?');
    const { nodeId } = last(chat.view());
    const appended = await kept.append(nodeId, { end: document.id });
    expect(texts()).toEqual([...START, '**Launch** in May.', 'Ask $VAR_REF{{x}}.']);
    expect(appended).toMatchObject({ documentId: document.id, blockIds: document.blocks.slice(3).map(({ id }) => id) });
    expect(chat.view()).toMatchObject({ approvals: [] });
    expect(last(chat.view()).undo).toMatchObject({ blocks: 2, undone: false });
    expect(chat.variable(`insert_blocks_${appended!.callId}_args`)).toBeNull();
    await kept.undoAppend(nodeId, appended!.callId);
    expect(texts()).toEqual(START);
    expect(last(chat.view()).undo).toMatchObject({ undone: true });
  });

  it('is undone without what the answer wrote itself; after a new start too', async () => {
    const { document, texts, notes, write } = await answered({});
    const { chat, kept, storage, approval } = await openChatInNotes({ notes, replies: [{ text: 'One moment.', calls: [write] }, 'Said.'] });
    const sending = chat.send('write');
    chat.decide((await approval()).approvalId, { approved: true });
    await sending;
    const { nodeId } = last(chat.view());
    const appended = await kept.append(nodeId, { end: document.id });
    expect(texts()).toEqual([...START, 'By the model.', 'One moment.', 'Said.']);
    const again = await openChatInNotes({ notes, storage, run: 2 });
    expect(last(again.chat.view()).undo).toMatchObject({ blocks: 3, undone: false });
    await again.kept.undoAppend(nodeId, appended!.callId);
    expect(texts()).toEqual([...START, 'By the model.']);
    expect(last(again.chat.view()).undo).toMatchObject({ undone: false });
  });

  it('offers Undo after a new start where only the append wrote', async () => {
    const { chat, kept, document, notes, storage } = await answered({ replies: ['Launch in May.'] });
    await chat.send('when?');
    await kept.append(last(chat.view()).nodeId, { end: document.id });
    const again = await openChatInNotes({ notes, storage, run: 2 });
    expect(last(again.chat.view()).undo).toMatchObject({ blocks: 1, undone: false });
  });

  it('is a command of the user: it needs no right beyond it, and gives the model none', async () => {
    const { chat, kept, document, texts, allow } = await answered({ replies: ['Launch in May.'] });
    allow('read');
    await chat.send('when?');
    expect(await kept.append(last(chat.view()).nodeId, { end: document.id })).not.toBeNull();
    expect(texts()).toEqual([...START, 'Launch in May.']);
    await chat.refresh();
    expect(chat.view().notebooks[0]?.right).toBe('read');
  });

  it('goes below a block too, and is undone as exactly', async () => {
    const { chat, kept, document, texts } = await answered({ replies: ['Launch in May.'] });
    await chat.send('when?');
    const { nodeId } = last(chat.view());
    const placed = await kept.append(nodeId, { below: document.blocks[0]!.id });
    expect(texts()).toEqual([START[0], 'Launch in May.', ...START.slice(1)]);
    await kept.undoAppend(nodeId, placed!.callId);
    expect(texts()).toEqual(START);
  });

  it('becomes a new note, and Undo removes all of it', async () => {
    const { chat, kept, notes } = await answered({ replies: ['Launch in May.'] });
    await chat.send('when?');
    const { nodeId } = last(chat.view());
    const [notebook] = notes.store.notebooks;
    const made = await kept.append(nodeId, { notebook: notebook?.id ?? '', path: '/Answers/Launch' });
    const find = () => notes.store.documents.find(({ title }) => title === 'Launch');
    expect(find()).toMatchObject({ id: made?.documentId, blocks: [{ markdown: 'Launch in May.' }] });
    await kept.undoAppend(nodeId, made?.callId ?? '');
    expect(find()).toBeUndefined();
  });

  it('asks before text of other notebooks goes along, into a new note and into one that is there', async () => {
    const notes = new InMemoryNotes({
      notebooks: [
        { name: 'Work', documents: { '/Apollo': 'The launch is planned for May.' } },
        { name: 'Life', documents: { '/Days': 'Morning walk.' } },
      ],
    });
    const [work, life] = notes.store.notebooks;
    const days = notes.store.documents.find(({ title }) => title === 'Days')!;
    const read = { name: 'search_notes', arguments: { query: 'launch' } };
    const { chat, kept } = await openChatInNotes({ notes, replies: ['Hello.', { calls: [read] }, 'In May.', 'As I said, in May.'] });
    await chat.send('hello');
    const early = last(chat.view()).nodeId;
    await chat.send('when?');
    const answer = last(chat.view()).nodeId;
    await chat.send('sure?');
    const later = last(chat.view()).nodeId;
    const asked: string[] = [];
    const saying = (name: string, yes: boolean) => async () => {
      asked.push(name);
      return yes;
    };
    expect(await kept.append(answer, { notebook: life!.id, path: '/May' }, saying('new', false))).toBeNull();
    expect(await kept.append(later, { end: days.id }, saying('end', false))).toBeNull();
    expect(await kept.append(later, { below: days.blocks[0]!.id })).toBeNull();
    expect(chat.view()).not.toHaveProperty('notice');
    expect(notes.writes).toBe(0);
    expect(await kept.append(later, { end: days.id }, saying('yes', true))).toMatchObject({ documentId: days.id });
    expect(asked).toEqual(['new', 'end', 'yes']);
    expect(await kept.append(early, { end: days.id }, saying('early', false))).not.toBeNull();
    expect(await kept.append(answer, { notebook: work!.id, path: '/May' }, saying('home', false))).not.toBeNull();
    expect(asked).toEqual(['new', 'end', 'yes']);
    expect(chat.view().approvals).toEqual([]);
  });

  it('says why it could not be written', async () => {
    const { chat, kept, document, allow } = await answered({ replies: ['Launch in May.'] });
    await chat.send('when?');
    allow('none');
    expect(await kept.append(last(chat.view()).nodeId, { end: document.id })).toBeNull();
    expect(chat.view().notice?.code).toBe('not_found');
  });
});
