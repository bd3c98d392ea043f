import { createHash } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createGate, createScriptedModel } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { type ChatStorage, createMemoryStorage, type MemoryStorage } from '../store/storage-port.ts';
import { createChatStore } from '../store/store.ts';
import type { ChatStore } from '../store/store-port.ts';
import { listed, openChat } from '../testing/open-chat.ts';
import { session } from '../testing/samples.ts';
import type { ChatView } from '../view/view.ts';

const search = { name: 'search_notes', arguments: { query: 'launch' }, id: 'call-search' };
const write = { name: 'daily_note', arguments: { op: 'append', markdown: 'Launch in May.' }, id: 'call-write' };
const last = (view: ChatView) => view.messages.at(-1)!;
const copy = (storage: MemoryStorage): MemoryStorage => createMemoryStorage(Object.fromEntries(storage.files));
const digest = (storage: MemoryStorage): string =>
  createHash('sha256')
    .update(JSON.stringify([...storage.files].sort()))
    .digest('hex');

describe('a chat is kept', () => {
  it('opens again as it was: messages, variables, consent, undo', async () => {
    const storage = createMemoryStorage();
    const first = await openChat({
      storage,
      replies: [
        { text: 'Look.', calls: [search, write] },
        { text: 'Done.', reasoning: 'easy' },
      ],
    });
    const sending = first.chat.send('what about the launch?');
    first.chat.decide((await first.approval()).approvalId, { approved: true, remember: true });
    await sending;
    const before = first.chat.view();
    expect(before.allowances).toMatchObject([{ tool: 'daily_note', scopeName: 'Work' }]);
    await first.chat.dispose();
    expect([...storage.files.keys()].sort()).toEqual(['sessions/index.json', `sessions/${before.sessionId}.json`]);

    const again = await openChat({
      storage,
      notes: first.notes,
      run: 2,
      replies: [{ calls: [{ ...write, id: 'call-write-2' }] }, 'Again.'],
    });
    expect(again.chat.view()).toEqual(before);
    expect(again.chat.variable('search_notes_call-search_result')).toContain('launch');
    await again.chat.send('and once more');
    expect(again.notes.writes).toBe(2);
    again.chat.revoke('daily_note', before.allowances[0]!.scope ?? '');
    expect(again.chat.view().allowances).toEqual([]);
    for (const message of [again.chat.view().messages[3]!, last(before)]) await again.chat.undo(message.nodeId);
    expect(again.chat.view().messages.map((message) => message.undo?.undone)).toEqual([undefined, true, undefined, true]);
    expect(again.notes.store.documents.at(-1)?.blocks.map((block) => block.markdown)).toEqual(['Morning walk.']);
  });

  it('with the name that it was given before its first message; without one it leaves nothing behind', async () => {
    const storage = createMemoryStorage();
    const first = await openChat({ storage });
    expect([...storage.files.keys()]).toEqual([]);
    const { sessionId } = first.chat.view();
    await first.chat.library.rename(sessionId, 'Beds for spring');
    await first.chat.dispose();
    const again = await openChat({ storage, run: 2, replies: ['In May.'] });
    expect(again.chat.view()).toMatchObject({ sessionId, title: 'Beds for spring' });
    await again.chat.send('when do they open?');
    expect((await listed(again.chat)).map(({ title }) => title)).toEqual(['Beds for spring']);
  });

  it('consent that is taken back between turns is gone at once, it alone, for the panel and in the file', async () => {
    const storage = createMemoryStorage();
    const approvals = ['a', 'b'].map((scope) => ({ tool: 'insert_blocks', scope }));
    await createChatStore({ storage, device: 'dev', now: () => 1 }).save(session('s1', { approvals }));
    const { chat } = await openChat({ storage });
    const scopes = (view: ChatView) => view.allowances.map(({ scope }) => scope);
    expect(scopes(chat.view())).toEqual(['a', 'b']);
    const shown: unknown[] = [];
    chat.subscribe((view) => shown.push(scopes(view)));
    chat.revoke('insert_blocks', 'a');
    await expect.poll(() => JSON.parse(storage.files.get('sessions/s1.json') ?? '{}').approvals).toEqual([approvals[1]]);
    expect(shown.at(-1)).toEqual(['b']);
  });

  it('consent that is taken back while another window’s is taken in does not come back', async () => {
    const memory = createMemoryStorage();
    const consent = (scope: string) => ({ tool: 'insert_blocks', scope });
    await createChatStore({ storage: memory, device: 'dev', now: () => 1 }).save(
      session('s1', { approvals: [consent('a'), consent('b')] }),
    );
    const gate = createGate();
    let held = false;
    const storage: ChatStorage = {
      ...memory,
      write: async (path, text) => {
        if (held && path === 'sessions/s1.json') await gate.pass(new AbortController().signal);
        await memory.write(path, text);
      },
    };
    const { chat } = await openChat({ storage });
    const elsewhere = createChatStore({ storage: memory, device: 'other', now: () => 2_000_000_000_000 });
    const theirs = await elsewhere.load('s1');
    await elsewhere.save({ ...theirs!.session, approvals: [consent('a'), consent('c')] });
    held = true;
    chat.revoke('insert_blocks', 'b');
    await gate.reached;
    chat.revoke('insert_blocks', 'a');
    gate.open();
    await expect.poll(() => JSON.parse(memory.files.get('sessions/s1.json') ?? '{}').approvals).toEqual([]);
    expect(chat.view().allowances).toEqual([]);
  });

  it('a result that the user rejected is stored nowhere', async () => {
    const storage = createMemoryStorage();
    const { chat, model, approval } = await openChat({
      storage,
      resultPolicy: 'always',
      replies: [{ calls: [search] }, 'I may not see it.'],
    });
    const sending = chat.send('what about the launch?');
    const request = await approval();
    expect(request).toMatchObject({ kind: 'result', resultText: expect.stringContaining('planned for May') });
    expect(JSON.stringify([...storage.files])).not.toContain('planned for May');
    chat.decide(request.approvalId, { approved: false, reason: 'private' });
    await sending;
    expect(last(chat.view()).segments[0]).toMatchObject({ call: { status: 'result_rejected', rejectReason: 'private' } });
    expect(JSON.stringify([...storage.files, model.requests])).not.toContain('planned for May');
  });

  it('a storage that fails: the chat goes on in memory, says so, and is saved whole when it can be', async () => {
    const memory = createMemoryStorage();
    let failing = true;
    const refuse = () => Promise.reject(new Error('disk full'));
    const storage: ChatStorage = { ...memory, write: (path, text) => (failing ? refuse() : memory.write(path, text)) };
    const { chat } = await openChat({ storage, replies: ['one', 'two'] });
    await chat.send('first');
    expect(chat.view()).toMatchObject({
      running: false,
      notice: { code: 'storage_failed', message: expect.stringContaining('disk full') },
    });
    expect(last(chat.view()).segments).toEqual([{ kind: 'text', text: 'one' }]);
    expect(memory.files.size).toBe(0);
    failing = false;
    await chat.send('second');
    const again = await openChat({ storage: memory, run: 2 });
    expect(again.chat.view().messages).toHaveLength(4);
    expect(again.chat.view()).not.toHaveProperty('notice');
  });

  it('a SiYuan that could not be reached: the notice goes with the next answer that is saved', async () => {
    const memory = createMemoryStorage();
    let failing = true;
    const refuse = () => Promise.reject(new ToolError('kernel_unreachable', 'SiYuan is not responding', 'start SiYuan again'));
    const storage: ChatStorage = { ...memory, write: (path, text) => (failing ? refuse() : memory.write(path, text)) };
    const { chat } = await openChat({ storage, replies: ['one', 'two', 'three'] });
    await chat.send('first');
    expect(chat.view().notice).toMatchObject({ code: 'kernel_unreachable' });
    await chat.send('second');
    expect(chat.view().notice).toMatchObject({ code: 'kernel_unreachable' });
    failing = false;
    await chat.send('third');
    await vi.waitFor(() => expect(chat.view()).not.toHaveProperty('notice'));
  });

  it('a storage that cannot be read at start: a notice, and the chat works', async () => {
    const storage: ChatStorage = { ...createMemoryStorage(), list: () => Promise.reject(new Error('no connection')) };
    const { chat } = await openChat({ storage, replies: ['hi'] });
    expect(chat.view().notice).toMatchObject({ code: 'storage_failed' });
    await chat.send('hello');
    expect(last(chat.view()).status).toBe('done');
  });
});

