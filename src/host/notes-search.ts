import { ToolError } from '../tools/errors.ts';
import type { SearchHit, SearchPage, SearchQuery } from '../tools/note-readings.ts';
import type { KernelHit } from './kernel-routes.ts';
import { createHitFilter, kernelTypes } from './search-filters.ts';
import { type FoundHit, SearchHits, type SearchHitsDeps } from './search-hits.ts';

const METHODS = { keyword: 0, syntax: 1, regex: 3 } as const;
/** Hits asked of the kernel at once where each must be looked at anyway. */
const SCAN_SIZE = 200;
const MIN_PAGE_SIZE = 32;
/** Kernel pages read for one answer at most. */
const MAX_KERNEL_PAGES = 25;
const MEANING_HITS = 100;

interface KernelPage {
  readonly blocks: readonly KernelHit[];
  readonly matchedBlockCount: number;
  readonly pageCount: number;
}

/** An answer while it grows. */
interface Scan {
  readonly visible: SearchHit[];
  readonly seen: Set<string>;
  hidden: number;
  /** Hits that the filters left out. */
  left: number;
  matched: number;
  ended: boolean;
}

export interface NotesSearch {
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage>;
  canSearchByMeaning(signal: AbortSignal): Promise<boolean>;
}

class KernelNotesSearch implements NotesSearch {
  private readonly deps: SearchHitsDeps;
  private readonly hits: SearchHits;

  constructor(deps: SearchHitsDeps) {
    this.deps = deps;
    this.hits = new SearchHits(deps);
  }

  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    if (query.query.trim() === '') throw new ToolError('empty_text', 'the query is empty', 'give words to look for');
    const { access, routes } = this.deps;
    // A notebook at `none` is not searched at all, and its hits are not counted: the count would tell which words it holds.
    const books = (await access.notebooks(signal)).filter((each) => each.open && each.right !== 'none');
    for (const id of query.notebooks ?? []) await access.requireNotebook(id, 'read', signal);
    const wanted = query.notebooks?.length ? books.filter((each) => query.notebooks?.includes(each.id)) : books;
    const types = kernelTypes(query.types);
    const filter = createHitFilter(query, routes, access);
    const scan: Scan = { visible: [], seen: new Set(), hidden: 0, left: 0, matched: 0, ended: wanted.length === 0 };
    const end = query.page * query.pageSize;
    if (!scan.ended) await routes.flushIndex(signal);
    const size = query.mode === 'semantic' ? MEANING_HITS : filter.narrows ? SCAN_SIZE : Math.max(MIN_PAGE_SIZE, query.pageSize);
    for (let page = 1; !scan.ended && page <= MAX_KERNEL_PAGES + query.page; page += 1) {
      const paths = wanted.map((each) => each.id);
      const answer = await this.kernelPage(query, { paths, ...(types ? { types } : {}), page, pageSize: size }, signal);
      scan.matched = answer.matchedBlockCount;
      scan.ended = query.mode === 'semantic' || page >= answer.pageCount;
      await this.take(scan, answer.blocks, query, { notebooks: paths, filter }, signal);
      // One more than the page holds tells that there is a next page.
      if (scan.visible.length > end && !filter.narrows) break;
    }
    const known = scan.visible.length;
    // Before the end only the kernel knows how many there are; what was found to be hidden is not among them.
    const total = scan.ended || filter.narrows ? known : Math.max(known, scan.matched - scan.hidden - scan.left);
    return {
      hits: scan.visible.slice(end - query.pageSize, end),
      total,
      nextPage: known > end ? query.page + 1 : null,
      hidden: scan.hidden,
    };
  }

  async canSearchByMeaning(signal: AbortSignal): Promise<boolean> {
    const { routes } = this.deps;
    try {
      if (!(await routes.hasEmbeddings(signal))) return false;
      await routes.searchByMeaning({ query: '', page: 1, pageSize: 1 }, signal);
      return (await routes.sql('SELECT id FROM block_embeddings WHERE length(embedding) > 0 LIMIT 1', signal)).length > 0;
    } catch (error) {
      // An older or a newer host without it says so by refusing.
      if (error instanceof ToolError && error.code === 'kernel_refused') return false;
      throw error;
    }
  }

  private async kernelPage(
    query: SearchQuery,
    request: {
      readonly paths: readonly string[];
      readonly types?: Readonly<Record<string, boolean>>;
      readonly page: number;
      readonly pageSize: number;
    },
    signal: AbortSignal,
  ): Promise<KernelPage> {
    const { routes } = this.deps;
    const asked = { query: query.query, ...request };
    const answer =
      query.mode === 'semantic'
        ? await routes.searchByMeaning(asked, signal)
        : await routes.search({ ...asked, method: METHODS[query.mode] }, signal);
    return { ...answer, blocks: answer.blocks ?? [] };
  }

  private async take(
    scan: Scan,
    blocks: readonly KernelHit[],
    query: SearchQuery,
    { notebooks, filter }: { readonly notebooks: readonly string[]; readonly filter: ReturnType<typeof createHitFilter> },
    signal: AbortSignal,
  ): Promise<void> {
    // In 3.7.3 a notebook is a document of its own id. A query that is a block id goes past the kernel's filters.
    const fresh = blocks.filter((hit) => hit.id !== hit.box && !scan.seen.has(hit.id));
    for (const hit of fresh) scan.seen.add(hit.id);
    const places = await this.deps.access.look(
      fresh.map((hit) => hit.id),
      signal,
      'flushed',
    );
    const inside = [...places.values()].filter((place) => notebooks.includes(place.notebook));
    const passing = new Map((await filter.passing(inside, signal)).map((place) => [place.id, place]));
    scan.left += fresh.length - passing.size;
    const found: FoundHit[] = [];
    for (const hit of fresh) {
      const place = passing.get(hit.id);
      if (place?.readable) found.push({ hit, place });
      else if (place) scan.hidden += 1;
    }
    for (const shown of await this.hits.show(found, query, signal)) {
      if (shown) scan.visible.push(shown);
      else scan.hidden += 1;
    }
  }
}

export function createNotesSearch(deps: SearchHitsDeps): NotesSearch {
  return new KernelNotesSearch(deps);
}
