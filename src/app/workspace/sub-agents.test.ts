import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../chat/store/storage-port.ts';
import type { ChatView, ToolCallView } from '../../chat/view/view.ts';
import { budgetedModel } from '../../model/budget/budgeted-model.ts';
import type { Usages } from '../../model/budget/usage.ts';
import { createGate, type ScriptedReply } from '../../model/testing/scripted-model.ts';
import { LEFT_OUT } from '../../tools/contract/provenance.ts';
import { openSpawningChat, type SpawningChat } from './testing/spawning-chat.ts';

const spawn = (task: string, more: object = {}) => ({ name: 'spawn', arguments: { task, label: `L ${task}`, ...more }, id: `sp-${task}` });
const search = (id = 'c1') => ({ name: 'search_notes', arguments: { query: 'launch' }, id });
const append = (markdown: string, id = 'w1') => ({ name: 'daily_note', arguments: { op: 'append', markdown }, id });
const callsOf = (view: ChatView): readonly ToolCallView[] =>
  view.messages.flatMap(({ segments }) => segments.flatMap((one) => (one.kind === 'call' ? [one.call] : [])));
const inner = (call: ToolCallView | undefined): readonly ToolCallView[] =>
  call?.subAgent?.segments.flatMap((one) => (one.kind === 'call' ? [one.call] : [])) ?? [];
const names = (opened: SpawningChat, route: string): readonly string[] =>
  opened.models[route]?.requests.at(-1)?.tools?.map((tool) => tool.function.name) ?? [];
const sent = (opened: SpawningChat, route = 'chat'): string => JSON.stringify(opened.models[route]?.requests.at(-1)?.messages);
/** The launch block's id, as the notes in memory number them. */
const launchId = ({ notes }: SpawningChat): string =>
  notes.store.documents.find(({ path }) => path.endsWith('Apollo'))?.blocks[1]?.id ?? '';
const last = (opened: SpawningChat): ToolCallView | undefined => callsOf(opened.chat.view()).at(-1);

