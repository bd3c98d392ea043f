import type { ChangePlan } from '../../tools/contract/plans.ts';
import type { WriteReport } from '../../tools/contract/ports.ts';
import type { StructureStep } from '../journal/structure-journal.ts';

/** Where the first insert of a plan goes; resolved again when it is applied, since siblings may have come or gone. */
export type Anchor =
  | { readonly kind: 'after' | 'before'; readonly id: string }
  /** First child of a document or container. */
  | { readonly kind: 'first'; readonly parent: string }
  /** After the last child of a document or container. */
  | { readonly kind: 'last'; readonly parent: string }
  /** After the last block of a heading's section: its blocks are flat in the document. */
  | { readonly kind: 'section-end'; readonly heading: string };

/** Where a block goes by itself: after the nearest of these siblings that stands (or comes) there, else as the first child. */
export interface PreparedPosition {
  readonly parentId: string;
  /** Nearest first. */
  readonly after: readonly string[];
  /** Where none of those stands there: before this one, and without it at the end. */
  readonly before?: string | null;
}

export interface PreparedOperation {
  /** The operation of the plan that it carries out. */
  readonly id: string;
  readonly action: 'insert' | 'update' | 'delete' | 'move';
  readonly blockId: string;
  /**
   * Block DOM to write; `custom-marginalia-source` is put on inserts when the origin is known. Of a move the block as it is, of a
   * delete ''.
   */
  readonly dom: string;
  /** DOM and hash that the plan was made from; null for inserts. */
  readonly before: { readonly dom: string; readonly hash: string } | null;
  /** What stands in the notes already and may come with it: keys of content-judge.ts. What the block itself held needs no mention. */
  readonly existing?: ReadonlySet<string>;
  /** The document that holds the block, where it is not the plan's own. */
  readonly documentId?: string;
  /** 'trash' = the notebook's trash document. Absent for updates and deletes, and for what follows the plan's anchor in order. */
  readonly place?: PreparedPosition | 'trash';
}

/** Which document is written: one that is there, a new one, or today's note, made by the notebook's own template. */
export type PreparedTarget =
  | { readonly kind: 'existing'; readonly documentId: string }
  | (NewTarget & { readonly kind: 'create'; readonly path: string; readonly parentId?: string })
  | (NewTarget & { readonly kind: 'daily'; readonly date: string });

interface NewTarget {
  readonly operationId: string;
  /** Hidden documents at the path that the person was shown; none when absent. */
  readonly hidden?: number;
}

/** What the host keeps beside a plan: never shown, never given to a tool. */
export interface PreparedPlan {
  readonly target: PreparedTarget;
  /** Inserts and moves without a place of their own follow this anchor in order; with an update in front, its block is the anchor. */
  readonly anchor: Anchor | null;
  readonly operations: readonly PreparedOperation[];
  /** Position in the transaction log when the blocks were read. */
  readonly pushPosition: number;
  /** Ordered lists whose items come, go or move. */
  readonly numbered?: readonly string[];
  /** Ids of blocks and documents that it changes nothing of, but whose text it holds. */
  readonly reads?: readonly string[];
}

/** Of a plan that goes past block transactions: attributes, documents as a whole, notebooks. */
export interface PreparedStructure {
  /** Each with the operation of the plan that it carries out. */
  readonly steps: readonly { readonly id: string; readonly step: StructureStep }[];
}

/** A write that was approved and has not begun. */
export interface ApprovedWrite {
  /** Blocks that it would take from under the caret. */
  busyBlocks(): Promise<readonly string[]>;
  run(): Promise<WriteReport>;
}

/** Prepared plans by the identity of the plan that was shown: a copy of a plan writes nothing. */
export interface PlanStore {
  put(plan: ChangePlan, prepared: PreparedPlan | PreparedStructure): void;
  /** Gives the prepared plan once; undefined for strangers and for plans that were applied already. */
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
