import type { ApprovalDecision, ApprovalRequest } from '../contract/types.ts';
import type { InlineApprovalAdapter } from '../executor/approvals.ts';
import { Listeners } from '../util/notify.ts';

export type PendingKind = 'chat' | 'program' | 'order' | 'host-agent';

export interface PendingEntry {
  /** Cannot be guessed. */
  readonly id: string;
  readonly from: PendingKind;
  /** The title of the chat, or the name of the program or order. */
  readonly name: string;
  readonly sessionId: string;
  readonly request: ApprovalRequest;
}

/** What a person decides. `never`: the order must not propose it again. */
export type PendingDecision = ApprovalDecision | { readonly approved: false; readonly never: true };

export interface PendingSource {
  readonly from: PendingKind;
  list(): readonly PendingEntry[];
  /** False if it does not wait any more; rejects if it could not be carried out and still waits. */
  decide(id: string, decision: PendingDecision): boolean | Promise<boolean>;
  /** Applies the rights and switches of this moment to the tools of its calls. */
  follow?(): void | Promise<void>;
  /** Calls back when something waits, or does not wait any more; returns a function that stops listening. */
  subscribe(listener: () => void): () => void;
}

/** Another program answers in the name of its person: for one call of its own, if its question contained the whole change. */
export interface FormAnswerer {
  readonly callId: string;
  readonly showed: (request: ApprovalRequest) => boolean;
}

/** A decision that was not carried out; what it was about still waits, unless it is `approval_missing`. */
export class DecisionRefused extends Error {
  readonly code: 'approval_missing' | 'bad_operations' | 'needs_right' | 'panel_only';
  readonly next: string;

  constructor(code: DecisionRefused['code'], message: string, next: string) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

/** The reason why a decision cannot be carried out, while it can still be corrected. */
function refusalOf(decision: PendingDecision, { plan }: ApprovalRequest): DecisionRefused | undefined {
  if (!decision.approved || !plan) return undefined;
  const { acceptedOperations: accepted, beyondRight = false } = decision;
  const known = new Set(plan.operations.map(({ id }) => id));
  const unknown = accepted?.find((id) => !known.has(id));
  if (unknown !== undefined || accepted?.length === 0)
    return new DecisionRefused(
      'bad_operations',
      unknown === undefined ? 'no change is accepted' : `the plan has no change ${JSON.stringify(unknown.slice(0, 80))}`,
      `accept some of ${[...known].join(', ')}, or send {"decision": "reject"}`,
    );
  if (plan.needsRight === undefined || beyondRight) return undefined;
  return new DecisionRefused(
    'needs_right',
    `the notebook “${plan.notebook.name}” does not allow this (it needs the right “${plan.needsRight}”)`,
    'send "beyond_right": true as well to allow it this once, or change the notebook’s right in the panel and ask again',
  );
}

const gone = (): DecisionRefused =>
  new DecisionRefused(
    'approval_missing',
    'nothing waits under this id: it was decided, or its turn has ended',
    'look at what is pending now',
  );

/** Everything of a program that waits for a person, whoever asked. */
export class PendingList {
  readonly changes = new Listeners<[]>();
  private readonly sources = new Set<PendingSource>();

  add(source: PendingSource): () => void {
    this.sources.add(source);
    const stop = source.subscribe(() => this.changes.call());
    return () => {
      stop();
      if (this.sources.delete(source)) this.changes.call();
    };
  }

  /** In the order of their sources, each in the order in which it asked. */
  list(): readonly PendingEntry[] {
    return [...this.sources].flatMap((source) => source.list());
  }

  ofCall(callId: string): PendingEntry | undefined {
    return this.list().find(({ request }) => request.callId === callId);
  }

  /** Decides after the checks of asking, with the rights and switches of this moment. Throws DecisionRefused. */
  async decide(id: string, decision: PendingDecision, by?: FormAnswerer): Promise<void> {
    if (decision.approved) await this.sourceOf(id)?.follow?.();
    const source = this.sourceOf(id);
    const request = source?.list().find((entry) => entry.id === id)?.request;
    if (!source || !request || (by && by.callId !== request.callId)) throw gone();
    if (by && decision.approved && !by.showed(request))
      throw new DecisionRefused('panel_only', 'a person approves this in the panel alone', 'ask the user to open Marginalia');
    const refusal = refusalOf(decision, request);
    if (refusal) throw refusal;
    if (!(await source.decide(id, decision))) throw gone();
  }

  private sourceOf(id: string): PendingSource | undefined {
    return [...this.sources].find((source) => source.list().some((entry) => entry.id === id));
  }
}

/** The approvals of a chat, or of a program, under ids of their own: those of calls can be guessed. */
export class PendingApprovals implements PendingSource {
  readonly from: PendingKind;
  readonly follow: () => void | Promise<void>;
  private readonly about: (request: ApprovalRequest) => Pick<PendingEntry, 'name' | 'sessionId'>;
  private readonly adapter: InlineApprovalAdapter;
  private readonly newId: () => string;
  private readonly ids = new Map<string, string>();

  constructor(
    adapter: InlineApprovalAdapter,
    options: Pick<PendingSource, 'from'> & {
      readonly follow: () => void | Promise<void>;
      readonly newId: () => string;
      readonly about: (request: ApprovalRequest) => Pick<PendingEntry, 'name' | 'sessionId'>;
    },
  ) {
    this.adapter = adapter;
    this.from = options.from;
    this.follow = options.follow;
    this.newId = options.newId;
    this.about = options.about;
  }

  list(): readonly PendingEntry[] {
    const { from } = this;
    return this.adapter.list().map((request) => ({ id: this.idOf(request.approvalId), from, ...this.about(request), request }));
  }

  decide(id: string, decision: ApprovalDecision): boolean {
    const request = this.adapter.list().find(({ approvalId }) => this.ids.get(approvalId) === id);
    return request !== undefined && this.adapter.decide(request.approvalId, decision);
  }

  subscribe(listener: () => void): () => void {
    return this.adapter.subscribe(listener);
  }

  idOf(approvalId: string): string {
    const known = this.ids.get(approvalId) ?? this.newId();
    this.ids.set(approvalId, known);
    return known;
  }

  /** Ends an id; undefined if the approval had none. */
  close(approvalId: string): string | undefined {
    const id = this.ids.get(approvalId);
    this.ids.delete(approvalId);
    return id;
  }
}