describe('a sub-agent', () => {
  it('works with reading tools in a conversation of its own, and the chat reads its answer with the blocks that it cites', async () => {
    const opened = await openSpawningChat({
      chat: [{ calls: [spawn('find')] }, 'May.'],
      find: [
        { text: 'I look.', calls: [search()] },
        (request) => {
          const id = /\d{14}-[0-9a-z]{7}/.exec(JSON.stringify(request.messages.at(-1)))?.[0] ?? '';
          return `In May ((${launchId(opened) || id} "launch")).`;
        },
      ],
    });
    await opened.chat.send('when?');
    const [system, task] = opened.models.find?.requests[0]?.messages ?? [];
    expect(system).toMatchObject({ role: 'system', content: expect.stringContaining('You are a sub-agent') });
    expect(task).toEqual({ role: 'user', content: 'find' });
    expect(names(opened, 'find')).toEqual(expect.arrayContaining(['search_notes', 'read_doc', 'daily_note', 'ReadVar']));
    expect(names(opened, 'find').filter((name) => ['spawn', 'ask_user', 'edit_block', 'create_doc', 'delete_doc'].includes(name))).toEqual(
      [],
    );
    expect(sent(opened)).toMatch(/The sub-agent .*L find.* has finished \(1 call in 1 round, 30 tokens\)/);
    expect(sent(opened)).toContain(`((${launchId(opened)} `);
    expect(last(opened)).toMatchObject({
      tool: 'spawn',
      status: 'success',
      subAgent: {
        status: 'completed',
        usage: { total_tokens: 30 },
        segments: [{ text: 'I look.' }, {}, { text: expect.stringContaining('In May') }],
      },
    });
    expect(inner(last(opened))).toMatchObject([
      { callId: 'sp-find-c1', tool: 'search_notes', status: 'success', text: expect.stringContaining('planned for May') },
    ]);
    expect(JSON.stringify(opened.models.find?.requests[1]?.messages)).toContain('"tool_call_id":"c1"');
    expect(opened.chat.view().approvals).toEqual([]);
  });

  it('is shown again when the chat is reopened, and is in no list of chats', async () => {
    const storage = createMemoryStorage();
    const opened = await openSpawningChat(
      { chat: [{ calls: [spawn('find')] }, 'May.'], find: [{ calls: [search()] }, 'In May.'] },
      { storage },
    );
    await opened.chat.send('when?');
    const shown = last(opened);
    const again = await openSpawningChat({ chat: [] }, { storage, notes: opened.notes, run: 2 });
    const { resultVariable: _live, ...expected } = inner(shown)[0] ?? { resultVariable: '' };
    expect(inner(last(again))).toMatchObject([JSON.parse(JSON.stringify(expected))]);
    expect(last(again)?.subAgent).toMatchObject({ status: 'completed', usage: { total_tokens: 30 } });
    expect(await again.chat.library.list()).toMatchObject({ items: [{ messages: 2 }] });
  });

  it('is held to the list of a chat that plans first', async () => {
    const opened = await openSpawningChat({
      chat: [{ calls: [spawn('note', { tools: ['daily_note'] })] }, 'Held.'],
      note: [{ calls: [append('One.')] }, 'It is held.'],
    });
    await opened.chat.setOwn({ planFirst: true });
    const sending = opened.chat.send('note it');
    opened.chat.decide((await opened.approval()).approvalId, { approved: true });
    await sending;
    expect(inner(last(opened))).toMatchObject([{ tool: 'daily_note', status: 'error', error: { code: 'not_approved' } }]);
  });

  it('asks for each change in its own name, even where the tool was allowed in the chat, and Undo reverts what it wrote', async () => {
    const opened = await openSpawningChat({
      chat: [{ calls: [append('Mine.')] }, 'ok', { calls: [spawn('note', { tools: ['daily_note'] })] }, 'Done.'],
      note: [{ calls: [append('One.', 'w1')] }, { calls: [append('Two.', 'w2')] }, 'Both are in.'],
    });
    void opened.chat.send('first');
    opened.chat.decide((await opened.approval()).approvalId, { approved: true, remember: true });
    await opened.until((view) => !view.running && view.messages.length === 2);
    const sending = opened.chat.send('note it');
    const asked = await opened.approval();
    expect(asked).toMatchObject({ tool: 'spawn', args: { tools: ['daily_note'] } });
    opened.chat.decide(asked.approvalId, { approved: true });
    for (const text of ['One.', 'Two.']) {
      const request = (
        await opened.until(({ approvals }) => approvals.some(({ plan }) => plan?.operations.some(({ after }) => after?.includes(text))))
      ).approvals[0];
      expect(request).toMatchObject({ tool: 'daily_note', subAgent: { callId: 'sp-note', label: 'L note' } });
      expect(request?.scope).toBeUndefined();
      opened.chat.decide(request?.approvalId ?? '', { approved: true });
    }
    await sending;
    expect(inner(last(opened))).toMatchObject([{ wrote: {} }, { wrote: {} }]);
    const answer = opened.chat.view().messages.at(-1);
    const daily = () => opened.notes.store.documents.find(({ day }) => day)?.blocks.map(({ markdown }) => markdown);
    expect(daily()).toEqual(['Morning walk.', 'Mine.', 'One.', 'Two.']);
    expect(answer?.undo).toMatchObject({ blocks: 2, undone: false });
    await opened.chat.undo(answer?.nodeId ?? '');
    expect(daily()).toEqual(['Morning walk.', 'Mine.']);
  });

  it('has its calls started by hand too if that is set, and asks in its own name', async () => {
    const opened = await openSpawningChat(
      { chat: [{ calls: [spawn('find')] }, 'May.'], find: [{ calls: [search()] }, 'In May.'] },
      { behavior: { mode: 'manual' } },
    );
    const sending = opened.chat.send('when?');
    const first = await opened.approval();
    expect(first).toMatchObject({ tool: 'spawn', manual: true });
    opened.chat.decide(first.approvalId, { approved: true });
    const own = (await opened.until(({ approvals }) => approvals.some(({ tool }) => tool === 'search_notes'))).approvals[0];
    expect(own).toMatchObject({ manual: true, subAgent: { callId: 'sp-find', label: 'L find' } });
    expect(inner(last(opened))).toMatchObject([{ status: 'waiting' }]);
    opened.chat.decide(own?.approvalId ?? '', { approved: false });
    await sending;
    expect(inner(last(opened))).toMatchObject([{ status: 'execution_rejected' }]);
  });

  it('may not write with tools that were not named, start sub-agents, or have tools that do not exist', async () => {
    const opened = await openSpawningChat({
      chat: [{ calls: [spawn('a'), spawn('b', { tools: ['spawn'] }), spawn('c', { tools: ['edit_blok'] })] }, 'ok'],
      a: [{ calls: [append('No.')] }, 'I may not.'],
    });
    await opened.chat.send('go');
    expect(opened.notes.writes).toBe(0);
    expect(sent(opened, 'a')).toContain('you may only read with daily_note');
    const [, second, third] = callsOf(opened.chat.view());
    expect([second?.error?.code, third?.error]).toMatchObject([
      'unknown_tool',
      { code: 'unknown_tool', next: expect.stringContaining('edit_block') },
    ]);
  });

  it('waits while three others work', async () => {
    const gates = ['a', 'b', 'c', 'd'].map((name) => ({ name, gate: createGate() }));
    const opened = await openSpawningChat({
      chat: [{ calls: gates.map(({ name }) => spawn(name)) }, 'ok'],
      ...Object.fromEntries(gates.map(({ name, gate }): [string, ScriptedReply[]] => [name, [{ text: name, gateEnd: gate }]])),
    });
    const sending = opened.chat.send('go');
    await Promise.all(gates.slice(0, 3).map(({ gate }) => gate.reached));
    expect(callsOf(opened.chat.view()).map(({ subAgent }) => subAgent?.status)).toEqual(['running', 'running', 'running', undefined]);
    expect(opened.models.d?.requests).toEqual([]);
    gates[1]?.gate.open();
    await gates[3]?.gate.reached;
    for (const { gate } of gates) gate.open();
    await sending;
    expect(callsOf(opened.chat.view()).map(({ status }) => status)).toEqual(['success', 'success', 'success', 'success']);
  });
});

