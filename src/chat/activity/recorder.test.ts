import { describe, expect, it } from 'vitest';
import { memoryActivity } from '../testing/memory-activity.ts';
import { openChat } from '../testing/open-chat.ts';
import type { ActivityRecord, ActivityStore } from './activity.ts';
import { ActivityRecorder, interruptedRecord } from './recorder.ts';

const APOLLO = { path: '/Projects/Apollo' };

describe('the record of a call', () => {
  it('is there before the call runs, and whole when it has ended: question, answer, effect, result, sources, blocks', async () => {
    const { store, records, announced } = memoryActivity();
    const before: string[] = [];
    const opened = await openChat({
      replies: [
        { calls: [{ name: 'read_doc', arguments: APOLLO, id: 'c1' }] },
        { calls: [{ name: 'daily_note', arguments: { op: 'append', notebook: 'Work', markdown: 'api_key=abc123' }, id: 'c2' }] },
        'Done.',
      ],
      deps: { activity: store, onEvent: ({ type }) => void (type === 'tool-start' && before.push(announced.at(-1) ?? '')) },
    });
    const sent = opened.chat.send('Read it; my token=abc123');
    const { approvalId } = await opened.approval();
    opened.chat.decide(approvalId, { approved: true });
    await sent;
    expect(before).toEqual(['read_doc running', 'daily_note running']);
    const nodeId = opened.chat.view().messages.at(-1)?.nodeId;
    const { sessionId } = opened.chat.view();
    const questionId = opened.chat.view().messages.at(-2)?.nodeId;
    const head = { sessionId, messageId: nodeId, questionId, userMessage: 'Read it; my token=•••', error: null, status: 'success' };
    expect([...records.values()]).toEqual([
      {
        ...{ ...head, id: expect.any(String), callId: 'c1', toolName: 'read_doc', effect: 'read', arguments: APOLLO },
        ...{ result: expect.stringContaining('The launch is planned for May.'), durationMs: expect.any(Number) },
        ...{ timestamp: expect.any(Number), sources: [expect.objectContaining({ document: expect.any(String) })] },
      },
      expect.objectContaining({
        ...{ ...head, callId: 'c2', effect: 'write', arguments: { op: 'append', notebook: 'Work', markdown: 'api_key=•••' } },
        written: expect.objectContaining({ blockIds: [expect.any(String)], documentId: expect.any(String) }),
      }),
    ]);
  });

  it('tells a rejection with its reason, and a failure with its next step; neither has a result', async () => {
    const { store, records } = memoryActivity();
    const append = { op: 'append', notebook: 'Work', markdown: 'x' };
    const calls = [
      { name: 'daily_note', arguments: append },
      { name: 'read_doc', arguments: { id: '20200101000000-nothere' } },
    ];
    const opened = await openChat({ replies: [{ calls }, 'No.'], deps: { activity: store } });
    const sent = opened.chat.send('Note it.');
    const { approvalId } = await opened.approval();
    opened.chat.decide(approvalId, { approved: false, reason: 'not today' });
    await sent;
    expect([...records.values()].map(({ status, result, error }) => [status, result, error?.code, error?.message])).toEqual([
      ['execution_rejected', null, 'not_approved', 'it was rejected: not today'],
      ['error', null, 'not_found', expect.any(String)],
    ]);
  });

  it('holds why another program failed, in its words; not what a failure of our own quotes of notes', async () => {
    const { store, records } = memoryActivity();
    const effectOf = (tool: string) => (tool === 'read_doc' ? ('read' as const) : ('outgoing' as const));
    const deps = { store, effectOf, sessionId: 's', newId: () => `r${records.size}`, now: () => 1, question: () => null };
    const recorder = new ActivityRecorder({ ...deps, onTrouble: () => undefined });
    for (const tool of ['mcp_server_send', 'read_doc']) {
      recorder.begin({ callId: tool, nodeId: 'n', tool, arguments: {} });
      const error = { code: 'tool_failed', message: `${tool} failed`, next: '' } as const;
      recorder.end({ callId: tool }, { status: 'error', error, finalText: 'tool_failed\nthe disk is full, token=abc123' });
    }
    await expect
      .poll(() => [...records.values()].map(({ toolName, status, result }) => [toolName, status, result]))
      .toEqual([
        ['mcp_server_send', 'error', 'tool_failed\nthe disk is full, token=•••'],
        ['read_doc', 'error', null],
      ]);
  });

  it('is cut off where the chat is opened again after a crash, and says what to do', async () => {
    const { store, announced } = memoryActivity();
    const first = await openChat({ replies: ['a'], deps: { activity: store } });
    await first.chat.send('q');
    expect(announced).toEqual([]);
    const { sessionId } = first.chat.view();
    const again = await openChat({ storage: first.storage, run: 2, deps: { activity: store } });
    await again.chat.openChat(sessionId);
    expect(announced).toContain(`cut off ${sessionId}`);
    const record = { status: 'running', durationMs: null } as ActivityRecord;
    expect(interruptedRecord(record)).toMatchObject({ status: 'interrupted', durationMs: null, error: { code: 'interrupted' } });
  });

  it('that cannot be kept is told once, and costs the turn nothing', async () => {
    const calls = [1, 2, 3].map((n) => ({ name: 'calculate', arguments: { expression: `${n}` } }));
    const { store, announced } = memoryActivity(true);
    const opened = await openChat({ replies: [{ calls }, 'Six.'], deps: { activity: store } });
    const notices: string[] = [];
    opened.chat.subscribe(({ notice }) => void (notice && notices.at(-1) !== notice.message && notices.push(notice.message)));
    await opened.chat.send('Sum?');
    expect(opened.chat.view().messages.at(-1)).toMatchObject({ status: 'done' });
    expect(announced).toHaveLength(6);
    expect(notices).toEqual(['tool calls are not being recorded: the disk is full']);
  });
});

describe('a recorder', () => {
  it('keeps calls of sub-agents apart from those of the chat, cuts what is endless, and lets a finish follow its start', async () => {
    const { store, records, announced } = memoryActivity();
    let id = 0;
    const slow: ActivityStore = { ...store, start: (record) => Promise.resolve().then(() => store.start(record)) };
    const recorder = new ActivityRecorder({
      ...{ store: slow, sessionId: 's', newId: () => `id${++id}`, now: () => 7, effectOf: () => 'read', question: () => null },
      onTrouble: () => undefined,
    });
    const call = { callId: 'c', nodeId: 'n', tool: 'some', arguments: { list: ['x'.repeat(60_000)] } };
    recorder.begin(call, 5);
    recorder.begin({ ...call, parentCallId: 'c' }, 6);
    recorder.end({ callId: 'c', parentCallId: 'c' }, { status: 'success', formattedText: 'y'.repeat(300_000) });
    recorder.end({ callId: 'c' }, { status: 'aborted' }, 3);
    recorder.end({ callId: 'c' }, { status: 'success' });
    await expect.poll(() => announced.length).toBe(4);
    expect(announced.slice(0, 2)).toEqual(['some running', 'some running']);
    expect(records.get('id1')).toMatchObject({ status: 'aborted', durationMs: 3, error: { code: 'aborted' } });
    expect(records.get('id2')).toMatchObject({ parentCallId: 'c', status: 'success', durationMs: 1 });
    expect(records.get('id2')?.result).toMatch(/^y{200000}\n\[cut: 300000 characters in all\]$/);
    expect(JSON.stringify(records.get('id1')?.arguments).length).toBeLessThan(51_000);
  });
});
