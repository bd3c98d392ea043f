import { PendingApprovals, type PendingDecision, type PendingEntry, type PendingList } from '../../tools/calls/pending.ts';
import { type CallRecorder, startPersonsCall } from '../../tools/calls/recorded-call.ts';
import { type EventError, NotCarriedOut } from '../../tools/contract/errors.ts';
import { type ChangePlan, withoutDrawing } from '../../tools/contract/plans.ts';
import type { Clock, WriteHistory } from '../../tools/contract/ports.ts';
import type { ApprovalAdapter, ApprovalDecision, ApprovalRequest, ToolExecuteResult } from '../../tools/contract/types.ts';
import { InlineApprovalAdapter } from '../../tools/executor/approvals.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { canonicalJson } from '../../tools/util/plain-value.ts';
import { Turns } from '../../tools/util/turns.ts';
import type { OrderFiles, OrderRun, Proposal } from './order-files.ts';
import { beforeOf } from './proposing.ts';
import { waitingIn } from './waiting-proposals.ts';

/** A kept proposal, planned again against the notes of now. */
export interface InboxItem {
  readonly id: string;
  readonly run: string;
  /** The answer of the run that it belongs to. */
  readonly nodeId: string;
  readonly order: string;
  /** The order's name. */
  readonly name: string;
  readonly started: number;
  /** The note that got the tag, if it ran for one. */
  readonly note: string | undefined;
  /** Ids of the notes and rows that the run was about. */
  readonly about: readonly string[];
  readonly tool: string;
  /** What it would do, as it was proposed. */
  readonly words: string;
  /** Present if it still fits: what an approval decides about. */
  readonly request: ApprovalRequest | undefined;
  /** Why it does not fit any more; '' if it does. */
  readonly changed: string;
  /** Of the failure that says it; absent: the text that it would change is another. */
  readonly code?: EventError['code'] | undefined;
}

export interface InboxDeps {
  readonly files: OrderFiles;
  /** The ordinary tools; each call asks `approvalAdapter`. */
  readonly executor: (approvalAdapter: ApprovalAdapter) => ToolExecutor;
  /** Applies the rights and switches of this moment to them. */
  readonly follow: (executor: ToolExecutor) => void | Promise<void>;
  /** What waits for a person in this program. */
  readonly pending: PendingList;
  readonly history: Pick<WriteHistory, 'state'>;
  /** Records the calls of a run's chat. */
  readonly recorder: (run: OrderRun) => CallRecorder | null;
  /** The text of a block; undefined for none that may be read. */
  readonly textOf: (id: string) => Promise<string | undefined>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  readonly onChange?: () => void;
}

interface Open {
  readonly run: string;
  readonly id: string;
  /** What was planned, which may be a part of what was proposed. */
  readonly args: Proposal['args'];
  readonly request: ApprovalRequest;
  readonly ended: Promise<ToolExecuteResult>;
  readonly stop: AbortController;
  /** It was approved, and is carried out. */
  isRunning: boolean;
}

const keyOf = (run: string, id: string): string => `${run}:${id}`;
const CHANGED = 'the text that it would change is another by now';

/** Proposals of runs that wait for a person. An approved one is an ordinary call of the run's chat: its checks, journal and Undo are the same. */
export class Inbox {
  private readonly deps: InboxDeps;
  private readonly adapter = new InlineApprovalAdapter();
  private readonly approvals: PendingApprovals;
  private readonly leavePending: () => void;
  private readonly tools: ToolExecutor;
  private readonly open = new Map<string, Open>();
  /** Whose proposals were planned, by call. */
  private readonly names = new Map<string, Pick<PendingEntry, 'name' | 'sessionId'>>();
  /** One plans or decides at a time: whoever is second finds what the first has left. */
  private readonly turns = new Turns(1);

  constructor(deps: InboxDeps) {
    this.deps = deps;
    this.tools = deps.executor(this.adapter);
    const approvals = new PendingApprovals(this.adapter, {
      ...{ from: 'order', newId: deps.newId, follow: () => deps.follow(this.tools) },
      about: ({ callId }): Pick<PendingEntry, 'name' | 'sessionId'> => this.names.get(callId) ?? { name: '', sessionId: '' },
    });
    this.approvals = approvals;
    this.leavePending = deps.pending.add({
      ...{ from: approvals.from, follow: approvals.follow, list: () => approvals.list() },
      subscribe: (listener) => approvals.subscribe(listener),
      decide: (entry, decision) => this.decideEntry(entry, decision),
    });
  }

