import { describe, expect, it } from 'vitest';
import { createGate } from '../../model/testing/scripted-model.ts';
import { createMemoryStorage, type MemoryStorage } from '../store/storage-port.ts';
import { openChat } from '../testing/open-chat.ts';
import type { ChatView } from '../view/view.ts';

const search = { name: 'search_notes', arguments: { query: 'launch' }, id: 'call-search' };
const write = { name: 'daily_note', arguments: { op: 'append', markdown: 'Launch in May.' }, id: 'call-write' };
const copy = (storage: MemoryStorage): MemoryStorage => createMemoryStorage(Object.fromEntries(storage.files));
const calls = (view: ChatView) =>
  view.messages.flatMap(({ segments }) => segments.flatMap((one) => (one.kind === 'call' ? [one.call] : [])));
const sent = (opened: Awaited<ReturnType<typeof openChat>>): string => JSON.stringify(opened.model.requests.at(-1)?.messages);
const journal = (storage: MemoryStorage): readonly string[] => [...storage.files.keys()].filter((path) => path.startsWith('journal/'));

describe('killed in the middle of a round', () => {
  it('calls that were done stand as they are, one that waited says that it was cut off, and the model is told', async () => {
    const storage = createMemoryStorage();
    const first = await openChat({ storage, replies: [{ text: 'Looking.', calls: [search, write] }] });
    void first.chat.send('when?');
    await first.approval();
    await first.until((view) => calls(view)[0]?.status === 'success');
    await expect.poll(() => journal(storage).length).toBe(2);
    const again = await openChat({ storage: copy(storage), notes: first.notes, run: 2, replies: ['Shall I?'] });
    expect(calls(again.chat.view())).toMatchObject([{ status: 'success', preview: expect.any(String) }, { status: 'interrupted' }]);
    expect(again.chat.variable('search_notes_call-search_result')).toContain('planned for May');
    await again.chat.send('go on');
    expect(sent(again)).toMatch(/daily_note.*interrupted.*while this call waited for the user. Nothing was written/);
  });

  it('where the change still waited for the user, Retry asks anew: nothing says that it was made', async () => {
    const storage = createMemoryStorage();
    const first = await openChat({ storage, replies: [{ text: 'I add it.', calls: [write] }] });
    void first.chat.send('add it');
    await first.approval();
    await expect.poll(() => journal(storage).length).toBe(2);
    const again = await openChat({ storage: copy(storage), notes: first.notes, run: 2, replies: ['Anew.'] });
    await again.chat.rerun(again.chat.view().messages[1]!.nodeId);
    expect(again.model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('after a change was made: the model is told that it stands, and Retry goes on', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const first = await openChat({
      storage,
      replies: [
        { text: 'I add it.', calls: [write] },
        { text: 'It is', gateEnd: gate },
      ],
    });
    const sending = first.chat.send('add it');
    first.chat.decide((await first.approval()).approvalId, { approved: true });
    await gate.reached;
    const again = await openChat({ storage: copy(storage), notes: first.notes, run: 2, replies: ['It is there.', 'Now once more.'] });
    const { nodeId } = again.chat.view().messages[1]!;
    await again.chat.rerun(nodeId);
    expect(sent(again)).toMatch(/do not make them again/);
    expect(again.chat.view().messages[1]).toMatchObject({ status: 'done', position: { versions: 2 }, undo: { undone: false } });
    expect(again.notes.writes).toBe(1);
    gate.open();
    await sending;
  });

  it('what was undone is asked for anew, and so is an answer that changed nothing', async () => {
    for (const [call, undo] of [
      [write, true],
      [search, false],
    ] as const) {
      const storage = createMemoryStorage();
      const gate = createGate();
      const first = await openChat({
        storage,
        replies: [
          { text: 'First.', calls: [call] },
          { text: 'half', gateEnd: gate },
        ],
      });
      void first.chat.send('do it');
      if (call === write) first.chat.decide((await first.approval()).approvalId, { approved: true });
      await gate.reached;
      const again = await openChat({ storage: copy(storage), notes: first.notes, run: 2, replies: ['Anew.'] });
      const { nodeId } = again.chat.view().messages[1]!;
      if (undo) await again.chat.undo(nodeId);
      await again.chat.rerun(nodeId);
      expect(
        again.model.requests
          .at(-1)
          ?.messages.slice(1)
          .map(({ role }) => role),
      ).toEqual(['user']);
      gate.open();
    }
  });

  it('an answer that was finished is asked for anew, whatever it changed', async () => {
    const { chat, model, approval } = await openChat({ replies: [{ calls: [write] }, 'Added.', 'Again.'] });
    const sending = chat.send('add it');
    chat.decide((await approval()).approvalId, { approved: true });
    await sending;
    await chat.rerun(chat.view().messages[1]!.nodeId);
    expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
  });

  it('a round is one file, however many calls it has, and none is left when the turn is saved', async () => {
    const storage = createMemoryStorage();
    const seen = new Set<string>();
    const gate = createGate();
    const { chat } = await openChat({
      storage,
      replies: [{ calls: [search, { ...search, id: 'b' }, { ...search, id: 'c' }] }, { text: 'Found.', gateEnd: gate }],
    });
    const stop = chat.subscribe(() => journal(storage).forEach((path) => void seen.add(path)));
    const sending = chat.send('when?');
    await gate.reached;
    expect(journal(storage)).toHaveLength(2);
    gate.open();
    await sending;
    stop();
    expect([...seen].filter((path) => !path.endsWith('stream.json'))).toHaveLength(2);
    expect(journal(storage)).toEqual([]);
  });
});
