import { wasWritten } from '../journal/entry-writes.ts';
import type { JournalEntry, JournalOperation } from '../journal/write-journal.ts';

/** The block operations of a Redo. Undoing these operations writes again what was undone. */
export interface RedoBlocks {
  readonly operations: readonly JournalOperation[];
  /** Containers that were removed with their last block, and are removed again once they are empty. */
  readonly emptied: readonly string[];
}

const NOTHING = { dom: '', hash: '' };

/** The inverse of this operation; undoing the inverse repeats the operation. */
function inverse(operation: JournalOperation): JournalOperation {
  const { action, blockId, before, after, from, to, along } = operation;
  const places = { from: to, to: from, along };
  const rest = { blockId, result: 'applied' as const, ...places };
  switch (action) {
    case 'insert':
      return { ...rest, action: 'delete', before: after, after: NOTHING };
    case 'delete':
      return { ...rest, action: 'insert', before: null, after: before ?? NOTHING };
    default:
      return { ...rest, action, before: after, after: before ?? NOTHING };
  }
}

const isInsert = ({ action }: JournalOperation): boolean => action === 'insert';

/** @param undone ids of the blocks that were undone. */
export function redoBlocks({ operations, undo }: Pick<JournalEntry, 'operations' | 'undo'>, undone: ReadonlySet<string>): RedoBlocks {
  const written = operations
    .filter((operation) => undone.has(operation.blockId) && wasWritten(operation))
    .map((operation) => ({ ...operation, to: undo?.stood?.[operation.blockId] ?? operation.to }));
  const isEmptied = ({ action, shell }: JournalOperation): boolean => action === 'delete' && shell !== undefined;
  const [made, others] = [written.filter(isInsert), written.filter((each) => !isInsert(each) && !isEmptied(each))];
  return {
    // Insertions come first, as they did then: one may be all that is left in a document.
    operations: [...made.map(inverse), ...others.map(inverse).reverse()],
    emptied: written.filter(isEmptied).map(({ blockId }) => blockId),
  };
}
