import type { ChangePlan } from '../tools/contract/plans.ts';
import type { WriteHistory } from '../tools/contract/ports.ts';
import type { ApprovalAdapter, ApprovalDecision, ApprovalRequest, ToolExecuteResult } from '../tools/contract/types.ts';
import { InlineApprovalAdapter } from '../tools/executor/approvals.ts';
import type { ToolExecutor } from '../tools/executor/executor.ts';
import type { OrderFiles, OrderRun, Proposal } from './order-files.ts';
import { beforeOf } from './proposing.ts';

/** A kept proposal, planned again against the notes of now. */
export interface InboxItem {
  readonly id: string;
  readonly run: string;
  readonly order: string;
  /** The order's name. */
  readonly name: string;
  readonly started: number;
  /** The note that got the tag, if it ran for one. */
  readonly note: string | undefined;
  readonly tool: string;
  /** What it would do, as it was proposed. */
  readonly words: string;
  /** Present if it still fits: what an approval decides about. */
  readonly request: ApprovalRequest | undefined;
  /** Why it does not fit any more; '' if it does. */
  readonly changed: string;
}

/** What a person decides. `never`: the order is asked not to propose it again. */
export type InboxDecision = ApprovalDecision | { readonly approved: false; readonly never: true };

export interface InboxDeps {
  readonly files: OrderFiles;
  /** The ordinary tools, under the rights of now; each call asks `approvalAdapter`. */
  readonly executor: (approvalAdapter: ApprovalAdapter) => ToolExecutor;
  readonly history: Pick<WriteHistory, 'state'>;
  /** Records a call and its result in the chat of the run. */
  readonly record?: (run: OrderRun, call: Proposal, result: ToolExecuteResult) => void;
  readonly onChange?: () => void;
}

interface Open {
  readonly request: ApprovalRequest;
  readonly ended: Promise<ToolExecuteResult>;
  readonly stop: AbortController;
}

const keyOf = (run: string, id: string): string => `${run}:${id}`;
const CHANGED = 'the text that it would change is another by now';

/** Proposals of runs that wait for a person. An approved one is an ordinary call of the run's chat: its checks, journal and Undo are the same. */
export class Inbox {
  private readonly deps: InboxDeps;
  private readonly adapter = new InlineApprovalAdapter();
  private readonly tools: ToolExecutor;
  private readonly open = new Map<string, Open>();

  constructor(deps: InboxDeps) {
    this.deps = deps;
    this.tools = deps.executor(this.adapter);
  }

  /** How many wait, without planning them. */
  async count(): Promise<number> {
    return (await this.pending()).length;
  }

  /** All that waits, oldest run first; each planned against the notes of now. Rejects like the storage. */
  async list(): Promise<readonly InboxItem[]> {
    const items: InboxItem[] = [];
    for (const { run, proposal } of await this.pending()) {
      const item = await this.item(run, proposal);
      if (item) items.push(item);
    }
    return items;
  }

  /**
   * False if it is not pending any more. Rejects like the call if it could not be carried out: it then stays pending. Only what `list`
   * planned last can be approved.
   */
  async decide(runId: string, id: string, decision: InboxDecision): Promise<boolean> {
    const key = keyOf(runId, id);
    const run = await this.deps.files.run(runId);
    if (run?.proposals.find((each) => each.id === id)?.status !== 'pending') return false;
    const open = this.open.get(key);
    if (!decision.approved) {
      this.close(key);
      await this.settle(runId, id, 'never' in decision ? 'declined' : 'rejected');
      return true;
    }
    if (!open || !this.adapter.decide(open.request.approvalId, decision)) return false;
    const result = await open.ended;
    this.open.delete(key);
    const proposal = run.proposals.find((each) => each.id === id);
    if (proposal) this.deps.record?.(run, proposal, result);
    if (result.written === undefined) throw new InboxFailure(result);
    await this.settle(runId, id, 'approved');
    return true;
  }

  /** Those that do not fit go. */
  async drop(runId: string, id: string): Promise<void> {
    this.close(keyOf(runId, id));
    await this.settle(runId, id, 'dropped');
  }

  dispose(): void {
    for (const key of [...this.open.keys()]) this.close(key);
    this.adapter.dispose();
  }

  private async pending(): Promise<readonly { readonly run: OrderRun; readonly proposal: Proposal }[]> {
    const runs = (await this.deps.files.runs()).filter(({ status }) => status !== 'running').reverse();
    return runs.flatMap((run) => run.proposals.flatMap((proposal) => (proposal.status === 'pending' ? [{ run, proposal }] : [])));
  }

  /** Null if it was written already, before a crash. */
  private async item(run: OrderRun, proposal: Proposal): Promise<InboxItem | null> {
    const { id, tool, words, nodeId } = proposal;
    const key = keyOf(run.id, id);
    if ((await this.deps.history.state(run.id, nodeId, id)).blocks > 0) {
      await this.settle(run.id, id, 'approved');
      return null;
    }
    this.close(key);
    const planned = await this.plan(run, proposal);
    const fits = planned.request && beforeOf(planned.request.plan ?? NO_PLAN) === proposal.before;
    if (!fits) this.close(key);
    const changed = fits ? '' : (planned.reason ?? CHANGED);
    const { order, name, started, note } = run;
    return { id, run: run.id, order, name, started, note, tool, words, request: fits ? planned.request : undefined, changed };
  }

  /** Begins the call, which waits at its approval. */
  private async plan(run: OrderRun, { id, nodeId, tool, args }: Proposal): Promise<{ request?: ApprovalRequest; reason?: string }> {
    const stop = new AbortController();
    const options = { callId: id, sessionId: run.id, nodeId, signal: stop.signal, confirmed: false };
    const before = new Set(this.adapter.list());
    let answer = (_request: ApprovalRequest): void => undefined;
    const asked = new Promise<ApprovalRequest>((resolve) => {
      answer = resolve;
    });
    const unsubscribe = this.adapter.subscribe((requests) => {
      const request = requests.find((each) => !before.has(each) && each.callId === id && !each.manual);
      if (request) answer(request);
    });
    const ended = this.tools.execute(tool, args, options);
    const first = await Promise.race([asked, ended]);
    unsubscribe();
    if ('status' in first) return { reason: first.error?.message ?? first.finalText ?? first.status };
    this.open.set(keyOf(run.id, id), { request: first, ended, stop });
    return { request: first };
  }

  private close(key: string): void {
    this.open.get(key)?.stop.abort();
    this.open.delete(key);
  }

  private async settle(runId: string, id: string, status: Proposal['status']): Promise<void> {
    const run = await this.deps.files.run(runId);
    if (!run) return;
    await this.deps.files.writeRun({ ...run, proposals: run.proposals.map((each) => (each.id === id ? { ...each, status } : each)) });
    this.deps.onChange?.();
  }
}

const NO_PLAN: Pick<ChangePlan, 'operations'> = { operations: [] };

/** An approved change that was not written. */
export class InboxFailure extends Error {
  readonly result: ToolExecuteResult;

  constructor(result: ToolExecuteResult) {
    super(result.error?.message ?? result.status);
    this.result = result;
  }
}
