import { describe, expect, it } from 'vitest';
import { createGate } from '../../model/testing/scripted-model.ts';
import { createMemoryStorage } from '../store/storage-port.ts';
import { createChatStore } from '../store/store.ts';
import { listed, openChat } from '../testing/open-chat.ts';
import { session } from '../testing/samples.ts';
import { Windows } from '../testing/windows.ts';
import type { ChatView } from '../view/view.ts';

const texts = (view: ChatView): readonly string[] =>
  view.messages.map((message) => message.segments.map((segment) => (segment.kind === 'call' ? '' : segment.text)).join(''));

describe('messages of a chat', () => {
  it('a question asked in other words is a branch; both can be shown, with their versions', async () => {
    const { chat, model } = await openChat({ replies: ['one', 'two', 'three', 'again'] });
    await chat.send('first');
    await chat.send('second');
    const [, , question] = chat.view().messages;
    await chat.messages.edit(question!.nodeId, 'second, in other words');
    expect(texts(chat.view())).toEqual(['first', 'one', 'second, in other words', 'three']);
    expect(model.requests.at(-1)?.messages.map((message) => message.content)).not.toContain('second');
    const edited = chat.view().messages[2]!;
    expect(edited.position).toEqual({ versions: 1, version: 1, branches: 2, branch: 2 });
    await chat.messages.showBranch(edited.nodeId, 1);
    expect(texts(chat.view())).toEqual(['first', 'one', 'second', 'two']);
    const answer = chat.view().messages[3]!;
    await chat.rerun(answer.nodeId);
    expect(texts(chat.view()).at(-1)).toBe('again');
    expect(chat.view().messages[3]?.position).toEqual({ versions: 2, version: 2, branches: 1, branch: 1 });
    await chat.messages.showVersion(answer.nodeId, 1);
    expect(texts(chat.view()).at(-1)).toBe('two');
    await chat.messages.reveal(edited.nodeId);
    expect(texts(chat.view())[2]).toBe('second, in other words');
    expect(chat.messages.figures()).toMatchObject({ answers: 4 });
  });

  it('hidden, pinned and separated messages decide what the model reads; deleting can be undone', async () => {
    const { chat, model, storage } = await openChat({ replies: ['a1', 'a2', 'a3', 'a4'] });
    const asked = (): readonly string[] =>
      model.requests
        .at(-1)!
        .messages.slice(1)
        .map((message) => message.content);
    await chat.send('q1');
    const [q1, a1] = chat.view().messages;
    await chat.messages.setHidden(a1!.nodeId, true);
    await chat.send('q2');
    expect(asked()).toEqual(['q1', 'q2']);
    await chat.messages.setPinned(q1!.nodeId, true);
    await chat.messages.separate();
    await chat.send('q3');
    expect(asked()).toEqual(['q1', 'q3']);
    expect(chat.view().messages[0]).toMatchObject({ pinned: true });
    expect(chat.view().messages[1]).toMatchObject({ hidden: true });
    await chat.messages.remove(q1!.nodeId);
    expect(texts(chat.view())).not.toContain('q1');
    await chat.send('q4');
    expect(asked()).toEqual(['q3', 'a3', 'q4']);
    await chat.messages.restore(q1!.nodeId);
    const again = await openChat({ storage, run: 2 });
    expect(texts(again.chat.view())).toEqual(texts(chat.view()));
    expect(texts(chat.view())[0]).toBe('q1');
  });

  it('goes on from an earlier message, and takes a branch out into a chat of its own', async () => {
    const { chat } = await openChat({ replies: ['a1', 'a2', 'a3'] });
    await chat.send('q1');
    await chat.send('q2');
    const first = chat.view().sessionId;
    const answer = chat.view().messages[1]!;
    await chat.messages.continueFrom(answer.nodeId);
    await chat.send('q3');
    expect(texts(chat.view())).toEqual(['q1', 'a1', 'q3', 'a3']);
    await chat.messages.extract(answer.nodeId, 'Taken out');
    expect(chat.view()).toMatchObject({ title: 'Taken out' });
    expect(chat.view().sessionId).not.toBe(first);
    expect(texts(chat.view())).toEqual(['q1', 'a1']);
    expect(await listed(chat)).toHaveLength(2);
  });

  it('what cannot be done while an answer is written is said', async () => {
    const gate = createGate();
    const { chat } = await openChat({ replies: ['a1', { text: 'half', gateEnd: gate }] });
    await chat.send('q1');
    const [q1, a1] = chat.view().messages;
    const sending = chat.send('q2');
    await gate.reached;
    await chat.messages.edit(q1!.nodeId, 'other');
    expect(chat.view().notice?.code).toBe('busy');
    await chat.messages.setPinned(a1!.nodeId, true);
    expect(chat.view().messages[1]).toMatchObject({ pinned: true });
    gate.open();
    await sending;
    expect(texts(chat.view())).toEqual(['q1', 'a1', 'q2', 'half']);
  });
});