  /** How many wait, without planning them. */
  async count(): Promise<number> {
    return waitingIn(await this.deps.files.runs()).length;
  }

  /** All that waits, oldest run first; each planned against the notes of now. Rejects like the storage. */
  list(): Promise<readonly InboxItem[]> {
    return this.turns.take(async () => {
      await this.deps.follow(this.tools);
      const items: InboxItem[] = [];
      for (const { run, proposal } of waitingIn(await this.deps.files.runs())) {
        const item = await this.item(run, proposal);
        if (item) items.push(item);
      }
      return items;
    });
  }

  /**
   * False if it is not pending any more. Rejects with NotCarriedOut if it could not be carried out, and with DecisionRefused: it then stays
   * pending. Only what `list` planned last can be approved.
   */
  async decide(runId: string, id: string, decision: PendingDecision): Promise<boolean> {
    if (!decision.approved) return this.end(runId, id, 'never' in decision ? 'declined' : 'rejected');
    const open = this.open.get(keyOf(runId, id));
    if (!open) return false;
    await this.deps.pending.decide(this.approvals.idOf(open.request.approvalId), decision);
    return true;
  }

  /** Those that do not fit go. */
  async drop(runId: string, id: string): Promise<void> {
    await this.end(runId, id, 'dropped');
  }

  dispose(): void {
    for (const key of [...this.open.keys()]) this.close(key);
    this.leavePending();
    this.adapter.dispose();
  }

  /** The same whatever list it was chosen from. */
  private async decideEntry(entry: string, decision: PendingDecision): Promise<boolean> {
    const open = [...this.open.values()].find(({ request }) => this.approvals.idOf(request.approvalId) === entry);
    if (!open) return false;
    const { run, id, ended } = open;
    if (!decision.approved) return this.decide(run, id, decision);
    const from = this.deps.clock.now();
    if (!(await this.turns.take(() => this.begin(open, entry, decision)))) return false;
    const result = await ended;
    const hasFailed = result.status !== 'success' && result.written === undefined;
    const written = { ids: idsOf(open.request, result), from, to: this.deps.clock.now() };
    await this.turns.take(() => this.settle(run, id, { status: hasFailed ? 'pending' : 'approved', written }));
    this.open.delete(keyOf(run, id));
    if (hasFailed) throw new InboxFailure(result);
    return true;
  }

  /** False if it is not pending any more. */
  private async begin(open: Open, entry: string, decision: ApprovalDecision): Promise<boolean> {
    const { run, id, request } = open;
    const now = this.deps.clock.now();
    if (this.open.get(keyOf(run, id)) !== open) return false;
    // What was seen is what is written: a later run may have replaced it, or a part of it, since.
    const waiting = await this.waiting(run, id);
    if (canonicalJson(waiting?.args ?? null) !== canonicalJson(open.args)) return false;
    // No journal would tell another program, or the next start, that it has run.
    if (!request.plan) await this.settle(run, id, { status: 'approved' });
    // A look may see it before it has ended.
    if (request.plan) await this.settle(run, id, { written: { ids: idsOf(request), from: now, to: now + LONGEST_WRITE_MS } });
    open.isRunning = true;
    this.approvals.decide(entry, decision);
    return true;
  }

  /** Without carrying it out; false if it is not pending any more. */
  private end(runId: string, id: string, status: Proposal['status']): Promise<boolean> {
    return this.turns.take(async () => {
      if (!(await this.waiting(runId, id))) return false;
      this.close(keyOf(runId, id));
      await this.settle(runId, id, { status });
      return true;
    });
  }

  /** Undefined if it is not pending any more. */
  private async waiting(runId: string, id: string): Promise<Proposal | undefined> {
    if (this.open.get(keyOf(runId, id))?.isRunning) return undefined;
    const found = waitingIn(await this.deps.files.runs()).find(({ run, proposal }) => run.id === runId && proposal.id === id)?.proposal;
    return found && (await this.deps.history.state(runId, found.nodeId, id)).blocks === 0 ? found : undefined;
  }

