import { type FoundBlock, foundBlock } from '../index/search/found-block.ts';
import type { Kernel } from '../kernel.ts';
import type { RequestBody, RouteTable } from '../router.ts';
import { type Card, nextDues, type Rating } from '../store/card-schedule.ts';
import { BUILT_IN_DECK } from '../store/decks.ts';
import { transactionOf } from '../transactions/engine.ts';
import { text, textList } from './parameters.ts';

/** As SiYuan calls a block of a card that its index does not have. */
const UNKNOWN_BLOCK = 'Search content block does not exist';

interface CardBlock extends Omit<FoundBlock, 'riffCard' | 'riffCardID' | 'content'> {
  readonly content: string;
  readonly riffCardID: string;
  readonly riffCard: Readonly<Record<string, unknown>> | null;
}

function blockOf(kernel: Kernel, card: Card): CardBlock {
  const [row] = kernel.index.select('SELECT * FROM blocks WHERE id = ?', card.blockId);
  if (!row) return missingBlock(card.blockId);
  const { due, reps, lapses, state, lastReview } = card;
  return { ...foundBlock(row), riffCardID: card.id, riffCard: { due, reps, lapses, state, lastReview } };
}

const missingBlock = (id: string): CardBlock => ({ ...foundBlock({ id }), content: UNKNOWN_BLOCK });

/** Whose cards are meant: blocks of a document and all below it, or of a notebook. */
function inTree(kernel: Kernel, rootId: string): (card: Card) => boolean {
  const root = kernel.documents.block(rootId);
  const entry = root && kernel.documents.entry(root.rootId);
  const below = entry?.path.replace(/\.sy$/u, '');
  return (card) => {
    const place = kernel.documents.block(card.blockId);
    const path = place && kernel.documents.entry(place.rootId)?.path;
    return below !== undefined && path?.startsWith(below) === true;
  };
}

const inNotebook =
  (kernel: Kernel, notebook: string) =>
  ({ blockId }: Card): boolean => {
    const place = kernel.documents.block(blockId);
    return place !== undefined && kernel.documents.entry(place.rootId)?.notebook === notebook;
  };

function page(body: RequestBody, kernel: Kernel, cards: readonly Card[]) {
  const size = typeof body.pageSize === 'number' ? body.pageSize : 20;
  const start = ((typeof body.page === 'number' ? body.page : 1) - 1) * size;
  return {
    blocks: cards.slice(start, start + size).map((card) => blockOf(kernel, card)),
    total: cards.length,
    pageCount: Math.ceil(cards.length / size),
  };
}

function change(action: 'addFlashcards' | 'removeFlashcards') {
  return (body: RequestBody, { kernel }: { kernel: Kernel }) => {
    const deckID = text(body, 'deckID');
    kernel.transactions.perform(transactionOf({ action, deckID, blockIDs: textList(body, 'blockIDs') }));
    return deckID === '' ? null : { id: deckID, name: 'Built-in Deck', size: kernel.decks.cards(deckID).length };
  };
}

/** Cards of blocks that are there, as many as SiYuan asks in one review: 20 new ones and 200 others. */
function due(kernel: Kernel, isMeant: (card: Card) => boolean) {
  const now = Date.now();
  const all = kernel.decks
    .cards(BUILT_IN_DECK)
    .filter((card) => Date.parse(card.due) <= now && kernel.documents.block(card.blockId) !== undefined && isMeant(card));
  const [fresh, old] = [all.filter(({ state }) => state === 0).slice(0, 20), all.filter(({ state }) => state !== 0).slice(0, 200)];
  return {
    cards: [...fresh, ...old].map((card) => ({
      ...{ deckID: card.deckId, cardID: card.id, blockID: card.blockId, lapses: card.lapses, reps: card.reps, state: card.state },
      ...{ lastReview: Date.parse(card.lastReview), nextDues: nextDues(card) },
    })),
    ...{ unreviewedCount: all.length, unreviewedNewCardCount: fresh.length, unreviewedOldCardCount: old.length },
  };
}

const isRating = (value: unknown): value is Rating => value === 1 || value === 2 || value === 3 || value === 4;

export const riffRoutes: RouteTable = {
  '/api/riff/getRiffDueCards': (_body, { kernel }) => due(kernel, () => true),
  '/api/riff/getTreeRiffDueCards': (body, { kernel }) => due(kernel, inTree(kernel, text(body, 'rootID'))),
  '/api/riff/getNotebookRiffDueCards': (body, { kernel }) => due(kernel, inNotebook(kernel, text(body, 'notebook'))),
  '/api/riff/reviewRiffCard': {
    writes: true,
    handle: (body, { kernel }) => {
      if (isRating(body.rating)) kernel.decks.review(text(body, 'deckID'), text(body, 'cardID'), body.rating, new Date());
      return null;
    },
  },
  '/api/riff/addRiffCards': { writes: true, handle: change('addFlashcards') },
  '/api/riff/removeRiffCards': { writes: true, handle: change('removeFlashcards') },

  '/api/riff/getRiffCardsByBlockIDs': (body, { kernel }) => {
    const cards = new Map(kernel.decks.cards(BUILT_IN_DECK).map((card) => [card.blockId, card]));
    const blockOfId = (id: string) => {
      const card = cards.get(id);
      return card ? blockOf(kernel, card) : missingBlock(id);
    };
    return { blocks: textList(body, 'blockIDs').map(blockOfId) };
  },

  '/api/riff/getRiffCards': (body, { kernel }) => page(body, kernel, kernel.decks.cards(text(body, 'id'))),
  '/api/riff/getTreeRiffCards': (body, { kernel }) =>
    page(body, kernel, kernel.decks.cards(BUILT_IN_DECK).filter(inTree(kernel, text(body, 'id')))),
  '/api/riff/getNotebookRiffCards': (body, { kernel }) =>
    page(body, kernel, kernel.decks.cards(BUILT_IN_DECK).filter(inNotebook(kernel, text(body, 'id')))),
};