describe('stopping', () => {
  async function running(): Promise<{ opened: SpawningChat; sending: Promise<void> }> {
    const gate = createGate();
    const opened = await openSpawningChat({
      chat: [{ calls: [spawn('one'), spawn('two')] }, 'ok'],
      one: [{ calls: [search()] }, { text: 'So far', gateEnd: gate }],
      two: ['Two.'],
    });
    const sending = opened.chat.send('go');
    await gate.reached;
    return { opened, sending };
  }

  it('one alone: the chat reads that the user stopped it, and what it had found', async () => {
    const { opened, sending } = await running();
    opened.chat.messages.stopCall('sp-one');
    await sending;
    expect(sent(opened)).toMatch(
      /The user stopped the sub-agent .*L one.*What it had found so far:.*So far.*search_notes .*planned for May/,
    );
    expect(callsOf(opened.chat.view())).toMatchObject([
      { subAgent: { status: 'aborted' } },
      { status: 'success', subAgent: { status: 'completed' } },
    ]);
    expect(opened.chat.view().messages.at(-1)?.status).toBe('done');
  });

  it('one that is still queued: it never begins', async () => {
    const gates = ['a', 'b', 'c'].map((name) => ({ name, gate: createGate() }));
    const opened = await openSpawningChat({
      chat: [{ calls: [...gates.map(({ name }) => spawn(name)), spawn('d')] }, 'ok'],
      ...Object.fromEntries(gates.map(({ name, gate }): [string, ScriptedReply[]] => [name, [{ text: name, gateEnd: gate }]])),
    });
    const sending = opened.chat.send('go');
    await Promise.all(gates.map(({ gate }) => gate.reached));
    opened.chat.messages.stopCall('sp-d');
    await opened.until((view) => callsOf(view).some(({ callId, status }) => callId === 'sp-d' && status === 'success'));
    for (const { gate } of gates) gate.open();
    await sending;
    expect(sent(opened)).toContain('It had found nothing.');
  });

  it('the turn: they end with it, every event has its end, and what they had done is kept', async () => {
    const { opened, sending } = await running();
    opened.chat.stop();
    await sending;
    expect(callsOf(opened.chat.view())[0]).toMatchObject({ status: 'aborted', subAgent: { status: 'aborted' } });
    expect(inner(callsOf(opened.chat.view())[0])).toMatchObject([{ status: 'success' }]);
    const ofOne = opened.events.filter(({ parentCallId }) => parentCallId === 'sp-one').map(({ type }) => type);
    expect(ofOne.filter((type) => type === 'tool-start')).toHaveLength(ofOne.filter((type) => type === 'tool-end').length);
    expect(ofOne.at(-1)).toBe('turn-end');
    expect(opened.events.at(-1)).toMatchObject({ type: 'turn-end', status: 'aborted' });
  });
});

