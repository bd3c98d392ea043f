import { allBlocks, type BlockElement, blockId, parseBlock } from '../blocks/block-dom.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import type { PreparedOperation } from './prepared-plan.ts';

/** Blocks of a tree that are not among `staying`, without the blocks inside these. */
export function outermostWithout(block: BlockElement, staying: ReadonlySet<string>): BlockElement[] {
  const gone = allBlocks(block).filter((each) => !staying.has(blockId(each)));
  const under = new Set(gone.flatMap((each) => allBlocks(each).slice(1)));
  return gone.filter((each) => !under.has(each));
}

/** For rights, a move to the trash document is a deletion: the block leaves the place where the user wanted it. */
const isDeletion = ({ action, place }: PreparedOperation): boolean => action === 'delete' || (action === 'move' && place === 'trash');

/** For each operation, the blocks that all operations together remove; the right of a plan follows from this alone. */
export function vanishingBlocks(operations: readonly PreparedOperation[]): ReadonlyMap<string, readonly BlockElement[]> {
  const brought = operations.map((operation) => new Set(isDeletion(operation) ? [] : idsIn(operation.dom)));
  const vanishing = new Map<string, readonly BlockElement[]>();
  for (const [index, operation] of operations.entries()) {
    const before = operation.action === 'update' || isDeletion(operation) ? parseBlock(operation.before?.dom ?? '') : undefined;
    if (!before) continue;
    // The DOM of an outer container, moved or replaced in the same plan, still contains it.
    const elsewhere = brought.filter((ids, other) => other === index || !ids.has(operation.blockId));
    const gone = outermostWithout(before, new Set(elsewhere.flatMap((ids) => [...ids])));
    if (gone.length > 0) vanishing.set(operation.id, gone);
  }
  return vanishing;
}
