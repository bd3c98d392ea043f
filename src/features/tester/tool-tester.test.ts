import { describe, expect, it, vi } from 'vitest';
import type { ActivityRecord } from '../../chat/activity/activity.ts';
import { memoryActivity } from '../../chat/testing/memory-activity.ts';
import { sampleNotes } from '../../chat/testing/open-chat.ts';
import { counter, steppingClock } from '../../chat/testing/samples.ts';
import { PROTOCOLS } from '../../protocol/protocols.ts';
import { DEFAULT_TOOL_CALL_BEHAVIOR } from '../../tools/contract/tool-call-config.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { createBlocksGroup, createDocumentsGroup, toolExecutorFactory } from '../../tools/index.ts';
import { inMemoryRights } from '../../tools/testing/in-memory-rights.ts';
import { type TesterRun, ToolTester } from './tool-tester.ts';

interface Opened {
  readonly tester: ToolTester;
  /** The executor of the open chat. */
  readonly chat: ToolExecutor;
  readonly records: ReadonlyMap<string, ActivityRecord>;
}

function open(): Opened {
  const notes = sampleNotes();
  const clock = steppingClock(1_700_000_000_000);
  const { store, records } = memoryActivity();
  const executor = (): ToolExecutor =>
    toolExecutorFactory({
      ...{ clock, rights: inMemoryRights(notes), groupDefaults: { documents: true, blocks: true } },
      groups: [createDocumentsGroup(notes, clock), createBlocksGroup(notes)],
    });
  const chat = executor();
  const tester = new ToolTester({
    ...{ activity: store, clock, newId: counter('t'), chat: () => chat },
    executor: ({ approvalAdapter }) =>
      toolExecutorFactory({
        ...{ approvalAdapter, clock, rights: inMemoryRights(notes), behavior: () => ({ ...DEFAULT_TOOL_CALL_BEHAVIOR, mode: 'manual' }) },
        groups: [createDocumentsGroup(notes, clock), createBlocksGroup(notes)],
      }),
  });
  return { tester, chat, records };
}

const APPEND = { op: 'append', notebook: 'Work', markdown: 'Bought leeks.' };

/** Names of the variables that calls left. */
const kept = ({ varSystem }: ToolExecutor): readonly string[] =>
  varSystem.listVariables().flatMap(({ name, type }) => (type.startsWith('ToolCall') ? [name] : []));

/** Runs a call and decides about it as soon as it asks. */
async function decided(tester: ToolTester, approved: boolean): Promise<TesterRun | undefined> {
  const stop = tester.subscribe(({ approvals: [request] }) => {
    if (request) tester.decide(request.approvalId, { approved });
  });
  const run = await tester.run('run', 'daily_note', APPEND);
  stop();
  return run;
}

describe('a dry run', () => {
  it.each(['daily_note', 'read_doc'])('of %s shows what would happen; nothing is run, kept or recorded', async (tool) => {
    const { tester, records, chat } = open();
    const execute = vi.spyOn(tester.executor.getTool(tool)!, 'execute');
    chat.setPermission('daily_note', { executionPolicy: 'auto' });
    const run = await tester.run('dry', tool, tool === 'read_doc' ? { path: '/Projects/Apollo' } : APPEND);
    expect(run).toMatchObject({ status: 'planned', kind: 'dry', planned: { tool } });
    expect(run?.planned?.plan?.operations.length ?? 0).toBe(tool === 'daily_note' ? 1 : 0);
    expect([run?.result, records.size, kept(tester.executor)]).toEqual([undefined, 0, []]);
    expect(execute).not.toHaveBeenCalled();
  });

  it('of a call that would be refused says why, and leaves the policies for the next run alone', async () => {
    const { tester } = open();
    expect(await tester.run('dry', 'read_doc', { depth: 1 })).toMatchObject({
      status: 'error',
      result: { error: { code: 'bad_arguments' } },
    });
    expect(await tester.run('run', 'read_doc', { path: '/Projects/Apollo' })).toMatchObject({ status: 'success' });
  });
});

