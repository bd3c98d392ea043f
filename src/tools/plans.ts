/** How much of a write "Undo" brings back (TOOLS.md): exact = equal block DOM but for `updated`. */
export type UndoKind = 'exact' | 'partial' | 'none';

/** One block operation of a plan, as a person reviews it. */
export interface PlanOperation {
  readonly id: string;
  readonly action: 'insert' | 'update' | 'delete' | 'move' | 'create-document';
  readonly blockId: string;
  /** SiYuan's type letters: d, h, p, l, i, c, t, m, b, s, … */
  readonly blockType: string;
  /** Markdown to show; null where nothing stood before or nothing will stand after. */
  readonly before: string | null;
  readonly after: string | null;
  /** Operations that have to be accepted for this one to make sense (a block inside a document that is created). */
  readonly requires: readonly string[];
}

/**
 * A write before consent: what stands now, what will stand, and what can be taken back. Made by the host, shown by the
 * approval, applied only inside an ApprovedPlan. The host keeps DOM and hashes beside it, by object identity.
 */
export interface ChangePlan {
  readonly id: string;
  readonly tool: string;
  readonly notebook: { readonly id: string; readonly name: string };
  /** `id` is null while the document does not exist yet. */
  readonly document: { readonly id: string | null; readonly title: string; readonly path: string };
  readonly operations: readonly PlanOperation[];
  /** Block after or under which the first insert lands, for "Show"; null for a new document. */
  readonly anchorId: string | null;
  readonly undo: { readonly kind: UndoKind; readonly note?: string };
  /** The notebook is at `read`: the approval offers "Allow writing in <notebook>"; without it `apply` refuses with `no_right`. */
  readonly needsRight?: 'write';
  /** What the filter changed or left out, each a code the UI can word: `remote-image-linked`, `attribute-dropped`, … with a count. */
  readonly notices: readonly { readonly code: string; readonly count: number }[];
}

declare const approvedMark: unique symbol;

/** A plan that a person (or an allowance that a person gave) accepted, with the accepted operations. */
export interface ApprovedPlan {
  readonly plan: ChangePlan;
  readonly accepted: ReadonlySet<string>;
  readonly [approvedMark]: true;
}

const approvedPlans = new WeakSet<object>();

/**
 * Makes an ApprovedPlan. Only the executor's approval step may import this (scripts/check-layers enforces it): it is
 * the one way from consent to a write (ARCHITECTURE.md, "Two doors").
 * Operations whose requirements were left out are left out too.
 */
export function approvePlan(
  plan: ChangePlan,
  acceptedIds: readonly string[] = plan.operations.map((operation) => operation.id),
): ApprovedPlan {
  const accepted = new Set(acceptedIds.filter((id) => plan.operations.some((operation) => operation.id === id)));
  for (const operation of plan.operations) {
    if (operation.requires.some((id) => !accepted.has(id))) accepted.delete(operation.id);
  }
  const approved: Omit<ApprovedPlan, typeof approvedMark> = Object.freeze({ plan, accepted });
  approvedPlans.add(approved);
  return approved as ApprovedPlan;
}

/** True only for objects that approvePlan made: a look-alike from anywhere else writes nothing. */
export function isApprovedPlan(value: object): value is ApprovedPlan {
  return approvedPlans.has(value);
}
