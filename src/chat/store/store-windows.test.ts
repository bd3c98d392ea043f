import { describe, expect, it } from 'vitest';
import { createGate } from '../../model/testing/scripted-model.ts';
import type { Node, Session } from '../session/types.ts';
import { openChat } from '../testing/open-chat.ts';
import { answerPayload, callRecord, node, session, userPayload } from '../testing/samples.ts';
import { Windows } from '../testing/windows.ts';
import type { ChatView } from '../view/view.ts';
import { createMemoryStorage, type MemoryStorage } from './storage-port.ts';
import { createChatStore } from './store.ts';
import type { ChatStoreOptions } from './store-port.ts';

function open(storage: MemoryStorage, options: Partial<ChatStoreOptions> = {}, start = 1000) {
  let time = start;
  return createChatStore({ storage, device: 'dev', now: () => ++time, ...options });
}
const said = (id: string, parent: string, time = 50): Node =>
  node(id, 'user', parent, userPayload(`${id}v`, `says ${id}`), { changed: { time, device: 'dev' } });
const plus = (chat: Session, added: Node): Session => ({ ...chat, nodes: { ...chat.nodes, [added.id]: added }, leafId: added.id });
const head = { id: 's1', title: 'A chat', created: 1 };
const begun = node('n4', 'assistant', 'n3', answerPayload('v4', '', { status: 'interrupted' }), { changed: { time: 51, device: 'dev' } });
const turn = { type: 'turn', head, nodes: [said('n3', 'n2'), begun], leafId: 'n4' } as const;
const texts = (view: ChatView): readonly string[] =>
  view.messages.map((message) => message.segments.map((segment) => (segment.kind === 'text' ? segment.text : segment.kind)).join('|'));

describe('a window that ends in the middle of an answer', () => {
  it('shows text that streams after a call once, however often it grows', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const one = open(storage, windows.open('dev_one'));
    const two = open(storage, windows.open('dev_two'));
    await one.save(session('s1'));
    const log = one.turnLog('s1', () => undefined);
    const stats = { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 };
    const chain = {
      toolCallHistory: [callRecord('c1')],
      rounds: [{ text: 'Looking.', callIds: ['c1'] }],
      stats,
      status: 'completed',
    } as const;
    const payload = answerPayload('v4', 'Looking.', { status: 'interrupted', toolChainResult: chain });
    const answer = node('n4', 'assistant', 'n3', payload, { changed: { time: 52, device: 'dev' } });
    await log.add(turn);
    await log.add({ type: 'round', head, answer, variables: [] });
    let shown = (await two.load('s1'))?.session ?? session('s1');
    for (const text of ['It', 'It rains', 'It rains today.']) {
      await log.stream({ type: 'stream', nodeId: 'n4', after: 52, text, reasoning: '' });
      shown = (await two.refresh(shown))?.session ?? shown;
      expect(shown.nodes.n4?.versions.v4?.message.content).toBe(`Looking.\n\n${text}`);
      expect(shown.nodes.n4?.versions.v4?.toolChainResult?.rounds.map((round) => round.text)).toEqual(['Looking.', text]);
    }
  });

  it('is reported to whoever waits for the answer, although the window itself says nothing', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const one = open(storage, windows.open('dev_one'));
    const two = open(storage, windows.open('dev_two'));
    await one.save(session('s1'));
    await one.turnLog('s1', () => undefined).add(turn);
    expect(await two.load('s1')).toMatchObject({ elsewhere: ['n4'] });
    const heard = new Promise((resolve) => two.subscribe(resolve));
    windows.close('dev_one');
    expect(await heard).toEqual(['s1']);
    expect(await two.load('s1')).toMatchObject({ elsewhere: [], recovered: true });
  });

  it('frees the other one: the answer says that it was cut off, and what was typed meanwhile is sent', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const window = (name: string, run: number) => ({ storage, run, deps: { store: open(storage, windows.open(name), 1e12 * run) } });
    const gate = createGate();
    const one = await openChat({ ...window('dev_one', 1), replies: ['a1', { text: 'half', gateEnd: gate }] });
    await one.chat.send('q1');
    const two = await openChat({ ...window('dev_two', 2), replies: ['a3'] });
    void one.chat.send('q2');
    await gate.reached;
    await two.until((view) => view.blocked?.code === 'chat_elsewhere');
    two.chat.addContext({ kind: 'block', id: 'b1', title: 'A note', text: 'Its text.' });
    await two.chat.send('q3');
    expect(two.chat.view().queued).toBe('q3');
    windows.close('dev_one');
    const view = await two.until(({ running, messages }) => !running && messages.length === 6 && messages[5]?.status === 'done');
    expect(view.messages.map((message) => message.status)).toEqual(['done', 'done', 'done', 'interrupted', 'done', 'done']);
    expect(view.messages[4]?.contexts).toMatchObject([{ id: 'b1' }]);
    expect(texts(view).filter((_text, index) => index % 2 === 0)).toEqual(['q1', 'q2', 'q3']);
  });
});

