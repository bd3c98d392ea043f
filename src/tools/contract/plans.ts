import type { UndoNote } from './undo-reasons.ts';

/** How much of a write Undo restores: exact = equal block DOM except `updated`. */
export type UndoKind = 'exact' | 'partial' | 'none';

/** The actions of an operation: on blocks, or on the structure around them. */
export const PLAN_ACTIONS = [
  'insert',
  'update',
  'delete',
  'move',
  'set-attributes',
  'add-flashcard',
  'remove-flashcard',
  'set-cell',
  'add-row',
  'remove-row',
  'add-column',
  'rename-column',
  'move-column',
  'remove-column',
  'add-option',
  'create-database',
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
  // Not a change of notes: a text file, with `after` as its content and `to` as its name (export_doc).
  'write-file',
  // Not a change either: a list of steps, with `after` as its text (propose_plan).
  'plan-steps',
] as const;

export type PlanAction = (typeof PLAN_ACTIONS)[number];

/** The current and the future value; null for nothing. */
export interface Change<T> {
  readonly before: T | null;
  readonly after: T | null;
}

interface AttributeChange extends Change<string> {
  readonly name: string;
}

export interface PlanPosition {
  /** Names from the outside in: the note, and the heading above. */
  readonly path: readonly string[];
  /** The position within the path; absent if unknown. `start` and `end` are those of `block` if there is one, else of the note. */
  readonly at?: 'start' | 'end' | 'before' | 'after';
  /** The block that `at` refers to, by its type letter and first words; '' if it has none, or none that may be shown. */
  readonly block?: { readonly type: string; readonly words: string };
}

/** One operation, accepted or left out. Views read the structured values; `before`, `after`, `from` and `to` are texts for the model. */
export interface PlanOperation {
  readonly id: string;
  readonly action: PlanAction;
  readonly blockId: string;
  /** SiYuan's type letters: d, h, p, l, i, c, t, m, b, s, … */
  readonly blockType: string;
  /** Texts to show; null for nothing: Markdown of blocks, paths of documents and notebooks, `name = value` lines of attributes. */
  readonly before: string | null;
  readonly after: string | null;
  /** Plain HTML of the block before and after, to be sanitised by whoever shows it; neither saved nor sent. */
  readonly drawn?: Change<string>;
  /** Where the cell is in its table: the id of its row, and the place of its column, -1 for the titles; neither saved nor sent. */
  readonly drawnAt?: { readonly row: string; readonly column: number };
  /** Operations that must be accepted too (a block inside a document that is created requires the document). */
  readonly requires: readonly string[];
  readonly attributes?: readonly AttributeChange[];
  /** The row and the column, '' for neither; `before` and `after` are the cell's texts, of a moved column its left neighbours. */
  readonly cell?: { readonly row: string; readonly column: string };
  readonly database?: string;
  /** For documents and notebooks: names from the outside in; for a move with the notebook first. */
  readonly path?: Change<readonly string[]>;
  /** The place where a moved block is now, and where a moved or inserted one goes. */
  readonly position?: Partial<Change<PlanPosition>>;
  /** For a move: its current and future position, in words ("Apollo › Plan"). `to` alone: a file's name, or the trash. */
  readonly from?: string;
  readonly to?: string;
  /** The document it belongs to, if a plan changes several. */
  readonly document?: ChangePlan['document'];
  /** The number of blocks that it removes without being a deletion: items of a replaced list, a list that loses its last item. */
  readonly removes?: number;
}

const DELETIONS: readonly PlanAction[] = ['delete', 'remove-row', 'remove-column', 'delete-document', 'remove-notebook'];

/** Tells if blocks, documents or notebooks that exist before these operations are missing after them. */
export function deletes(operations: readonly Pick<PlanOperation, 'action' | 'removes'>[]): boolean {
  return operations.some(({ action, removes = 0 }) => DELETIONS.includes(action) || removes > 0);
}

/** Operations on text: whichever of them one tool needs, they are one kind of change. */
const WRITING: readonly PlanAction[] = ['insert', 'update', 'move', 'create-document', 'create-database'];