describe('a call that is tried out', () => {
  it('asks as in the chat, is recorded under its own session, and allows nothing for the next run', async () => {
    const { tester, records, chat } = open();
    chat.setPermission('daily_note', { executionPolicy: 'ask-once' });
    const run = await decided(tester, true);
    expect(run).toMatchObject({ status: 'success', result: { written: { undoable: true } } });
    expect([...records.values()]).toMatchObject([
      { toolName: 'daily_note', effect: 'write', status: 'success', sessionId: run?.sessionId },
    ]);
    expect(run?.sessionId).toMatch(/^tester-/);
    const again = await decided(tester, false);
    expect(again).toMatchObject({ status: 'execution_rejected' });
    expect(chat.approvalRecords.list()).toEqual([]);
    expect(kept(tester.executor)).toEqual(['daily_note_t3_result', 'daily_note_t3_args']);
    expect(kept(chat)).toEqual([]);
  });

  it('obeys the current switches, runs one at a time, and keeps the last ten', async () => {
    const { tester, chat } = open();
    chat.setToolEnabled('read_doc', false);
    expect(await tester.run('run', 'read_doc', { path: '/Projects/Apollo' })).toMatchObject({
      result: { error: { code: 'tool_disabled' } },
    });
    const first = tester.run('run', 'daily_note', APPEND);
    expect(await tester.run('run', 'daily_note', APPEND)).toBeUndefined();
    await expect.poll(() => tester.view().approvals.length).toBe(1);
    expect(tester.view().approvals[0]?.scope).toBeUndefined();
    tester.stop();
    expect(await first).toMatchObject({ status: 'aborted' });
    for (let n = 0; n < 12; n++) await tester.run('run', 'nothing', { n });
    expect(tester.view().runs.map(({ args }) => args.n)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2]);
    expect(tester.view().runs[0]).toMatchObject({ status: 'not_found' });
  });
});

describe('requests of a text', () => {
  it.each(PROTOCOLS)('run like a model’s, each recorded, with the results in the format of the protocol: $id', async (protocol) => {
    const { tester, records, chat } = open();
    const read = protocol.formatToolRequest({ toolName: 'read_doc', args: { path: '/Projects/Apollo' } });
    const append = protocol.formatToolRequest({ toolName: 'daily_note', args: APPEND });
    const unknown = protocol.formatToolRequest({ toolName: 'nothing', args: {} });
    tester.subscribe(({ approvals: [request] }) => request && tester.decide(request.approvalId, { approved: false, reason: 'not now' }));
    const cycle = await tester.runText(`First.\n${read}\n${append}\n${unknown}`, protocol);
    expect(tester.view().runs.map(({ tool, status }) => [tool, status])).toEqual([
      ['nothing', 'not_found'],
      ['daily_note', 'execution_rejected'],
      ['read_doc', 'success'],
    ]);
    expect(cycle?.callIds).toHaveLength(3);
    expect(cycle?.reply).toContain('The launch is planned for May.');
    expect(cycle?.reply).toContain('not now');
    expect(records.size).toBe(3);
    expect(kept(chat)).toEqual([]);
    expect(tester.instructions().described.map(({ toolId }) => toolId)).toEqual(['blocks', 'documents', 'vars']);
  });

  it('asks about writes side by side, as a chat does, and starts no call for a request that cannot be read', async () => {
    const { tester } = open();
    const protocol = PROTOCOLS[0];
    const append = protocol.formatToolRequest({ toolName: 'daily_note', args: APPEND });
    const running = tester.runText(
      `${append}\n${append}\n${protocol.formatToolRequest({ toolName: 'read_doc', args: {} }).slice(0, -30)}`,
      protocol,
    );
    await expect.poll(() => tester.view().approvals.length).toBe(2);
    for (const { approvalId } of tester.view().approvals) tester.decide(approvalId, { approved: false });
    const cycle = await running;
    expect([cycle?.callIds.length, tester.view().runs.map(({ status }) => status)]).toEqual([2, Array(2).fill('execution_rejected')]);
    expect(cycle?.reply).toContain('could not be read');
  });
});
