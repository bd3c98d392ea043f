import type { UndoNote } from './undo-reasons.ts';

/** How much of a write "Undo" brings back: exact = equal block DOM but for `updated`. */
export type UndoKind = 'exact' | 'partial' | 'none';

/** What an operation does: to blocks, or to the structure around them. */
export const PLAN_ACTIONS = [
  'insert',
  'update',
  'delete',
  'move',
  'set-attributes',
  'create-document',
  'rename-document',
  'move-document',
  'duplicate-document',
  'delete-document',
  'create-notebook',
  'rename-notebook',
  'open-notebook',
  'close-notebook',
  'remove-notebook',
  // Not a change of notes: a file of text, `after` the whole of it and `to` its name (export_doc).
  'write-file',
] as const;

export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** What stands now and what will stand; null for nothing. */
export interface Change<T> {
  readonly before: T | null;
  readonly after: T | null;
}

/** One attribute of a block; null where it is not set. */
interface AttributeChange extends Change<string> {
  readonly name: string;
}

/** Where blocks stand or go. */
export interface PlanPosition {
  /** Names from the outside in: the note, and the heading above. */
  readonly path: readonly string[];
  /** Where in that; absent where only the path is said. `start` and `end` are those of `block` if there is one, else of the note. */
  readonly at?: 'start' | 'end' | 'before' | 'after';
  /** The block that `at` is about, by its type letter and first words; '' where it has none, or none that may be shown. */
  readonly block?: { readonly type: string; readonly words: string };
}

/**
 * One operation of a plan, as a person reviews it: accepted or left out. A view draws the structured values (`attributes`, `path`,
 * `position`) and never reads them back from `before`, `after`, `from` and `to`, which are words for the model and for records of
 * versions that had nothing else.
 */
export interface PlanOperation {
  readonly id: string;
  readonly action: PlanAction;
  /** The block, document or notebook that is touched; '' for what has no id yet. */
  readonly blockId: string;
  /** SiYuan's type letters: d, h, p, l, i, c, t, m, b, s, … */
  readonly blockType: string;
  /**
   * What to show; null where nothing was before or nothing will be after. Markdown for blocks; paths in words for
   * documents and notebooks; `name = value` lines for attributes; for a move both are the block's Markdown.
   */
  readonly before: string | null;
  readonly after: string | null;
  /**
   * The same block as it looks, made of the block DOM that stands and that will be stored: plain HTML, to be sanitised by whoever shows it.
   * Of every operation on blocks that the host plans. It is neither saved nor sent: records have the Markdown alone.
   */
  readonly drawn?: Change<string>;
  /** Operations that have to be accepted for this one to make sense (a block inside a document that is created). */
  readonly requires: readonly string[];
  /** Of `set-attributes`: those that change. */
  readonly attributes?: readonly AttributeChange[];
  /** Of documents and notebooks: names from the outside in; of a move with the notebook first. */
  readonly path?: Change<readonly string[]>;
  /** Of blocks: where a moved one stands now, where a moved or inserted one goes. */
  readonly position?: Partial<Change<PlanPosition>>;
  /** Of a move: where it stands and will stand, in words ("Apollo › Plan"). `to` alone: a file's name, the trash of what is deleted. */
  readonly from?: string;
  readonly to?: string;
  /** The document it belongs to, where a plan touches several. */
  readonly document?: ChangePlan['document'];
  /** Blocks that it makes vanish although it is no deletion: items of a list that is replaced, a list that loses its last item. */
  readonly removes?: number;
}

const DELETIONS: readonly PlanAction[] = ['delete', 'delete-document', 'remove-notebook'];

/** Whether blocks, documents or notebooks that are there before these operations are not there after them. */
export function deletes(operations: readonly Pick<PlanOperation, 'action' | 'removes'>[]): boolean {
  return operations.some(({ action, removes = 0 }) => DELETIONS.includes(action) || removes > 0);
}

/** An operation as it is saved and sent to other programs: how its block looks is for the panel alone. */
export const withoutDrawing = ({ drawn: _drawn, ...operation }: PlanOperation): PlanOperation => operation;

