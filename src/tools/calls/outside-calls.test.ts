import { expect, it } from 'vitest';
import { ToolError } from '../contract/errors.ts';
import { ASK_ALWAYS, testExecutor, testPlan, testTool } from '../testing/support.ts';
import { Listeners } from '../util/notify.ts';
import { type CallRoom, OutsideCalls } from './outside-calls.ts';
import type { PendingList } from './pending.ts';

/** A program whose notes are out of reach once its call was accepted. */
class LostNotes extends OutsideCalls {
  protected readonly asker = 'program';
  protected readonly waitMs = 60_000;
  protected readonly pending = { changes: new Listeners(), ofCall: () => undefined } as unknown as PendingList;
  private isLost = false;

  protected newId(): string {
    return 'c1';
  }

  protected async room(): Promise<CallRoom> {
    if (this.isLost) throw new ToolError('kernel_unreachable', 'SiYuan does not answer', 'start SiYuan');
    this.isLost = true;
    const { executor } = testExecutor([testTool('put', { effect: 'write', permission: ASK_ALWAYS, plan: async () => testPlan() })]);
    return { executor, sessionId: 's1', run: () => Promise.reject(new Error('it runs in no lost room')) };
  }
}

it('a change that cannot begin any more ends with the reason', async () => {
  const calls = new LostNotes();
  const id = await calls.begin('put', {});
  const state = await calls.wait(id, { signal: AbortSignal.timeout(5000), stopAtApproval: true, onProgress: () => undefined });
  expect(state).toMatchObject({ kind: 'ended', end: { status: 'error', text: expect.stringContaining('start SiYuan') } });
  expect(calls.isIdle).toBe(true);
});