describe('a chat whose first answer is not there yet', () => {
  /** Another device, or another profile of the browser: it shares the workspace, and nothing else. */
  const elsewhere = (storage: MemoryStorage) =>
    openChat({ storage, run: 2, deps: { store: createChatStore({ storage, device: 'other', now: () => 1_700_000_900_000 }) } });

  it('is in the lists of every device from its question on, and can be opened there', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const { chat } = await openChat({ storage, replies: [{ text: 'Later.', gateStart: gate }] });
    const sending = chat.send('pending');
    await gate.reached;
    const there = await elsewhere(storage);
    expect(await listed(there.chat)).toMatchObject([{ title: 'pending', messages: 2 }]);
    await there.chat.openChat(chat.view().sessionId);
    expect(there.chat.view().messages.map(({ status }) => status)).toEqual(['done', 'interrupted']);
    expect(there.chat.view()).not.toHaveProperty('notice');
    gate.open();
    await sending;
    const later = await elsewhere(storage);
    await later.chat.openChat(chat.view().sessionId);
    expect(later.chat.view().messages.map(({ status }) => status)).toEqual(['done', 'done']);
  });

  it('also while that waits for an approval, and once it was cut off', async () => {
    const storage = createMemoryStorage();
    const { chat, approval } = await openChat({ storage, replies: [{ calls: [write] }] });
    void chat.send('waiting');
    await approval();
    // The window is gone, and does not come back.
    const there = await elsewhere(copy(storage));
    expect(await listed(there.chat)).toMatchObject([{ title: 'waiting', messages: 2 }]);
  });

  it('is written once more when the answer is there, and one with a file only then', async () => {
    const storage = createMemoryStorage();
    const written: string[] = [];
    const counting: MemoryStorage = {
      ...storage,
      async write(path, text) {
        if (/^sessions\/(?!index)/.test(path)) written.push(text);
        await storage.write(path, text);
      },
    };
    const { chat } = await openChat({ storage: counting, replies: ['one', 'two'] });
    await chat.send('first');
    expect(written).toHaveLength(2);
    expect(written[0]).not.toContain('"one"');
    await chat.send('second');
    expect(written).toHaveLength(3);
  });

  it('is told of where it cannot be written, and is kept in the window', async () => {
    const storage = createMemoryStorage();
    const failing: MemoryStorage = {
      ...storage,
      write: (path, text) => (path.startsWith('sessions/') ? Promise.reject(new Error('no room')) : storage.write(path, text)),
    };
    const { chat } = await openChat({ storage: failing, replies: ['one'] });
    await chat.send('first');
    expect(chat.view().notice).toMatchObject({ code: 'storage_failed' });
    expect(last(chat.view()).status).toBe('done');
    expect([...storage.files.keys()].some((path) => path.startsWith('journal/'))).toBe(true);
  });
});

