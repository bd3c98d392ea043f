import { describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../contract/types.ts';
import { ApprovalRecords } from './approval-records.ts';
import { HeadlessApprovalAdapter, InlineApprovalAdapter } from './approvals.ts';

const request = (approvalId: string): ApprovalRequest => ({ approvalId, callId: 'c', kind: 'execution', tool: 't', args: {} });
const live = () => new AbortController().signal;

describe('InlineApprovalAdapter', () => {
  it('holds several until each is decided once', async () => {
    const adapter = new InlineApprovalAdapter();
    const seen: number[] = [];
    adapter.subscribe((requests) => seen.push(requests.length));
    const first = adapter.request(request('1'), live());
    const second = adapter.request(request('2'), live());
    expect(adapter.list().map(({ approvalId }) => approvalId)).toEqual(['1', '2']);
    expect(adapter.decide('2', { approved: false, reason: 'no' })).toBe(true);
    expect(adapter.decide('2', { approved: true })).toBe(false);
    adapter.decide('1', { approved: true });
    expect(await Promise.all([first, second])).toEqual([{ approved: true }, { approved: false, reason: 'no' }]);
    expect(seen).toEqual([1, 2, 1, 0]);
  });

  it('rejects on abort, before or while it waits', async () => {
    const adapter = new InlineApprovalAdapter();
    const controller = new AbortController();
    const waiting = adapter.request(request('1'), controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await expect(adapter.request(request('2'), controller.signal)).rejects.toMatchObject({ code: 'aborted' });
    expect(adapter.list()).toEqual([]);
  });

  it('rejects everything on dispose, and what comes later', async () => {
    const adapter = new InlineApprovalAdapter();
    const waiting = adapter.request(request('1'), live());
    adapter.dispose();
    await expect(waiting).rejects.toMatchObject({ code: 'aborted' });
    await expect(adapter.request(request('2'), live())).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('a call that a person started', () => {
  it('is answered beforehand, it alone, until that is forgotten or where nothing was decided', async () => {
    const adapter = new InlineApprovalAdapter();
    const asked: string[] = [];
    const forget = adapter.beforehand('mine', ({ kind }) => (kind === 'execution' ? { approved: true } : undefined));
    adapter.beforehand('other', () => ({ approved: false }));
    adapter.subscribe((requests) => {
      for (const { approvalId } of requests) asked.push(approvalId);
    });
    const ask = (approvalId: string, callId: string, kind: ApprovalRequest['kind'] = 'execution') =>
      adapter.request({ ...request(approvalId), callId, kind }, live());
    expect([await ask('1', 'mine'), await ask('2', 'other')]).toEqual([{ approved: true }, { approved: false }]);
    void ask('3', 'mine', 'result');
    void ask('4', 'somebody');
    forget();
    void ask('5', 'mine');
    expect([asked.at(-1), adapter.list().map(({ approvalId }) => approvalId)]).toEqual(['5', ['3', '4', '5']]);
  });
});

describe('HeadlessApprovalAdapter', () => {
  it('rejects without a policy', async () => {
    expect(await new HeadlessApprovalAdapter().request(request('1'), live())).toMatchObject({ approved: false });
  });

  it('asks its policy nothing for a call that is stopped', async () => {
    const asked: ApprovalRequest[] = [];
    const adapter = new HeadlessApprovalAdapter((one) => {
      asked.push(one);
      return { approved: true };
    });
    await expect(adapter.request(request('1'), AbortSignal.abort())).rejects.toMatchObject({ code: 'aborted' });
    expect(asked).toEqual([]);
  });

  it('asks its policy', async () => {
    const adapter = new HeadlessApprovalAdapter(({ tool }) => ({ approved: true, remember: tool === 't' }));
    expect(await adapter.request(request('1'), live())).toEqual({ approved: true, remember: true });
  });
});

describe('ApprovalRecords', () => {
  it('can be seen, revoked, restored and watched', () => {
    const records = new ApprovalRecords();
    let changes = 0;
    const stop = records.subscribe(() => changes++);
    records.allow('t', 'a');
    records.allow('t', 'a');
    records.allow('t', 'b');
    records.revoke('t', 'a');
    expect(records.list()).toEqual([{ tool: 't', scope: 'b' }]);
    expect([records.allows('t', 'a'), records.allows('t', 'b'), records.allows('u', 'b'), changes]).toEqual([false, true, false, 3]);
    stop();
    records.restore([{ tool: 'x', scope: 'y' }]);
    expect([records.allows('x', 'y'), records.allows('t', 'b'), changes]).toEqual([true, false, 3]);
  });
});