describe('what a reader sees while others write', () => {
  it('is what another window saved while this one was starting', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const gate = createGate();
    const one = await openChat({
      ...{ storage, deps: { store: open(storage, windows.open('dev_one'), 1e12) } },
      replies: ['a1', { text: 'half', gateEnd: gate }],
    });
    await one.chat.send('q1');
    const sending = one.chat.send('q2');
    await gate.reached;
    const path = `sessions/${one.chat.view().sessionId}.json`;
    // Read before the other one saved, and its journal after that was removed.
    const slow: MemoryStorage = {
      ...storage,
      async read(name) {
        const text = await storage.read(name);
        if (name !== path) return text;
        gate.open();
        await sending;
        return text;
      },
    };
    const two = await openChat({ storage: slow, run: 2, deps: { store: open(slow, windows.open('dev_two'), 2e12) } });
    expect(texts(await two.until((view) => view.messages.length === 4))).toEqual(['q1', 'a1', 'q2', 'half']);
  });

  it('follows the talk where it goes on, and stays where a branch was begun elsewhere', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const window = (name: string, run: number) => ({ storage, run, deps: { store: open(storage, windows.open(name), 1e12 * run) } });
    const one = await openChat({ ...window('dev_one', 1), replies: ['a1', 'a2', 'a3'] });
    await one.chat.send('q1');
    const two = await openChat({ ...window('dev_two', 2), replies: [] });
    await one.chat.send('q2');
    await two.until((view) => !view.blocked && texts(view).join() === 'q1,a1,q2,a2');
    await one.chat.messages.edit(one.chat.view().messages[2]!.nodeId, 'q2 in other words');
    const view = await two.until(({ messages, blocked }) => !blocked && messages[2]?.position?.branches === 2);
    expect(texts(view)).toEqual(['q1', 'a1', 'q2', 'a2']);
    expect(texts(one.chat.view())).toEqual(['q1', 'a1', 'q2 in other words', 'a3']);
  });
});

describe('a file that a sync put over one that knew more', () => {
  it('gets back what the open chat holds, and only once', async () => {
    const storage = createMemoryStorage();
    const store = open(storage);
    const { chat } = await openChat({ storage, deps: { store }, replies: ['a1', 'a2'] });
    await chat.send('q1');
    const path = `sessions/${chat.view().sessionId}.json`;
    const old = JSON.parse(storage.files.get(path)!) as Session;
    await chat.send('q2');
    await storage.write(path, JSON.stringify(plus(old, { ...said('far', old.leafId!), changed: { time: 60, device: 'phone' } })));
    let writes = 0;
    const stop = store.subscribe(() => undefined);
    const write = storage.write;
    storage.write = (...parts) => {
      if (parts[0] === path) writes++;
      return write(...parts);
    };
    store.changedOutside();
    await expect.poll(() => storage.files.get(path)).toContain('"q2"');
    expect(storage.files.get(path)).toContain('says far');
    expect(writes).toBe(1);
    // A file that has all of it is only read.
    const whole = JSON.parse(storage.files.get(path)!) as Session;
    await write(path, JSON.stringify(plus(whole, { ...said('later', 'far'), changed: { time: 70, device: 'phone' } })));
    store.changedOutside();
    await chat.openChat(chat.view().sessionId);
    expect(writes).toBe(1);
    stop();
  });
});

describe('a chat that is deleted while another window has it', () => {
  it('comes back whole with the turn that ran there, even when that window crashes', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const one = open(storage, windows.open('dev_one'));
    const two = open(storage, windows.open('dev_two'));
    await one.save(session('s1'));
    await one.turnLog('s1', () => undefined).add(turn);
    await two.remove('s1');
    expect(await two.list()).toEqual([]);
    windows.close('dev_one');
    const later = open(storage, windows.open('dev_three'), 9000);
    expect(await later.interrupted()).toEqual(['s1']);
    const back = (await later.load('s1'))!.session;
    expect(Object.keys(back.nodes).sort()).toEqual(['n1', 'n2', 'n3', 'n4']);
    expect(await later.trashed()).toEqual([]);
  });

  it('takes what only a journal holds with it', async () => {
    const storage = createMemoryStorage();
    const windows = new Windows();
    const one = open(storage, windows.open('dev_one'));
    await one.save(session('s1'));
    await one.turnLog('s1', () => undefined).add(turn);
    windows.close('dev_one');
    const two = open(storage, windows.open('dev_two'), 5000);
    await two.remove('s1');
    expect([...storage.files.keys()].filter((path) => path.startsWith('journal/'))).toEqual([]);
    await two.restore('s1');
    expect(Object.keys((await two.load('s1'))!.session.nodes).sort()).toEqual(['n1', 'n2', 'n3', 'n4']);
  });

  it('is no longer in the trash if it has been written since, whether or not others had written it', async () => {
    const storage = createMemoryStorage();
    const [here, there] = [open(storage), open(storage, {}, 5000)];
    await here.save(session('s1'));
    await there.remove('s1');
    await here.save(plus(session('s1'), said('a', 'n2')));
    expect(await here.trashed()).toEqual([]);
  });

  it('keeps what the trash holds when a sync brought the file back without it', async () => {
    const storage = createMemoryStorage();
    const store = open(storage);
    await store.save(session('s1'));
    await store.save(plus(session('s1'), said('a', 'n2')));
    await store.remove('s1');
    await storage.write('sessions/s1.json', JSON.stringify(plus(session('s1'), said('b', 'n2'))));
    expect(await store.restore('s1')).toBe(true);
    expect(Object.keys((await store.load('s1'))!.session.nodes).sort()).toEqual(['a', 'b', 'n1', 'n2']);
  });
});
