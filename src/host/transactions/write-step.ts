import type { ListKind } from '../blocks/list-numbers.ts';
import type { KernelOperation } from '../kernel/kernel-routes.ts';
import type { BlockPosition } from '../tree/block-tree.ts';
import type { BlockWrite } from './block-writer.ts';
import type { PreparedOperation } from './prepared-plan.ts';

/** An operation as it is written. The journal saves the first part of it. */
export interface WriteStep {
  readonly action: PreparedOperation['action'];
  readonly blockId: string;
  readonly dom: string;
  readonly before: PreparedOperation['before'];
  readonly existing?: PreparedOperation['existing'];
  /** Its position before and after the whole write. */
  readonly from?: BlockPosition;
  readonly to?: BlockPosition;
  /** Hidden blocks that the kernel moves along with a folded heading. */
  readonly along?: readonly string[];
  /** For a removed emptied container: `before` is the container with this placeholder in it. */
  readonly shell?: string;
  /** The same container with all its blocks, as it was before the write. */
  readonly whole?: string;
  /** The kind of its former list, if that begins with a task after the whole write: SiYuan turns it into a task list. */
  readonly listKind?: ListKind;
  /** One operation; two to move a block directly after a folded heading, none if it is there already. */
  readonly writes: readonly BlockWrite[];
  /** The end of the editor's Ctrl+Z. */
  readonly undoTail?: KernelOperation;
  /** Writes a block of another step again, because it refers to later blocks. */
  readonly completes?: boolean;
  /** The check directly before sending. Absent: equals `before`; `presence`: it exists; `empty`: nothing was written in it. */
  readonly lateCheck?: 'presence' | 'empty';
  /** Documents that the operation changes: all operations of one transaction have the same. */
  readonly documents: readonly string[];
}