describe('two who have one chat open', () => {
  it('a change from outside is taken in at once; a running turn goes on and nothing is lost', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const store = createChatStore({ storage, device: 'dev', now: () => Date.now() });
    const { chat, until } = await openChat({ storage, deps: { store }, replies: ['a1', { text: 'half', gateEnd: gate }, 'a3'] });
    await chat.send('q1');
    const sending = chat.send('q2');
    await gate.reached;
    const other = createChatStore({ storage, device: 'other', now: () => Date.now() + 1000 });
    const { session: theirs } = (await other.load(chat.view().sessionId))!;
    const question = session().nodes.n1!;
    const added = { ...question, id: 'theirs', parent: theirs.leafId, changed: { time: 5, device: 'other' } };
    await other.save({ ...theirs, nodes: { ...theirs.nodes, theirs: added }, title: 'Theirs' });
    store.changedOutside([theirs.id]);
    await until((view) => view.title === 'Theirs');
    expect(chat.view()).toMatchObject({ running: true });
    gate.open();
    await sending;
    expect(texts(chat.view())).toEqual(['q1', 'a1', 'q2', 'half']);
    expect(chat.view().messages[2]?.position).toMatchObject({ branches: 2 });
    await chat.send('q3');
    const saved = (await other.load(theirs.id))!.session;
    expect(Object.keys(saved.nodes)).toContain('theirs');
    expect(Object.values(saved.nodes).filter((node) => !node.deleted)).toHaveLength(7);
  });

  it('a turn in another window is shown as running there, blocks sending, and is free when it ends', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const open = (name: string) => createChatStore({ storage, device: 'dev', now: () => Date.now(), ...windows.open(name) });
    const gate = createGate();
    const one = await openChat({ storage, deps: { store: open('dev_one') }, replies: ['a1', { text: 'half', gateEnd: gate }] });
    await one.chat.send('q1');
    const two = await openChat({ storage, run: 2, deps: { store: open('dev_two') }, replies: ['a3'] });
    expect(texts(two.chat.view())).toEqual(['q1', 'a1']);
    const sending = one.chat.send('q2');
    await gate.reached;
    await two.until((view) => view.messages.length === 4);
    expect(two.chat.view()).toMatchObject({ blocked: { code: 'chat_elsewhere' } });
    expect(two.chat.view().messages[3]).toMatchObject({ status: 'streaming' });
    await two.chat.send('q3');
    expect(two.chat.view()).toMatchObject({ queued: 'q3', messages: { length: 4 } });
    gate.open();
    await sending;
    await two.until((view) => !view.running && view.messages.length === 6);
    expect(texts(two.chat.view())).toEqual(['q1', 'a1', 'q2', 'half', 'q3', 'a3']);
    await one.until((view) => view.messages.length === 6);
  });
});
