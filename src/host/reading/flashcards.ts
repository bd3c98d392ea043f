import type { FlashcardPage, FlashcardReading, NoteQueries } from '../../tools/contract/note-queries.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { Access } from '../access/access.ts';
import { titleIn } from '../access/readable-blocks.ts';
import type { CardBlock, CardScope, KernelRoutes } from '../kernel/kernel-routes.ts';
import type { BlockViewer } from './block-view.ts';

export interface FlashcardsDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
  readonly now: () => number;
}

/** Cards that one request asks for, and that are looked at in all. */
const BATCH = 512;
const MOST = 20_000;

const byDue = (one: CardBlock, other: CardBlock): number => Date.parse(one.card.due) - Date.parse(other.card.due);

/** Reads all cards: SiYuan's daily limits count cards of hidden blocks, so its due ones would reveal something of them. */
export class Flashcards implements Pick<NoteQueries, 'flashcards'> {
  private readonly deps: FlashcardsDeps;

  constructor(deps: FlashcardsDeps) {
    this.deps = deps;
  }

  async flashcards(query: Parameters<NoteQueries['flashcards']>[0], signal: AbortSignal): Promise<FlashcardPage> {
    const { routes, access, now } = this.deps;
    const books = await access.notebooks(signal);
    const scope = await this.scopeOf(query.in, books, signal);
    await routes.flushIndex(signal);
    const all = await this.cards(scope, signal);
    const places = await access.look(
      all.map(({ id }) => id),
      signal,
      'flushed',
    );
    const readable = all.filter(({ id, card }) => places.get(id)?.readable && (!query.due || Date.parse(card.due) <= now()));
    const start = (query.page - 1) * query.pageSize;
    const shown = readable.sort(byDue).slice(start, start + query.pageSize);
    const names = new Map(books.map((book) => [book.id, book.name] as const));
    const texts = await this.textsOf(
      shown.map(({ id }) => id),
      signal,
    );
    const items = shown.flatMap(({ id, card }): FlashcardReading[] => {
      const [place, markdown] = [places.get(id), texts.get(id)];
      if (!place || markdown === undefined) return [];
      const document = { id: place.documentId, title: titleIn(place.wordPath), path: place.wordPath };
      const notebook = { id: place.notebook, name: names.get(place.notebook) ?? '' };
      return [{ id, markdown, document, notebook, due: card.due, reviews: card.reps, lapses: card.lapses }];
    });
    return { items, total: readable.length, nextPage: start + query.pageSize < readable.length ? query.page + 1 : null };
  }

  private async scopeOf(id: string | undefined, books: readonly NotebookInfo[], signal: AbortSignal): Promise<CardScope> {
    const { access } = this.deps;
    if (id === undefined) return { kind: 'all' };
    if (books.some((book) => book.id === id)) return { kind: 'notebook', id: (await access.requireNotebook(id, 'read', signal)).id };
    return { kind: 'document', id: (await access.locateDocument(id, signal)).documentId };
  }

  /** Each block once; SiYuan gives blocks that it does not find without a card. */
  private async cards(scope: CardScope, signal: AbortSignal): Promise<CardBlock[]> {
    const found = new Map<string, CardBlock>();
    for (let page = 1; (page - 1) * BATCH < MOST; page++) {
      const { cards, pageCount } = await this.deps.routes.cards(scope, { page, pageSize: BATCH }, signal);
      for (const each of cards) found.set(each.id, each);
      if (page >= pageCount) break;
    }
    return [...found.values()];
  }

  private async textsOf(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { routes, viewer } = this.deps;
    const doms = await routes.doms(ids, signal);
    const views = await viewer.view(
      ids.map((id) => doms[id] ?? ''),
      signal,
    );
    return new Map(views.flatMap((view) => (view ? [[view.id, viewer.markdown(view.element)] as const] : [])));
  }
}
