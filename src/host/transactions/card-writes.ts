import { parseBlock } from '../blocks/block-dom.ts';
import { decksOfBlock } from '../blocks/card-decks.ts';
import type { KernelOperation } from '../kernel/kernel-routes.ts';
import { asWritable, type BlockWrite } from './block-writer.ts';
import type { WriteStep } from './write-step.ts';

type SentPosition = Pick<KernelOperation, 'previousID' | 'parentID' | 'nextID'>;

/** One for each deck that has a card of the block. */
function cardWrites(id: string, dom: string): readonly BlockWrite[] {
  return decksOfBlock(parseBlock(dom)).map((deckID) => ({
    operation: { action: 'addFlashcards', id, deckID, blockIDs: [id] },
    inverse: { action: 'removeFlashcards', id, deckID, blockIDs: [id] },
  }));
}

/** SiYuan drops the mark of a flashcard from an inserted block, as if it were a copy: the card is made beside it. */
export function insertWrites(id: string, dom: string, position: SentPosition): readonly BlockWrite[] {
  return [{ operation: { action: 'insert', id, data: dom, ...position }, inverse: { action: 'delete', id } }, ...cardWrites(id, dom)];
}

/** SiYuan keeps the card of a deleted block, so it goes after it: 3.7.3 deletes nothing whose card went first. `back`: for Ctrl+Z. */
export function deleteWrites(id: string, dom: string, back: SentPosition): readonly BlockWrite[] {
  return [
    { operation: { action: 'delete', id }, inverse: { action: 'insert', id, data: asWritable(dom), ...back } },
    ...cardWrites(id, dom).map(({ inverse }) => ({ operation: inverse, inverse })),
  ];
}

export const withInserted = (step: WriteStep, dom: string): WriteStep => ({
  ...step,
  dom,
  writes: step.writes.map((write) =>
    write.operation.action === 'insert' ? { ...write, operation: { ...write.operation, data: dom } } : write,
  ),
});
