import type { ListKind } from '../blocks/list-numbers.ts';
import type { KernelOperation } from '../kernel/kernel-routes.ts';
import type { BlockPosition } from '../tree/block-tree.ts';
import type { BlockWrite } from './block-writer.ts';
import type { PreparedOperation } from './prepared-plan.ts';

/** An operation as it is written. The first part is what the journal keeps of it. */
export interface WriteStep {
  readonly action: PreparedOperation['action'];
  readonly blockId: string;
  /** What shall stand; '' for a delete. */
  readonly dom: string;
  readonly before: PreparedOperation['before'];
  readonly existing?: PreparedOperation['existing'];
  /** Its position before and after the whole write. */
  readonly from?: BlockPosition;
  readonly to?: BlockPosition;
  /** Hidden blocks that the kernel moves along with a folded heading. */
  readonly along?: readonly string[];
  /** Of an emptied container that goes: `before` is its shell with this placeholder in it. */
  readonly shell?: string;
  /** The same container with all its blocks, as it was before the write. */
  readonly whole?: string;
  /** The kind of the list that it was in, where that has a task at its front after the whole write: SiYuan makes it a task list. */
  readonly listKind?: ListKind;
  /** One operation; two to get a block right behind a folded heading, none where it stands there already. */
  readonly writes: readonly BlockWrite[];
  /** What the editor's Ctrl+Z has to do after all else. */
  readonly undoTail?: KernelOperation;
  /** Writes again what another step has put in: it refers to blocks that came later. */
  readonly completes?: boolean;
  /**
   * What is looked at right before it is sent. Absent: that the block is as `before` has it; `presence`: that it stands, whatever was
   * written in it; `empty`: that nothing was written in it.
   */
  readonly lateCheck?: 'presence' | 'empty';
  /** Documents that the operation touches: one transaction keeps to the same ones. */
  readonly documents: readonly string[];
}