describe('limits', () => {
  it('on its own rounds and tokens: when it reaches them, it is asked for its answer', async () => {
    const opened = await openSpawningChat({
      chat: [{ calls: [spawn('rounds', { max_rounds: 1 }), spawn('tokens', { max_tokens: 2000 })] }, 'ok'],
      rounds: [{ calls: [search('r1')] }, { calls: [search('r2')] }, 'All I have.'],
      tokens: [{ calls: [search('t1')], usage: { prompt_tokens: 1990, completion_tokens: 10, total_tokens: 2000 } }, 'Little.'],
    });
    await opened.chat.send('go');
    expect(sent(opened, 'rounds')).toContain('this turn has used its 1 rounds');
    expect(sent(opened, 'tokens')).toContain('you have used the tokens that you were given');
    const [rounds, tokens] = callsOf(opened.chat.view());
    expect([inner(rounds).length, inner(tokens).length]).toEqual([1, 0]);
    expect(sent(opened)).toMatch(/All I have\..*Little\./);
  });

  it('of the turn: its requests count toward them, and are recorded as a sub-agent’s', async () => {
    const ledger: Usages[] = [];
    const usage = { prompt_tokens: 90_000, completion_tokens: 10_000, total_tokens: 100_000 };
    const opened = await openSpawningChat(
      { chat: [{ calls: [spawn('a')] }, 'never asked'], a: [{ calls: [search()], usage }, { text: 'never asked' }] },
      {
        around: (model) =>
          budgetedModel(model, {
            ledger: {
              underway: new Set(),
              add: async (_day, used) => void ledger.push(used),
              spent: async () => ({ day: { tokens: 0, dollars: 0 }, month: { tokens: 0, dollars: 0 } }),
              report: async () => ({ days: [], damaged: [] }),
              startAnew: async () => undefined,
            },
            budget: () => ({ turn: { tokens: 50_000 } }),
            prices: () => ({}),
            today: () => '2026-11-22',
            use: { sessionId: 's', purpose: 'answer' },
          }),
      },
    );
    await opened.chat.send('go');
    expect(ledger.map(({ purpose, tokens }) => [purpose, tokens])).toEqual([
      ['answer', 15],
      ['sub-agent', 100_000],
    ]);
    expect(last(opened)?.subAgent).toMatchObject({ status: 'error', error: { code: 'budget_reached' } });
    expect(opened.chat.view().messages.at(-1)).toMatchObject({ status: 'error', error: { code: 'budget_reached' } });
  });
});

describe('what may no longer be read', () => {
  it('hides the words of a sub-agent that read it', async () => {
    const opened = await openSpawningChat({
      chat: [{ calls: [spawn('find')] }, 'It is May.', 'ok'],
      find: [{ calls: [search()] }, 'The launch is in May.'],
    });
    await opened.chat.send('when?');
    const [work] = opened.notes.store.notebooks;
    Object.assign(work ?? {}, { right: 'none' });
    await opened.chat.send('again?');
    expect(sent(opened)).not.toContain('May');
  });

  it('hides it in the same turn, and from the sub-agent itself', async () => {
    const opened = await openSpawningChat({
      chat: [{ calls: [spawn('find')] }, 'ok'],
      find: [
        { calls: [search()] },
        () => {
          Object.assign(opened.notes.store.notebooks[0] ?? {}, { right: 'none' });
          return { calls: [{ name: 'datetime', arguments: {}, id: 'd1' }] };
        },
        'The launch is in May.',
      ],
    });
    await opened.chat.send('when?');
    expect(sent(opened, 'find')).toContain(LEFT_OUT);
    expect(sent(opened, 'find')).not.toContain('planned for May');
    expect(sent(opened)).not.toContain('May');
  });
});

describe('killed while a sub-agent works', () => {
  it('the call says that it was cut off, what was done is shown, and Undo finds what was written', async () => {
    const storage = createMemoryStorage();
    const gate = createGate();
    const opened = await openSpawningChat(
      {
        chat: [{ calls: [spawn('note', { tools: ['daily_note'] })] }],
        note: [{ calls: [search(), append('One.')] }, { text: 'It is', gateEnd: gate }],
      },
      { storage },
    );
    void opened.chat.send('note it');
    opened.chat.decide((await opened.approval()).approvalId, { approved: true });
    const view = await opened.until(({ approvals }) => approvals.some(({ tool }) => tool === 'daily_note'));
    opened.chat.decide(view.approvals[0]?.approvalId ?? '', { approved: true });
    await gate.reached;
    const crashed = createMemoryStorage(Object.fromEntries(storage.files));
    const again = await openSpawningChat({ chat: ['ok'] }, { storage: crashed, notes: opened.notes, run: 2 });
    expect(last(again)).toMatchObject({ status: 'interrupted', subAgent: { status: 'aborted' } });
    expect(inner(last(again))).toMatchObject([
      { tool: 'search_notes', status: 'success' },
      { tool: 'daily_note', wrote: {} },
    ]);
    expect(again.chat.view().messages.at(-1)?.undo).toMatchObject({ blocks: 1 });
    gate.open();
  });
});
