import { applyAttributes, plainAttributes } from '../tree/attributes.ts';
import type { Effects, TransactionFailure } from './insert.ts';
import type { Operation } from './operation.ts';
import type { WorkingTrees } from './working-trees.ts';

const DECKS = 'custom-riff-decks';

/** `addFlashcards` and `removeFlashcards`: each block names its decks; the cards follow once the documents are written. Unknown blocks are passed over. */
export function changeCards(operation: Operation, trees: WorkingTrees, effects: Effects): TransactionFailure | undefined {
  const isAdding = operation.action === 'addFlashcards';
  const blockIds = operation.blockIDs ?? [];
  for (const id of blockIds) {
    const found = trees.locate(id);
    if (!found) continue;
    const before = (plainAttributes(found.node)[DECKS] ?? '').split(',').filter((deck) => deck !== '' && deck !== operation.deckID);
    const kept = operation.deckID === '' ? [] : before;
    applyAttributes(found.node, { [DECKS]: (isAdding ? [...kept, operation.deckID] : kept).join(',') });
  }
  effects.cards.push({ isAdding, deckId: operation.deckID, blockIds });
  return undefined;
}
