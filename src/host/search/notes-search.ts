import { ToolError } from '../../tools/contract/errors.ts';
import type { SearchHit, SearchPage, SearchQuery } from '../../tools/contract/note-readings.ts';
import { findMaskedBlocks, type MaskedBlock } from '../access/masked-blocks.ts';
import type { IndexedBlock } from '../access/readable-blocks.ts';
import type { KernelHit } from '../kernel/kernel-routes.ts';
import { linearPattern } from './linear-pattern.ts';
import { createHitFilter, type HitFilter, kernelTypes, notebookOf } from './search-filters.ts';
import { hitOfKernel, type SearchHitsDeps, searchMasked } from './search-hits.ts';

const METHODS = { keyword: 0, syntax: 1, regex: 3 } as const;
const ORDERS = { oldest: 1, newest: 2, 'changed-first': 3, 'changed-last': 4 } as const;
/** Hits asked of the kernel at once where many of them may have to be passed over. */
const SCAN_SIZE = 1000;
const MIN_PAGE_SIZE = 32;
/** Readable hits looked at for one answer at most, those that the filters leave out among them. */
const MAX_LOOKED_AT = 5000;
const MEANING_HITS = 100;
const MAX_PATTERN_STEPS = 400;

interface KernelPage {
  readonly blocks: readonly KernelHit[];
  readonly pageCount: number;
}

/** An answer while it grows. */
interface Scan {
  readonly hits: SearchHit[];
  readonly seen: Set<string>;
  lookedAt: number;
  ended: boolean;
}

/** What one search is made over. */
interface Scope {
  readonly query: SearchQuery;
  readonly notebooks: readonly string[];
  readonly masked: ReadonlyMap<string, MaskedBlock>;
  readonly filter: HitFilter;
}

export interface NotesSearch {
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage>;
}

/**
 * Nothing of an answer depends on what hidden text says. The kernel is asked, but its hits on hidden and on masked blocks are passed over
 * without being counted, its own counts are not told, and masked blocks are searched by what may be read of them.
 */
class KernelNotesSearch implements NotesSearch {
  private readonly deps: SearchHitsDeps;

  constructor(deps: SearchHitsDeps) {
    this.deps = deps;
  }

  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    if (query.query.trim() === '') throw new ToolError('empty_text', 'the query is empty', 'give words to look for');
    // The kernel compiles a pattern anew for each row: a long one, or one of many repetitions, keeps it busy for minutes.
    if (query.mode === 'regex') linearPattern(query.query, MAX_PATTERN_STEPS);
    const { access, routes } = this.deps;
    // A notebook at `none` is not searched at all.
    const books = (await access.notebooks(signal)).filter((each) => each.open && each.right !== 'none');
    for (const id of query.notebooks ?? []) await access.requireNotebook(id, 'read', signal);
    const places = query.places?.length ? query.places : books.map((each) => each.id);
    const isSearched = (id: string): boolean =>
      (!query.notebooks?.length || query.notebooks.includes(id)) && places.some((place) => notebookOf(place) === id);
    const notebooks = books.map((each) => each.id).filter(isSearched);
    const paths = places.filter((place) => notebooks.includes(notebookOf(place)));
    const filter = createHitFilter(query, routes, access);
    const types = kernelTypes(query.types);
    const end = query.page * query.pageSize;
    const scan: Scan = { hits: [], seen: new Set(), lookedAt: 0, ended: notebooks.length === 0 };
    if (!scan.ended) await routes.flushIndex(signal);
    const masked = await findMaskedBlocks(this.deps, notebooks, signal);
    const scope: Scope = { query, notebooks, masked, filter };
    scan.hits.push(...(await searchMasked(this.deps, masked, query, filter, signal)));
    const size = query.mode === 'semantic' ? MEANING_HITS + (await this.countPassedOver(scope, signal)) : this.sizeOf(scope);
    // One more than the page holds tells that there is a next page.
    for (let page = 1; !scan.ended && scan.hits.length <= end && scan.lookedAt < MAX_LOOKED_AT; page += 1) {
      const asked = { paths, ...(types ? { types } : {}), page, pageSize: size };
      const answer = await this.kernelPage(query, asked, signal);
      await this.take(scan, answer.blocks, scope, signal);
      scan.ended = query.mode === 'semantic' || page >= answer.pageCount;
    }
    const isMore = scan.hits.length > end;
    return {
      hits: scan.hits.slice(end - query.pageSize, end),
      total: isMore ? null : scan.hits.length,
      nextPage: isMore ? query.page + 1 : null,
    };
  }

  /** Of several words the kernel cuts pages by documents, hidden ones too: within one page of all of them the order is its own. */
  private sizeOf({ query, masked, filter }: Scope): number {
    return masked.size > 0 || filter.narrows ? SCAN_SIZE : Math.max(MIN_PAGE_SIZE, query.pageSize);
  }

  /** Blocks that may stand nearer than those that are shown and are passed over, by where they stand. */
  private async countPassedOver({ notebooks, masked }: Scope, signal: AbortSignal): Promise<number> {
    return masked.size + (await this.deps.access.countHidden(notebooks, signal));
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
        : await routes.search({ ...asked, method: METHODS[query.mode], orderBy: query.order ? ORDERS[query.order] : 0 }, signal);
    return { pageCount: answer.pageCount, blocks: answer.blocks ?? [] };
  }

  private async take(scan: Scan, blocks: readonly KernelHit[], scope: Scope, signal: AbortSignal): Promise<void> {
    const fresh = blocks.filter((hit) => {
      if (scan.seen.has(hit.id) || scope.masked.has(hit.id)) return false;
      scan.seen.add(hit.id);
      return true;
    });
    const ids = fresh.map((hit) => hit.id);
    const looked = await this.deps.access.look(ids, signal, 'flushed');
    // A query that is a block id goes past the kernel's filters.
    const isReadable = (place: IndexedBlock): boolean => place.readable && scope.notebooks.includes(place.notebook);
    // In the kernel's order, and cut at a number of readable hits: where the kernel cuts says how many hidden ones there were.
    const room = scope.query.mode === 'semantic' ? MEANING_HITS : MAX_LOOKED_AT;
    const readable = fresh.flatMap((hit) => {
      const place = looked.get(hit.id);
      return place && isReadable(place) ? [{ hit, place }] : [];
    });
    const wanted = readable.slice(0, room - scan.lookedAt);
    scan.lookedAt += wanted.length;
    const passing = new Set(
      (
        await scope.filter.passing(
          wanted.map(({ place }) => place),
          signal,
        )
      ).map((place) => place.id),
    );
    for (const { hit, place } of wanted) if (passing.has(place.id)) scan.hits.push(hitOfKernel(hit, place));
  }
}

export function createNotesSearch(deps: SearchHitsDeps): NotesSearch {
  return new KernelNotesSearch(deps);
}
