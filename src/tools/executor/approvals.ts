import { ToolError } from '../contract/errors.ts';
import type { ApprovalAdapter, ApprovalDecision, ApprovalRequest, ReviseCall, ToolArguments } from '../contract/types.ts';
import { Listeners } from '../util/notify.ts';

function stopped(): ToolError {
  return new ToolError('aborted', 'the approval was canceled', 'ask the user whether to go on');
}

interface Pending {
  readonly request: ApprovalRequest;
  readonly revise: ReviseCall | undefined;
  readonly settle: (decision: ApprovalDecision) => void;
  readonly cancel: () => void;
}

/** A person's decision about a call before it asks; undefined to ask anyway. */
type Foreseen = (request: ApprovalRequest) => ApprovalDecision | undefined | Promise<ApprovalDecision | undefined>;

/** Approvals shown inside the chat: they wait in a list until someone decides, aborts or disposes. */
export class InlineApprovalAdapter implements ApprovalAdapter {
  private readonly pending = new Map<string, Pending>();
  private readonly listeners = new Listeners<[requests: readonly ApprovalRequest[]]>();
  private readonly foreseen = new Map<string, Foreseen>();
  private disposed = false;

  /** For a call that a person started, and so has decided: `decide` answers in their name. Returns a function that removes it. */
  beforehand(callId: string, decide: Foreseen): () => void {
    this.foreseen.set(callId, decide);
    return () => this.foreseen.delete(callId);
  }

  request(request: ApprovalRequest, signal: AbortSignal, revise?: ReviseCall): Promise<ApprovalDecision> {
    if (this.disposed || signal.aborted) return Promise.reject(stopped());
    const decided = this.foreseen.get(request.callId)?.(request);
    if (!decided) return this.ask(request, signal, revise);
    return Promise.resolve(decided).then((decision) => decision ?? this.ask(request, signal, revise));
  }

  private ask(request: ApprovalRequest, signal: AbortSignal, revise: ReviseCall | undefined): Promise<ApprovalDecision> {
    if (this.disposed || signal.aborted) return Promise.reject(stopped());
    return new Promise((resolve, reject) => {
      const finish = (act: () => void): void => {
        signal.removeEventListener('abort', cancel);
        this.pending.delete(request.approvalId);
        act();
        this.notify();
      };
      const cancel = (): void => finish(() => reject(stopped()));
      signal.addEventListener('abort', cancel, { once: true });
      this.pending.set(request.approvalId, { request, revise, cancel, settle: (decision) => finish(() => resolve(decision)) });
      this.notify();
    });
  }

  list(): readonly ApprovalRequest[] {
    return [...this.pending.values()].map(({ request }) => request);
  }

  /** Asks about the call with other arguments. Rejects with ToolError if they cannot be planned; the old request then stays. */
  async revise(approvalId: string, args: ToolArguments): Promise<void> {
    const before = this.pending.get(approvalId);
    if (!before?.revise) throw new ToolError('not_found', 'no change waits here that can be edited', 'approve or reject what is pending');
    const { use, ...revised } = await before.revise(args);
    const pending = this.pending.get(approvalId);
    // Decided meanwhile: the decision was about what was shown.
    if (!pending) return;
    use();
    this.pending.set(approvalId, { ...pending, request: { ...pending.request, ...revised } });
    this.notify();
  }

  /** False if nothing waits under this id (decided already, or canceled). */
  decide(approvalId: string, decision: ApprovalDecision): boolean {
    const pending = this.pending.get(approvalId);
    pending?.settle(decision);
    return pending !== undefined;
  }

  /** Calls back after every change; returns a function that stops listening. */
  subscribe(listener: (requests: readonly ApprovalRequest[]) => void): () => void {
    return this.listeners.add(listener);
  }

  /** Cancels everything, now and from now on. */
  dispose(): void {
    this.disposed = true;
    for (const { cancel } of [...this.pending.values()]) cancel();
    this.listeners.clear();
  }

  private notify(): void {
    const requests = this.list();
    this.listeners.call(requests);
  }
}

export type ApprovalPolicy = (request: ApprovalRequest) => ApprovalDecision | Promise<ApprovalDecision>;

/** Without a user interface: a policy decides. The default rejects, so that forgetting to set one writes nothing. */
export class HeadlessApprovalAdapter implements ApprovalAdapter {
  private readonly policy: ApprovalPolicy;

  constructor(policy: ApprovalPolicy = () => ({ approved: false, reason: 'nobody is there to approve' })) {
    this.policy = policy;
  }

  async request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision> {
    if (signal.aborted) throw stopped();
    return this.policy(request);
  }
}