describe('a crash', () => {
  it('after a round: question, calls and variables are back, marked as interrupted, and the talk goes on', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const { chat, notes } = await openChat({
      storage,
      replies: [
        { text: 'Look.', calls: [search] },
        { text: 'half', gateEnd: gate },
      ],
    });
    void chat.send('what about the launch?');
    await gate.reached;
    // Killed before the chat had a file: the journal alone brings it back.
    const left = createMemoryStorage(Object.fromEntries([...storage.files].filter(([name]) => name.startsWith('journal/'))));

    const again = await openChat({ storage: left, notes, run: 2, replies: ['From here.'] });
    const view = again.chat.view();
    expect(view.title).toBe('what about the launch?');
    expect(view.messages.map((message) => message.status)).toEqual(['done', 'interrupted']);
    expect(last(view)).toMatchObject({
      error: { code: 'interrupted' },
      segments: [{ text: 'Look.' }, { call: { tool: 'search_notes', status: 'success' } }],
    });
    expect(last(view).hint).toContain('search_notes_call-search_result');
    expect(again.chat.variable('search_notes_call-search_result')).toContain('planned for May');
    expect([...left.files.keys()].filter((name) => name.startsWith('journal/'))).toEqual([]);
    await again.chat.send('go on');
    expect(again.model.requests[0]?.messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user']);
    gate.open();
  });

  it('before the first token, in a chat that was saved before', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const { chat } = await openChat({ storage, replies: ['one', { text: 'two', gateStart: gate }] });
    await chat.send('first');
    void chat.send('second');
    await gate.reached;
    const again = await openChat({ storage: copy(storage), run: 2 });
    expect(again.chat.view().messages.map((message) => message.status)).toEqual(['done', 'done', 'done', 'interrupted']);
    expect(again.chat.view().messages[2]?.segments).toEqual([{ kind: 'text', text: 'second' }]);
    gate.open();
  });

  it('another device’s journal is left to it', async () => {
    const storage = createMemoryStorage({ 'journal/r9-1/other-00000000000001.json': '{}' });
    const before = digest(storage);
    const { chat } = await openChat({ storage });
    expect(chat.view().messages).toEqual([]);
    expect(digest(storage)).toBe(before);
  });
});

