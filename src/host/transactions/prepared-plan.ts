import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { WriteReport } from '../../tools/contract/ports.ts';
import type { StructureStep } from '../journal/structure-journal.ts';

/** The place of a plan's first insert; resolved again when it is applied, since siblings may have changed. */
export type Anchor =
  | { readonly kind: 'after' | 'before'; readonly id: string }
  | { readonly kind: 'first'; readonly parent: string }
  | { readonly kind: 'last'; readonly parent: string }
  /** After the last block of a heading's section: its blocks are flat in the document. */
  | { readonly kind: 'section-end'; readonly heading: string };

/** The position of one block: after the nearest of these siblings that exists there, else as the first child. */
export interface PreparedPosition {
  readonly parentId: string;
  readonly after: readonly string[];
  /** If none of them exists there: before this block, or at the end. */
  readonly before?: string | null;
}

export interface PreparedOperation {
  readonly id: string;
  readonly action: 'insert' | 'update' | 'delete' | 'move';
  readonly blockId: string;
  /** Block DOM to write, for inserts with `custom-marginalia-source`. For a move the unchanged block, for a delete ''. */
  readonly dom: string;
  /** DOM and hash that the plan was made from; null for inserts. */
  readonly before: { readonly dom: string; readonly hash: string } | null;
  /** Existing content of the notes that it may include: keys of active-content.ts. The block's own content is always allowed. */
  readonly existing?: ReadonlySet<string>;
  /** The document that contains the block, if it is not the plan's own. */
  readonly documentId?: string;
  /** 'trash' = the notebook's trash document. Absent for updates and deletes, and for what follows the plan's anchor in order. */
  readonly place?: PreparedPosition | 'trash';
}

/** The document to write: an existing one, a new one (`unseen`: in a notebook that only takes new ones), or today's note, created by the notebook's own template. */
export type PreparedTarget =
  | { readonly kind: 'existing'; readonly documentId: string }
  | (NewTarget & { readonly kind: 'create'; readonly path: string; readonly parentId?: string; readonly unseen?: true })
  | (NewTarget & { readonly kind: 'daily'; readonly date: string });

export const isUnseen = (target: object): boolean => 'unseen' in target && target.unseen === true;

interface NewTarget {
  readonly operationId: string;
  /** The number of hidden documents at the path that the person was shown; 0 if absent. */
  readonly hidden?: number;
}

/** A file that is copied before the blocks are written. An existing file stays as it is; Undo leaves the copy, which nothing uses then. */
export interface FileCopy {
  /** An address of the kernel, `assets/…`. */
  readonly from: string;
  /** A path in the workspace, `/data/assets/…`. */
  readonly to: string;
}

/** Stored by the host with a plan: never shown, never given to a tool. */
export interface PreparedPlan {
  readonly target: PreparedTarget;
  /** Inserts and moves without a place of their own follow this anchor in order; with an update in front, its block is the anchor. */
  readonly anchor: Anchor | null;
  readonly operations: readonly PreparedOperation[];
  /** Position in the transaction log when the blocks were read. */
  readonly pushPosition: number;
  readonly numbered?: readonly string[];
  readonly copies?: readonly FileCopy[] | undefined;
  /** Ids of blocks and documents that it does not change, but whose text it contains. */
  readonly reads?: readonly string[];
}

/** For a plan without block transactions: attributes, whole documents, notebooks. */
export interface PreparedStructure {
  /** Each with the operation of the plan that it carries out. */
  readonly steps: readonly { readonly id: string; readonly step: StructureStep }[];
}

export interface ApprovedWrite {
  /** Blocks that it would replace under the caret. */
  busyBlocks(): Promise<readonly string[]>;
  run(): Promise<WriteReport>;
}

/** Prepared plans by the identity of the shown plan: a copy of a plan writes nothing. */
export interface PlanStore {
  put(plan: ChangePlan, prepared: PreparedPlan | PreparedStructure): void;
  /** Returns the prepared plan once; undefined for unknown plans and for plans that were already applied. */
  take(plan: ChangePlan): PreparedPlan | PreparedStructure | undefined;
}

export function createPlanStore(): PlanStore {
  const plans = new WeakMap<ChangePlan, PreparedPlan | PreparedStructure>();
  return {
    put: (plan, prepared) => {
      plans.set(plan, prepared);
    },
    take: (plan) => {
      const prepared = plans.get(plan);
      plans.delete(plan);
      return prepared;
    },
  };
}