/**
 * What the user should know before consent, each a code that the panel can word, with a count. From the filter:
 * `remote-image-linked`, `attribute-dropped`, …. Of losses: `references-lost` (blocks elsewhere refer to what goes),
 * `attributes-lost`, `rows-lost` (database rows), `children-deleted` (documents below), `blocks-removed` (blocks that vanish by a change
 * that is no deletion, `PlanOperation.removes`), `flashcards-lost`, `hidden-kept`
 * (parts that rights hold back and that stay as they are), `unsaid-kept` (blocks that Markdown cannot say, left as they are),
 * `items-renumbered` (items of an ordered list that get another number because others come, go or move),
 * `item-children-kept` (blocks below a list item that was sent back as its own line),
 * `read-only-kept` (blocks of notebooks that may only be read), `document-tags-kept` (documents that carry the tag themselves),
 * `referring-kept` (blocks with a reference that SiYuan would take out if they were written),
 * `moved-to-trash` (blocks that cannot be put back whole, with database rows, flashcards or such references, which are moved to the
 * notebook's trash document instead of deleted),
 * `unreadable-references-kept` and `unreadable-references-lost` (references whose text the model could not read: those that its text
 * names again keep the text that they show, the others go).
 * `locked` (documents and blocks that the user locked in SiYuan) and `editor-read-only` (SiYuan's editor is in read-only mode).
 * What follows from hidden text is for the person alone: `hidden-tags-kept` (hidden blocks that carry the tag), `hidden-references-lost`
 * (hidden blocks that refer to what goes), `hidden-at-path` (hidden documents at the path of the new one, which stay as they are),
 * `comes-under-guard` (blocks that come into the section of a heading that is hidden from the model).
 */
export interface PlanNotice {
  readonly code: string;
  readonly count: number;
  /** Shown in the approval, which then is asked for whatever was allowed before; no result tells the model of it. */
  readonly personOnly?: true;
}

/** Whether something that it changes is locked in SiYuan, which needs its own consent. */
export const isLocked = ({ notices }: Pick<ChangePlan, 'notices'>): boolean =>
  notices.some(({ code }) => code === 'locked' || code === 'editor-read-only');

/**
 * A write before consent: what stands now, what will stand, and what can be undone. Made by the host, shown by the
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
  readonly undo: { readonly kind: UndoKind; readonly notes?: readonly UndoNote[] };
  /**
   * The notebook's right does not reach: the approval offers to raise it, or to let this one pass; else `apply` refuses with
   * `no_right`.
   */
  readonly needsRight?: 'write' | 'delete';
  readonly notices: readonly PlanNotice[];
}

/** Called with how far a change or a reading of many blocks is. */
export type Progress = (done: number, total: number) => void;

/** What of a plan is kept where nobody decided about it. */
export type ProposedChange = Pick<ChangePlan, 'document' | 'operations'>;

declare const approvedMark: unique symbol;

/** A plan that a person (or an allowance that a person gave) accepted, with the accepted operations. */
export interface ApprovedPlan {
  readonly plan: ChangePlan;
  readonly accepted: ReadonlySet<string>;
  /** The right that counts in the plan's notebook for this one write, where a person let it go beyond what the notebook has. */
  readonly grantedRight: ChangePlan['needsRight'];
  readonly [approvedMark]: true;
}

const approvedPlans = new WeakSet<object>();

/**
 * Makes an ApprovedPlan. Only the executor's approval step may import this (scripts/check-layers enforces it): it is
 * the one way from consent to a write (docs/architecture.md, "Two checks").
 * Operations whose requirements were left out are left out too.
 */
export function approvePlan(
  plan: ChangePlan,
  acceptedIds: readonly string[] = plan.operations.map((operation) => operation.id),
  beyondRight = false,
): ApprovedPlan {
  const accepted = new Set(acceptedIds.filter((id) => plan.operations.some((operation) => operation.id === id)));
  for (const operation of plan.operations) {
    if (operation.requires.some((id) => !accepted.has(id))) accepted.delete(operation.id);
  }
  const approved: Omit<ApprovedPlan, typeof approvedMark> = Object.freeze({
    plan,
    accepted,
    grantedRight: beyondRight ? plan.needsRight : undefined,
  });
  approvedPlans.add(approved);
  return approved as ApprovedPlan;
}

/** True only for objects that approvePlan made: a look-alike from anywhere else writes nothing. */
export function isApprovedPlan(value: object): value is ApprovedPlan {
  return approvedPlans.has(value);
}