  /** Null if it is carried out, was written already, before a crash, or if the notes are so by now. */
  private async item(run: OrderRun, proposal: Proposal): Promise<InboxItem | null> {
    const { id, tool, words, nodeId } = proposal;
    const key = keyOf(run.id, id);
    if (this.open.get(key)?.isRunning) return null;
    if ((await this.deps.history.state(run.id, nodeId, id)).blocks > 0) {
      await this.settle(run.id, id, { status: 'approved' });
      return null;
    }
    const planned = await this.plan(run, proposal);
    const known = this.open.get(key);
    // What a person looks at stays what it is while it is planned alike.
    const isAlike = known && planned.open && shownOf(known) === shownOf(planned.open);
    if (isAlike) planned.open?.stop.abort();
    else this.close(key);
    const open = isAlike ? known : planned.open;
    if (open) this.open.set(key, open);
    const fits = open && isPartOf(beforeOf(open.request.plan ?? NO_PLAN), proposal.before);
    if (!fits) this.close(key);
    if (!fits && (planned.error?.code === 'no_change' || (await this.isWritten(proposal)))) {
      await this.settle(run.id, id, { status: 'dropped' });
      return null;
    }
    const changed = fits ? '' : (planned.error?.message ?? CHANGED);
    const { order, name, started, note, events = [] } = run;
    const about = note === undefined ? events.map((each) => each.id) : [note];
    const of = { id, run: run.id, nodeId, order, name, started, note, about, tool, words };
    return { ...of, request: fits ? open?.request : undefined, changed, code: planned.error?.code };
  }

  /** Whether all of its blocks are by now as it would make them. */
  private async isWritten({ after = {} }: Proposal): Promise<boolean> {
    const wanted = Object.entries(after);
    for (const [id, text] of wanted) if ((await this.deps.textOf(id))?.trim() !== text.trim()) return false;
    return wanted.length > 0;
  }

  /** Begins the call, which waits at its approval. */
  private async plan(
    run: OrderRun,
    { id, nodeId, tool, args }: Proposal,
  ): Promise<{ open?: Open; error?: Pick<EventError, 'code' | 'message'> }> {
    const { recorder, clock } = this.deps;
    const stop = new AbortController();
    this.names.set(id, { name: run.name, sessionId: run.id });
    const place = { sessionId: run.id, nodeId, clock, signal: stop.signal, executor: this.tools, recorder: recorder(run) };
    const call = startPersonsCall({ callId: id, tool, args }, { asker: 'proposal', ...place });
    await call.asked;
    const { approval: request, result } = call;
    if (!request) {
      const { error, finalText, status } = await result;
      return { error: error ?? { code: 'other', message: finalText ?? status } };
    }
    return { open: { run: run.id, id, args, request, ended: result, stop, isRunning: false } };
  }

  private close(key: string): void {
    this.open.get(key)?.stop.abort();
    this.open.delete(key);
  }

  private async settle(runId: string, id: string, change: Partial<Pick<Proposal, 'status' | 'written'>>): Promise<void> {
    const run = await this.deps.files.run(runId);
    if (!run) return;
    await this.deps.files.writeRun({ ...run, proposals: run.proposals.map((each) => (each.id === id ? { ...each, ...change } : each)) });
    this.deps.onChange?.();
  }
}

const LONGEST_WRITE_MS = 60_000;
const ID = /\b\d{14}-[0-9a-z]{7}\b/g;

/** All notes, blocks and rows that a call names or wrote. */
function idsOf({ args, plan }: ApprovalRequest, result?: ToolExecuteResult): string[] {
  const { documentId, blockIds } = result?.written ?? {};
  const named = JSON.stringify([args, plan?.document.id, plan?.operations.map(({ blockId }) => blockId), documentId, blockIds]);
  return [...new Set(named.match(ID))];
}

/** Whether all of these texts are among those; what is so by now is not planned again. */
function isPartOf(now: string, before: string): boolean {
  const known = new Set(listOf(before));
  return listOf(now).every((each) => known.has(each));
}

const listOf = (texts: string): readonly string[] => Array.from(JSON.parse(texts), (each) => JSON.stringify(each));

/** What a person sees of it: without the ids that each planning makes new. */
function shownOf({ args, request: { plan, outgoing, program } }: Open): string {
  const operations = plan?.operations.map(withoutDrawing) ?? [];
  const text = JSON.stringify([args, outgoing, program, plan && { ...plan, id: '', operations }]);
  const fresh = operations.flatMap(({ id, action, blockId }) =>
    action === 'insert' || action === 'create-document' ? [id, blockId] : [id],
  );
  return fresh.reduce((shown, id, place) => (id === '' ? shown : shown.replaceAll(id, `#${place}`)), text);
}

const NO_PLAN: Pick<ChangePlan, 'operations'> = { operations: [] };

class InboxFailure extends NotCarriedOut {
  constructor({ error, status }: ToolExecuteResult) {
    super(error?.code ?? 'tool_failed', error?.message ?? status, error?.next ?? 'list the inbox again');
  }
}
