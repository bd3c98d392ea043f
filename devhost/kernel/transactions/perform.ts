import { performOnDatabase } from '../databases/perform.ts';
import { WorkingViews } from '../databases/working-views.ts';
import type { AttributeViews } from '../store/attribute-views.ts';
import type { DocumentStore } from '../store/documents.ts';
import { misplaced } from '../tree/newer-blocks.ts';
import type { KernelDocument } from '../tree/node.ts';
import { changeCards } from './cards.ts';
import { appendMove, foldHeading, move, remove, setAttributes, update } from './change.ts';
import { type Effects, insert, insertInto, type TransactionFailure } from './insert.ts';
import type { Operation } from './operation.ts';
import { WorkingTrees } from './working-trees.ts';

/** From this size on the kernel takes a shortcut for lists of inserts and of deletes, which drops what does not fit (tests/contract/recorded/transactions.json). */
const LARGE = 32;

export interface Performed {
  readonly documents: readonly KernelDocument[];
  readonly effects: Effects;
}

/** Actions that the host knows; others are logged by name and do nothing. */
function perform(operation: Operation, trees: WorkingTrees, effects: Effects, all: readonly Operation[]): TransactionFailure | undefined {
  switch (operation.action) {
    case 'update':
      return update(operation, trees);
    case 'insert':
      return insert(operation, trees, effects);
    case 'appendInsert':
    case 'prependInsert':
      return insertInto(operation, trees, effects);
    case 'delete':
      return remove(operation, trees, all);
    case 'move':
      return move(operation, trees);
    case 'append':
      return appendMove(operation, trees);
    case 'setAttrs':
      return setAttributes(operation, trees);
    case 'foldHeading':
    case 'unfoldHeading':
      return foldHeading(operation, trees);
    case 'addFlashcards':
    case 'removeFlashcards':
      return changeCards(operation, trees, effects);
    default: {
      const onDatabase = performOnDatabase(operation, trees, effects);
      if (onDatabase) return onDatabase.failure;
      console.warn(`devhost: the transaction action "${operation.action}" is not implemented and did nothing`);
      return undefined;
    }
  }
}

/** The inserts of a list that is inserts but for its first and last operation; deletes there still count, anything else is lost. */
function largeInsert(operations: readonly Operation[]): readonly Operation[] | undefined {
  const inner = operations.slice(1, -1);
  if (operations.length < LARGE || inner.some((o) => o.action !== 'insert')) return undefined;
  return operations.filter((o) => o.action === 'insert' || o.action === 'delete');
}

/** The deletes of a list that is deletes but for its last operation: they are done first, the last one after them. */
function largeDelete(operations: readonly Operation[]): readonly Operation[] | undefined {
  if (operations.length < LARGE || operations.slice(0, -1).some((o) => o.action !== 'delete')) return undefined;
  return operations;
}

/** Runs the operations in order on trees of their own. A failure means that nothing may be kept. `isNewer`: as SiYuan 3.8 does. */
export function performOperations(
  operations: readonly Operation[],
  host: { readonly documents: DocumentStore; readonly attributeViews: AttributeViews; readonly isNewer: boolean },
): Performed | TransactionFailure {
  const { isNewer } = host;
  const trees = new WorkingTrees(host.documents);
  const effects: Effects = { reload: false, cards: [], views: new WorkingViews(host.attributeViews) };
  const plan = largeInsert(operations) ?? largeDelete(operations) ?? operations;
  for (const operation of plan) {
    const known = isNewer || operation.action !== 'move' ? operation : { ...operation, nextID: '' };
    const failure = perform(known, trees, effects, operations);
    if (failure) return failure;
  }
  const wrong = isNewer ? trees.documents.map(({ root }) => misplaced(root)).find((node) => node) : undefined;
  if (wrong) return { message: `a block of type ${wrong.Type} cannot be there`, id: wrong.ID ?? '' };
  return { documents: trees.documents, effects };
}