describe('a chat that is left while its answer is being written', () => {
  it.each(['newChat', 'openChat'] as const)('goes on behind another one (%s), and is shown again as it is', async (how) => {
    const [first, gate] = [createGate(), createGate()];
    const { chat, model } = await openChat({ replies: ['before', { text: 'half', gateStart: first, gateEnd: gate }, 'fresh'] });
    await chat.send('other chat');
    const other = chat.view().sessionId;
    await chat.newChat();
    const sending = chat.send('long question');
    const left = chat.view().sessionId;
    await first.reached;
    await (how === 'newChat' ? chat.newChat() : chat.openChat(other));
    expect(chat.view()).toMatchObject({ running: false, background: [{ id: left, waits: false }] });
    first.open();
    await gate.reached;
    await chat.send('meanwhile');
    expect(last(chat.view()).segments).toEqual([{ kind: 'text', text: 'fresh' }]);
    await chat.openChat(left);
    expect(chat.view()).toMatchObject({ running: true, sessionId: left });
    expect(chat.view()).toMatchObject({ background: undefined });
    expect(last(chat.view())).toMatchObject({ status: 'streaming', segments: [{ kind: 'text', text: 'half' }] });
    gate.open();
    await sending;
    expect(last(chat.view())).toMatchObject({ status: 'done', segments: [{ kind: 'text', text: 'half' }] });
    await chat.send('goes on');
    expect(model.requests.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  });

  it('is saved whole when its answer ends behind another one, and what was typed is still there', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const { chat } = await openChat({ storage, replies: [{ text: 'whole', gateEnd: gate }] });
    const sending = chat.send('first');
    await gate.reached;
    await chat.send('typed meanwhile');
    const left = chat.view().sessionId;
    await chat.newChat();
    gate.open();
    await sending;
    await expect.poll(() => chat.view().background).toBeUndefined();
    expect([...storage.files.keys()].filter((name) => name.startsWith('journal/'))).toEqual([]);
    await chat.openChat(left);
    expect(chat.view().messages.map((message) => [message.status, message.segments])).toEqual([
      ['done', [{ kind: 'text', text: 'first' }]],
      ['done', [{ kind: 'text', text: 'whole' }]],
    ]);
    expect(chat.typed.draft).toBe('typed meanwhile');
    const again = await openChat({ storage, run: 2 });
    await again.chat.openChat(left);
    expect(last(again.chat.view())).toMatchObject({ status: 'done', segments: [{ text: 'whole' }] });
  });

  it('waits for an approval that is given when it is shown again; its events are not those of the chat that is shown', async () => {
    const { chat, approval, events } = await openChat({ replies: [{ calls: [write] }, 'Written.'] });
    const sending = chat.send('write it');
    const request = await approval();
    const left = chat.view().sessionId;
    await chat.newChat();
    expect(chat.view()).toMatchObject({ approvals: [], background: [{ id: left, waits: true }] });
    const seen = events.length;
    chat.decide(request.approvalId, { approved: true });
    expect(chat.view().background).toEqual([{ id: left, waits: true }]);
    expect(events).toHaveLength(seen);
    await chat.openChat(left);
    expect(chat.view().approvals).toHaveLength(1);
    chat.decide(request.approvalId, { approved: true });
    await sending;
    expect(last(chat.view()).segments).toMatchObject([{ call: { status: 'success' } }, { text: 'Written.' }]);
  });

  it('shows what a file adds to it while it is open, and keeps that when it goes on', async () => {
    const { chat, storage } = await openChat({ replies: ['Mine.', 'More.'] });
    await chat.send('one');
    const id = chat.view().sessionId;
    const file = JSON.parse((await chat.library.exportJson([id])) ?? '');
    const { nodes, leafId } = file.chats[0];
    nodes.added = { ...structuredClone(nodes[leafId]), id: 'added', parent: leafId };
    await chat.library.importJson(JSON.stringify(file));
    await chat.send('two');
    expect(Object.keys(JSON.parse((await storage.read(`sessions/${id}.json`)) ?? '').nodes)).toContain('added');
  });

  it('can be renamed, exported, imported and deleted meanwhile, without its answer being taken for a broken one', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const { chat } = await openChat({ storage, replies: [{ text: 'half', gateEnd: gate }] });
    const sending = chat.send('first');
    await gate.reached;
    const left = chat.view().sessionId;
    await chat.newChat();
    await chat.library.rename(left, 'Renamed');
    const exported = await chat.library.exportJson([left]);
    expect(exported).toContain('Renamed');
    await chat.library.importJson(exported ?? '');
    expect([...storage.files.keys()].some((name) => name.startsWith('journal/'))).toBe(true);
    await chat.openChat(left);
    expect(chat.view()).toMatchObject({ title: 'Renamed', running: true });
    await chat.newChat();
    expect(await chat.library.remove(left)).toBe(true);
    await sending;
    expect(chat.view()).toMatchObject({ background: undefined });
    expect(await listed(chat)).toEqual([]);
  });

  it('ends with the window, saved with what it has', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const { chat } = await openChat({ storage, replies: [{ text: 'half', gateEnd: gate }] });
    void chat.send('first');
    await gate.reached;
    const left = chat.view().sessionId;
    await chat.newChat();
    await chat.dispose();
    const again = await openChat({ storage, run: 2 });
    await again.chat.openChat(left);
    expect(last(again.chat.view())).toMatchObject({ status: 'stopped', segments: [{ text: 'half' }] });
  });

  it('is given its title, and settings reach its tools', async () => {
    const gate = createGate();
    const titles = createScriptedModel(['A title']);
    const shown: number[] = [];
    const { chat } = await openChat({
      replies: [{ text: 'whole', gateEnd: gate }],
      deps: { titleModel: () => titles, onShown: (executors) => void shown.push(executors.length) },
    });
    const sending = chat.send('first');
    await gate.reached;
    await chat.newChat();
    expect(shown.at(-1)).toBe(2);
    gate.open();
    await sending;
    await expect.poll(async () => (await listed(chat)).map(({ title }) => title)).toEqual(['A title']);
  });
});

