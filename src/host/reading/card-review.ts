import { type Element, isTag, Text } from 'domhandler';
import type { CardReview, DueCard, ReviewScope } from '../../tools/contract/card-review.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { NoteQueries } from '../../tools/contract/note-queries.ts';
import { NEVER } from '../../tools/util/abort.ts';
import type { Access } from '../access/access.ts';
import { titleIn } from '../access/readable-blocks.ts';
import { type BlockElement, blockType, childBlocks, cloneBlock } from '../blocks/block-dom.ts';
import type { CardScope, KernelRoutes, ReviewCard } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import type { BlockView, BlockViewer } from './block-view.ts';

const GAP = '[…]';

const isMark = (element: Element): boolean => (element.attribs['data-type'] ?? '').split(' ').includes('mark');

function blankMarks(element: Element): void {
  for (const child of element.children.filter(isTag)) {
    if (!isMark(child)) blankMarks(child);
    else {
      const gap = new Text(GAP);
      gap.parent = child;
      child.children = [gap];
    }
  }
}

function drop(block: BlockElement, isAnswer: (child: BlockElement, index: number) => boolean): void {
  const gone = new Set<unknown>(childBlocks(block).filter(isAnswer));
  block.children = block.children.filter((child) => !gone.has(child));
}

function dropAnswers(block: BlockElement): void {
  if (blockType(block) === 's') drop(block, (_child, index) => index > 0);
  if (blockType(block) === 'i') drop(block, (child) => blockType(child) === 'l');
  if (blockType(block) === 'l') childBlocks(block).forEach(dropAnswers);
}

/** A card as SiYuan's review shows it first: without marked words, without the lists below its items, of a super block only the first block. */
function frontOf(block: BlockElement): BlockElement {
  const front = cloneBlock(block);
  dropAnswers(front);
  blankMarks(front);
  return front;
}

export interface CardReviewDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
  readonly blocks: NoteQueries['blocks'];
}

const SECTION = 20;

type Sides = Pick<DueCard, 'front' | 'whole'>;

export class KernelCardReview implements CardReview {
  private readonly deps: CardReviewDeps;

  constructor(deps: CardReviewDeps) {
    this.deps = deps;
  }

  async due(scope: ReviewScope, signal: AbortSignal): Promise<readonly DueCard[]> {
    const { routes, access } = this.deps;
    const books = await access.notebooks(signal);
    await routes.flushIndex(signal);
    const all = await routes.dueCards(await this.scopeOf(scope, signal), signal);
    const places = await access.look(
      all.map(({ blockID }) => blockID),
      signal,
      'flushed',
    );
    // Of a notebook without blocks SiYuan gives the cards of all notebooks.
    const readable = all.filter(({ blockID }) => {
      const place = places.get(blockID);
      return place?.readable && (scope.notebook === undefined || place.notebook === scope.notebook);
    });
    const sides = await this.sidesOf(readable, signal);
    const names = new Map(books.map((book) => [book.id, book.name] as const));
    return readable.flatMap((card): DueCard[] => {
      const [place, side] = [places.get(card.blockID), sides.get(card.blockID)];
      if (!place || !side) return [];
      const { 1: again = '', 2: hard = '', 3: good = '', 4: easy = '' } = card.nextDues;
      return [
        {
          ...{ id: card.blockID, cardId: card.cardID, deckId: card.deckID, reviews: card.reps, ...side },
          document: { id: place.documentId, title: titleIn(place.wordPath), path: place.wordPath },
          notebook: { id: place.notebook, name: names.get(place.notebook) ?? '' },
          next: { 1: again, 2: hard, 3: good, 4: easy },
        },
      ];
    });
  }

  async rate(card: DueCard, rating: number, round: readonly string[], signal: AbortSignal): Promise<void> {
    const { routes } = this.deps;
    await this.requireUnrated(card, signal);
    await routes.reviewCard({ deckID: card.deckId, cardID: card.cardId, rating }, round, NEVER);
    // SiYuan answers the same where it did nothing.
    if ((await this.reviewsOf(card.id, NEVER)) === card.reviews)
      throw new ToolError('kernel_refused', 'SiYuan did not keep the rating', 'try again, or review the card in SiYuan');
  }

  private async requireUnrated({ id, reviews }: DueCard, signal: AbortSignal): Promise<void> {
    const { routes, access } = this.deps;
    await routes.flushIndex(signal);
    if (!(await access.look([id], signal, 'flushed')).get(id)?.readable) throw noSuchBlock(id);
    const now = await this.reviewsOf(id, signal);
    if (now === undefined) throw noSuchBlock(id);
    if (now !== reviews) throw new ToolError('stale', 'this card was reviewed elsewhere meanwhile', 'go on with the next card');
  }

  private async reviewsOf(id: string, signal: AbortSignal): Promise<number | undefined> {
    return (await this.deps.routes.reviewsOf([id], signal)).get(id);
  }

  private async scopeOf({ notebook, document }: ReviewScope, signal: AbortSignal): Promise<CardScope> {
    const { access } = this.deps;
    if (notebook !== undefined) return { kind: 'notebook', id: (await access.requireNotebook(notebook, 'read', signal)).id };
    if (document !== undefined) return { kind: 'document', id: (await access.locateDocument(document, signal)).documentId };
    return { kind: 'all' };
  }

  private async sidesOf(cards: readonly ReviewCard[], signal: AbortSignal): Promise<ReadonlyMap<string, Sides>> {
    const { routes, viewer } = this.deps;
    const ids = cards.map(({ blockID }) => blockID);
    const doms = await routes.doms(ids, signal);
    const views = await viewer.view(
      ids.map((id) => doms[id] ?? ''),
      signal,
    );
    const sides = new Map<string, Sides>();
    for (const view of views) if (view) sides.set(view.id, await this.sides(view, signal));
    return sides;
  }

  private async sides({ id, element }: BlockView, signal: AbortSignal): Promise<Sides> {
    const { viewer, blocks } = this.deps;
    const [front, whole] = [viewer.markdown(frontOf(element)), viewer.markdown(element)];
    if (blockType(element) !== 'h') return { front, whole };
    const section = await blocks({ id, range: 'children', limit: SECTION }, signal);
    return { front, whole: [whole, ...section.blocks.map(({ markdown }) => markdown)].join('\n\n') };
  }
}
