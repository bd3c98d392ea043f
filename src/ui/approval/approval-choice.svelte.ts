import { SvelteSet } from 'svelte/reactivity';
import type { ChangePlan, PlanOperation } from '../../tools/plans.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../tools/types.ts';

/** Operations that would run if `left` are left out: what needs a left-out one goes with it (as approvePlan does). */
function acceptedOperations(operations: readonly PlanOperation[], left: ReadonlySet<string>): string[] {
  const accepted = new Set(operations.filter((operation) => !left.has(operation.id)).map((operation) => operation.id));
  for (const operation of operations) if (operation.requires.some((id) => !accepted.has(id))) accepted.delete(operation.id);
  return [...accepted];
}

/** What the user has chosen so far on one approval. */
export class ApprovalChoice {
  readonly request: ApprovalRequest;
  readonly left = new SvelteSet<string>();
  reason = $state('');
  /** Ticked: the notebook may be written from now on. */
  grant = $state(false);
  readonly accepted: readonly string[] = $derived.by(() => acceptedOperations(this.operations, this.left));

  constructor(request: ApprovalRequest) {
    this.request = request;
  }

  get operations(): readonly PlanOperation[] {
    return this.request.plan?.operations ?? [];
  }

  /** The right that the notebook lacks for this plan. */
  get right(): ChangePlan['needsRight'] {
    return this.request.plan?.needsRight;
  }

  /** Why it cannot be approved yet: the notebook may not be written, or nothing is left to do. */
  get missing(): 'grant' | 'operations' | undefined {
    if (this.right && !this.grant) return 'grant';
    return this.request.plan && this.accepted.length === 0 ? 'operations' : undefined;
  }

  get canApprove(): boolean {
    return this.missing === undefined;
  }

  toggle(id: string): void {
    if (!this.left.delete(id)) this.left.add(id);
  }

  approval(remember: boolean): ApprovalDecision {
    return {
      approved: true,
      ...(this.request.plan ? { acceptedOperations: this.accepted } : {}),
      ...(remember ? { remember } : {}),
    };
  }

  rejection(): ApprovalDecision {
    const reason = this.reason.trim();
    return reason ? { approved: false, reason } : { approved: false };
  }
}