describe('several chats', () => {
  it('new, open, rename, list, remove', async () => {
    const { chat } = await openChat({ replies: ['one', 'two'] });
    await chat.send('first chat');
    const firstId = chat.view().sessionId;
    await chat.newChat();
    expect(chat.view()).toMatchObject({ title: '', messages: [] });
    await chat.send('second chat');
    const secondId = chat.view().sessionId;
    expect((await listed(chat)).map((summary) => summary.title)).toEqual(['second chat', 'first chat']);
    await chat.library.rename(firstId, ' Launch ');
    await chat.library.rename(secondId, 'Other');
    expect(chat.view().title).toBe('Other');
    await chat.openChat(firstId);
    expect(chat.view()).toMatchObject({ title: 'Launch', sessionId: firstId });
    await chat.library.remove(firstId);
    expect(chat.view().messages).toEqual([]);
    await chat.library.remove(secondId);
    expect(await listed(chat)).toEqual([]);
    await chat.openChat(secondId);
    expect(chat.view().notice?.code).toBe('chat_missing');
  });

  it('a question without an answer gets one by rerun, one with an answer a new version', async () => {
    const { chat, model } = await openChat({ replies: ['one', 'gone', 'late', 'later'] });
    await chat.send('first');
    await chat.send('unanswered');
    await chat.messages.remove(last(chat.view()).nodeId);
    const question = last(chat.view()).nodeId;
    for (const answer of ['late', 'later']) {
      await chat.rerun(question);
      expect(chat.view().messages).toHaveLength(4);
      expect(last(chat.view())).toMatchObject({ role: 'assistant', segments: [{ text: answer }] });
    }
    expect(model.requests[2]?.messages.at(-1)?.content).toBe('unanswered');
    expect(model.requests[3]?.messages).toEqual(model.requests[2]?.messages);
  });

  it('a chat of a newer version is shown and not touched', async () => {
    const storage = createMemoryStorage();
    const { chat } = await openChat({ storage, replies: ['one'] });
    await chat.send('first');
    const path = `sessions/${chat.view().sessionId}.json`;
    const approvals = '"approvals":[{"tool":"insert_blocks","scope":"a"}]';
    const newer = (storage.files.get(path) ?? '').replace('"schema":1', '"schema":2').replace('"approvals":[]', approvals);
    await storage.write(path, newer);
    const kept = storage.files.get(path);
    expect(kept).toContain(approvals);
    const again = await openChat({ storage, run: 2, replies: ['never'] });
    expect(again.chat.view().messages).toHaveLength(2);
    await again.chat.send('more');
    await again.chat.rerun(last(again.chat.view()).nodeId);
    expect(again.chat.view()).toMatchObject({ notice: { code: 'chat_newer' }, messages: { length: 2 }, allowances: { length: 1 } });
    again.chat.revoke('insert_blocks', 'a');
    // Nothing of it is saved, at once or when the chat is left.
    await again.chat.newChat();
    await again.chat.dispose();
    expect(storage.files.get(path)).toBe(kept);
  });

  it('a chat whose file is damaged while it is open goes on, and says so once', async () => {
    const storage = createMemoryStorage();
    const { chat } = await openChat({ storage, replies: ['one', 'two', 'three'] });
    await chat.send('first');
    await storage.write(`sessions/${chat.view().sessionId}.json`, '');
    await chat.send('second');
    expect(chat.view().notice?.code).toBe('chat_repaired');
    const again = await openChat({ storage, run: 2 });
    expect(again.chat.view().messages).toHaveLength(4);
    chat.dismissNotice();
    await chat.send('third');
    expect(chat.view().notice).toBeUndefined();
  });

  it('a chat whose file is damaged is opened from what this device kept, and says so', async () => {
    const [storage, cache] = [createMemoryStorage(), createMemoryStorage()];
    const store = (): ChatStore => createChatStore({ storage, cache, device: 'dev', now: () => 1 });
    const { chat } = await openChat({ storage, deps: { store: store() }, replies: ['one', 'other'] });
    await chat.send('first');
    const id = chat.view().sessionId;
    await chat.newChat();
    await chat.send('another');
    await storage.write(`sessions/${id}.json`, '{"schema":1,');
    const again = await openChat({ storage, deps: { store: store() }, run: 2 });
    await again.chat.openChat(id);
    expect(again.chat.view()).toMatchObject({ notice: { code: 'chat_repaired' }, messages: { length: 2 } });
    expect([...storage.files.keys()].some((name) => name.startsWith(`sessions/${id}.json.broken-`))).toBe(true);
  });

  it('a broken chat is a notice, copied aside; others open', async () => {
    const storage = createMemoryStorage({ 'sessions/bad.json': '{"schema":1,' });
    const { chat } = await openChat({ storage, replies: ['one'] });
    await chat.send('first');
    await chat.openChat('bad');
    expect(chat.view()).toMatchObject({ notice: { code: 'chat_broken' }, messages: { length: 2 } });
    expect([...storage.files.keys()].some((name) => name.startsWith('sessions/bad.json.broken-'))).toBe(true);
  });
});