const isNothing = (value: string | null): boolean => value === null || value === '';

/** What it does, with the values that it takes away as a kind of their own: attributes, or the content of a cell. */
function kindsOf({ action, attributes, after }: PlanOperation): readonly string[] {
  if (WRITING.includes(action)) return [];
  const values = attributes?.map((attribute) => attribute.after) ?? (action === 'set-cell' ? [after] : []);
  return [...(values.length === 0 || !values.every(isNothing) ? [action] : []), ...(values.some(isNothing) ? [`${action}-empty`] : [])];
}

/** Without the cells of new rows, which are parts of their rows. */
export function withoutNewCells(operations: readonly PlanOperation[]): readonly PlanOperation[] {
  const rows = new Set(operations.filter(({ action }) => action === 'add-row').map(({ id }) => id));
  return operations.filter(({ requires }) => !requires.some((id) => rows.has(id)));
}

/** The kinds of change in a plan, sorted: consent to one says nothing about another. Empty for text alone. */
export function effectsOf(operations: readonly PlanOperation[]): readonly string[] {
  return [...new Set(withoutNewCells(operations).flatMap(kindsOf))].sort();
}

/** An operation as it is saved and sent to other programs: without what draws it, which is for the panel only. */
export const withoutDrawing = ({ drawn: _drawn, drawnAt: _at, ...operation }: PlanOperation): PlanOperation => operation;

/** A code with a text in the panel (`notice.CODE`) and a count; one that follows from hidden text is `personOnly`. */
export interface PlanNotice {
  readonly code: string;
  readonly count: number;
  /** Shown in the approval, which is then required whatever was allowed before; no result mentions it to the model. */
  readonly personOnly?: true;
}

/** The code of a notice: the notebook takes new notes and is not read, this one included. */
export const NEW_NOTES_ONLY = 'new-notes-only';

const OWN_CONSENT: readonly string[] = ['locked', 'editor-read-only', 'changes-orders', 'changes-project'];

/** Tells if it changes what is locked in SiYuan, the note of orders, or a project's, which requires separate consent. */
export const needsOwnConsent = ({ notices }: Pick<ChangePlan, 'notices'>): boolean =>
  notices.some(({ code }) => OWN_CONSENT.includes(code));

/** A write before consent, made by the host and applied only inside an ApprovedPlan; the host keeps DOM and hashes by object identity. */
export interface ChangePlan {
  readonly id: string;
  readonly tool: string;
  readonly notebook: { readonly id: string; readonly name: string };
  readonly document: { readonly id: string | null; readonly title: string; readonly path: string };
  readonly operations: readonly PlanOperation[];
  /** The block after or under which the first insert goes, for "Show"; null for a new document. */
  readonly anchorId: string | null;
  readonly undo: { readonly kind: UndoKind; readonly notes?: readonly UndoNote[] };
  /** The notebook's right is too low: the approval may raise it, or allow this one write; else `apply` refuses with `no_right`. */
  readonly needsRight?: 'write' | 'delete';
  readonly notices: readonly PlanNotice[];
}

export type Progress = (done: number, total: number) => void;

export type ProposedChange = Pick<ChangePlan, 'document' | 'operations'>;

declare const approvedMark: unique symbol;

/** A plan that a person (or an allowance given by a person) accepted, with the accepted operations. */
export interface ApprovedPlan {
  readonly plan: ChangePlan;
  readonly accepted: ReadonlySet<string>;
  /** The right that applies in the plan's notebook for this one write, if a person allowed more than the notebook has. */
  readonly grantedRight: ChangePlan['needsRight'];
  readonly [approvedMark]: true;
}

const approvedPlans = new WeakSet<object>();

/** The one way from consent to a write, for the executor's approval step (check-layers enforces it); leaves out orphaned operations. */
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

/** True only for objects created by approvePlan: an imitation from anywhere else writes nothing. */
export function isApprovedPlan(value: object): value is ApprovedPlan {
  return approvedPlans.has(value);
}
