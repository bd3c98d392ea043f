import { ToolError } from '../../tools/contract/errors.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import { currentDoms } from './current-doms.ts';
import type { PreparedOperation } from './prepared-plan.ts';

export interface FreshnessDeps {
  readonly routes: KernelRoutes;
  readonly pushes: TransactionLog;
}

export const stale = (what: string): ToolError =>
  new ToolError('stale', what, 'read it again and plan the change again; nothing was written');

/** The block itself and, if it is deleted or moved as a whole, the blocks in it. */
export function touchedIds(operation: Pick<PreparedOperation, 'action' | 'blockId' | 'before'>): readonly string[] {
  const whole = operation.action === 'delete' || operation.action === 'move';
  return whole && operation.before ? idsIn(operation.before.dom) : [operation.blockId];
}

function assertHome(tree: BlockTree, operation: PreparedOperation, documentId: string): void {
  const { blockId, before } = operation;
  if (before === null) return;
  const home = operation.documentId ?? documentId;
  if (!tree.has(blockId) || tree.documentOf(blockId) !== home) throw stale(`block ${blockId} was moved to another document`);
}

/** Rejects with `stale` if anything has changed since the plan: the kernel has no compare-and-set. */
export async function assertFresh(
  deps: FreshnessDeps,
  tree: BlockTree,
  plan: { readonly operations: readonly PreparedOperation[]; readonly documentId: string; readonly pushPosition: number },
  signal: AbortSignal,
): Promise<void> {
  const { operations } = plan;
  const foreign = deps.pushes.foreignSince(plan.pushPosition, operations.flatMap(touchedIds));
  if (foreign.length > 0) throw stale(`block ${foreign[0]} was changed by somebody else since it was read`);
  const homes = new Map<string, string[]>();
  for (const { blockId, documentId = plan.documentId } of operations) homes.set(documentId, [...(homes.get(documentId) ?? []), blockId]);
  const doms = await currentDoms(deps.routes, homes, (id) => tree.lengthOf(id) !== undefined, signal);
  for (const operation of operations) {
    const now = doms[operation.blockId] ?? '';
    if (operation.before === null && now !== '') throw stale(`the new block's id ${operation.blockId} is taken`);
    if (operation.before && hashOfBlock(now) !== operation.before.hash) {
      // Not quoted: the current text may be guarded, or show hidden text.
      throw stale(`block ${operation.blockId} has changed since`);
    }
    assertHome(tree, operation, plan.documentId);
  }
}
