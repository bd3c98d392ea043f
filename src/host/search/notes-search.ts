import { ToolError } from '../../tools/contract/errors.ts';
import type { SearchPage, SearchQuery } from '../../tools/contract/note-readings.ts';
import { runLimited } from '../../tools/util/run-limited.ts';
import { findMaskedBlocks, type MaskedBlock } from '../access/masked-blocks.ts';
import { isVisible } from '../access/notebook-list.ts';
import { isBlockId } from '../blocks/block-dom.ts';
import { quotedList } from '../sql/sql-text.ts';
import { type RelevanceScope, searchByRelevance } from './notes-relevance.ts';
import { rankMatches } from './ranked-matches.ts';
import { isIn } from './relevance-candidates.ts';
import { savedChatsLast } from './saved-chats.ts';
import type { NearBlocks, NearMatches } from './search-by-meaning.ts';
import { createMatchFilter, kernelTypes, maskedKindsOf, notebookOf, SEARCHED_TYPES } from './search-filters.ts';
import {
  literalMatches,
  named,
  type RankedMatch,
  type SearchMatchesDeps,
  searchMasked,
  searchTwofold,
  showMatches,
} from './search-matches.ts';
import { keywordsOf, type ReadQuery, readQuery, visibleText } from './search-matching.ts';

const METHODS = { relevance: 0, keyword: 0, syntax: 1, regex: 3 } as const;
const ORDERS = { oldest: 1, newest: 2, 'changed-first': 3, 'changed-last': 4 } as const;
/** Matches requested at once where many of them may be skipped. */
const SCAN_SIZE = 1000;
const MIN_PAGE_SIZE = 32;
/** The maximum number of readable matches inspected for one answer, including those that filters remove. */
const MAX_INSPECTED = 5000;
const MEANING_HITS = 100;
const MEANING_MS = 8000;
/** Of each script: together what one statement asks for. */
const NEAR_BATCH = 150;
/** Hidden rows among them must not cut off others. */
const MOST_ROWS = 100_000;
/** Matches of a search by words or pattern, in the kernel's order, that are ranked. */
const MOST_RANKED = 300;

interface KernelPage {
  readonly ids: readonly string[];
  readonly pageCount: number;
}

interface Scan {
  readonly matches: RankedMatch[];
  readonly seen: Set<string>;
  inspectedCount: number;
  ended: boolean;
}

interface Scope extends Omit<RelevanceScope, 'places'> {
  readonly read: ReadQuery;
}

interface KernelRange {
  readonly page: number;
  readonly pageSize: number;
}

interface Asked {
  readonly paths: readonly string[];
  readonly types?: Readonly<Record<string, boolean>>;
}

/** Below it, blocks of other subjects are as similar: of 96 notes, the same text in another language had 0.58 or more in 95 %. */
const ALIKE = 0.5;
const alikeIn = ({ own, other }: NearBlocks): NearBlocks => {
  const isAlike = ({ similarity }: NearBlocks['own'][number]): boolean => similarity >= ALIKE;
  return { own: own.filter(isAlike), other: other.filter(isAlike) };
};

/** For several words the kernel pages by document, hidden ones included: the order is its own within one page of everything. */
const isCutByBlocks = (query: SearchQuery): boolean =>
  query.mode !== 'semantic' && (query.mode !== 'keyword' || keywordsOf(query).length < 2);

/** An id finds its block in every mode. */
const isByRelevance = ({ query, mode }: SearchQuery): boolean => mode === 'relevance' && !isBlockId(query.trim());

/** A saved search may have its own order, and a search by meaning is already ordered. */
const isRanked = ({ mode, order }: SearchQuery): boolean => mode !== 'semantic' && order === undefined;

/** Tells if the kernel could find it. A title is found by the document's own readable words, never by those of its blocks. */
const isFindable = ({ id, type }: MaskedBlock, query: SearchQuery): boolean =>
  id === query.query.trim() || (type !== 'd' && (query.types?.length ? query.types : SEARCHED_TYPES).includes(type));

/** The masked blocks that may be in these places; blocks are excluded only if all places are documents. */
function maskedIn(places: readonly string[], masked: ReadonlyMap<string, MaskedBlock>): ReadonlyMap<string, MaskedBlock> {
  if (!places.every((place) => place.endsWith('.sy'))) return masked;
  const documents = new Set(places.map((place) => place.slice(place.lastIndexOf('/') + 1, -'.sy'.length)));
  return new Map([...masked].filter(([, { documentId }]) => documents.has(documentId)));
}

function* evenPages(pageSize: number): Generator<KernelRange, void> {
  for (let page = 1; ; page += 1) yield { page, pageSize };
}

/** Each range is as long as all before it together, so that few requests reach far: pages are addressed by number. */
function* growingPages(first: number): Generator<KernelRange, void> {
  yield { page: 1, pageSize: first };
  for (let pageSize = first; ; pageSize *= 2) yield { page: 2, pageSize };
}

export interface NotesSearch {
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage>;
}

/** Nothing depends on hidden text: the kernel's hits in hidden and masked blocks are skipped, its counts unused. */
class KernelNotesSearch implements NotesSearch {
  private readonly deps: SearchMatchesDeps;

  constructor(deps: SearchMatchesDeps) {
    this.deps = deps;
  }

  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    if (visibleText(query.query) === '') throw new ToolError('empty_text', 'the query is empty', 'give words to search for');
    const read = await readQuery(query);
    const { access, routes } = this.deps;
    // A notebook at `none` is not searched.
    const [all] = await Promise.all([access.notebooks(signal), routes.flushIndex(signal)]);
    const books = all.filter(isVisible);
    for (const id of query.notebooks ?? []) await access.requireNotebook(id, 'read', signal);
    const places = query.places?.length ? query.places : books.map((each) => each.id);
    const isSearched = (id: string): boolean =>
      (!query.notebooks?.length || query.notebooks.includes(id)) && places.some((place) => notebookOf(place) === id);
    const notebooks = books.map((each) => each.id).filter(isSearched);
    const paths = places.filter((place) => notebooks.includes(notebookOf(place)));
    const masked = await findMaskedBlocks(this.deps, notebooks, isByRelevance(query) ? maskedKindsOf(query) : 'all', signal);
    const filter = createMatchFilter(query, routes);
    const scope: Scope = { query, read, notebooks, masked, filter };
    const wanted = notebooks.length === 0 ? [] : await filter.placesFor(paths, signal);
    // Masked blocks are distinguished by type, so the types must be known ones.
    const types = kernelTypes(query.types?.length || masked.size === 0 ? query.types : SEARCHED_TYPES);
    const asked = { paths: wanted, types };
    const answer = isByRelevance(query)
      ? await this.byRelevance(scope, asked, signal)
      : await this.withMissing(
          (await this.pageOfKernel(scope, asked, signal)) ?? (await this.scanned(scope, asked, signal)),
          scope,
          asked,
          signal,
        );
    const matches = isByRelevance(query) ? answer.matches : await savedChatsLast(routes, answer.matches, signal);
    return { ...answer, matches: named(matches, new Map(books.map((book) => [book.id, book.name]))) };
  }

  private async byRelevance(scope: Scope, asked: Asked, signal: AbortSignal): Promise<SearchPage> {
    // It comes on top of what words find: a service that fails or hangs costs a few seconds, and no result.
    const byMeaning = async (): Promise<NearMatches | undefined> => {
      const { text = scope.query.query } = scope.query;
      const query: SearchQuery = { ...scope.query, query: text, mode: 'semantic', page: 1, pageSize: MEANING_HITS };
      const near: Scope = { ...scope, query, read: await readQuery(query) };
      const ask = async (stop: AbortSignal): Promise<NearMatches | undefined> =>
        query.meaning ? { matches: (await this.scanned(near, asked, stop)).matches } : this.onDevice(near, stop);
      const found = await runLimited(ask, { signal, timeoutMs: MEANING_MS });
      if (found.kind === 'done') return found.value;
      return query.meaning ? { matches: [] } : undefined;
    };
    const { meaning = this.deps.near?.find !== undefined, occurrences, text } = scope.query;
    // A list of words has no meaning.
    const isAsked = meaning && (!occurrences || text !== undefined);
    return searchByRelevance(this.deps, { ...scope, places: asked.paths }, isAsked ? byMeaning : undefined, signal);
  }

  /** The nearest readable blocks of each script, by the vectors on this device. */
  private async onDevice(scope: Scope, signal: AbortSignal): Promise<NearMatches | undefined> {
    const { types = [] } = scope.query;
    // A title has no vector.
    if (types.length > 0 && types.every((type) => type === 'd')) return undefined;
    const all = await this.deps.near?.find?.(scope.query.query);
    const found = all && scope.query.text !== undefined ? alikeIn(all) : all;
    if (!found || found.own.length + found.other.length === 0) return undefined;
    const scan: Scan = { matches: [], seen: new Set(), inspectedCount: 0, ended: false };
    const inOwn = new Map(found.own.map(({ id, similarity }) => [id, similarity]));
    const inOther = new Map(found.other.map(({ id, similarity }) => [id, similarity]));
    const of = (list: ReadonlyMap<string, number>) => scan.matches.filter(({ place }) => list.has(place.id)).slice(0, MEANING_HITS);
    const hasAll = (list: ReadonlyMap<string, number>, end: number): boolean => end >= list.size || of(list).length >= MEANING_HITS;
    for (let end = 0; !(hasAll(inOwn, end) && hasAll(inOther, end)); end += NEAR_BATCH) {
      const next = [found.own, found.other].flatMap((list) => list.slice(end, end + NEAR_BATCH).map(({ id }) => id));
      await this.take(scan, next, scope, signal, MAX_INSPECTED);
    }
    const [own, other] = [of(inOwn), of(inOther)];
    const first = (list: readonly RankedMatch[], near: ReadonlyMap<string, number>): number => near.get(list[0]?.place.id ?? '') ?? -1;
    const shown = await showMatches(this.deps, [...own, ...other], scope.read, signal);
    const nearer = first(other, inOther) - first(own, inOwn);
    return { matches: shown.slice(0, own.length), other: { matches: shown.slice(own.length), nearer } };
  }

  /** If a search for several words finds nothing: the words that occur nowhere. */
  private async withMissing(page: SearchPage, scope: Scope, asked: Asked, signal: AbortSignal): Promise<SearchPage> {
    if (scope.query.mode !== 'keyword' || page.total !== 0) return page;
    const { missing } = await searchByRelevance(this.deps, { ...scope, places: asked.paths }, undefined, signal);
    return missing ? { ...page, missing } : page;
  }

  /** If nothing is hidden and no masked block could match, a page in the kernel's order is a page of the kernel. */
  private async pageOfKernel(scope: Scope, asked: Asked, signal: AbortSignal): Promise<SearchPage | undefined> {
    const { query, read, masked, filter, notebooks } = scope;
    if (filter.narrows || isRanked(query) || !isCutByBlocks(query) || asked.paths.length === 0) return undefined;
    if ([...masked.values()].some((block) => isFindable(block, query))) return undefined;
    // The kernel's counts and pages include guarded blocks, also those below a guarded document.
    if (await this.deps.access.hasGuards(signal, 'flushed')) return undefined;
    const { ids, pageCount } = await this.kernelPage(scope, { ...asked, page: query.page, pageSize: query.pageSize }, signal);
    const inspected = await this.deps.access.look(ids, signal, 'flushed');
    const places = ids.flatMap((id) => {
      const place = inspected.get(id);
      return place?.readable && notebooks.includes(place.notebook) ? [place] : [];
    });
    if (places.some(({ isTwofold, hasOwnAttributes }) => isTwofold || hasOwnAttributes)) return undefined;
    // A block found by its id, or an unreadable one, needs the full check.
    const passing = await filter.passing(places, signal);
    if (passing.length < ids.length || new Set(ids).size < ids.length) return undefined;
    const isMore = query.page < pageCount && query.page * query.pageSize < MAX_INSPECTED;
    const before = (query.page - 1) * query.pageSize;
    // Beyond the end, only our own count gives the number of matches.
    if (ids.length === 0 && query.page > 1) return undefined;
    const found = places.map((place) => ({ place }));
    return {
      matches: await showMatches(this.deps, found, read, signal),
      total: isMore ? null : before + found.length,
      nextPage: isMore ? query.page + 1 : null,
    };
  }

  private async scanned(scope: Scope, asked: Asked, signal: AbortSignal): Promise<SearchPage> {
    const { query, read, masked, filter } = scope;
    const end = query.page * query.pageSize;
    const scan: Scan = { matches: [], seen: new Set(), inspectedCount: 0, ended: asked.paths.length === 0 };
    scan.matches.push(...(await searchMasked(this.deps, maskedIn(asked.paths, masked), query, read, filter, signal)));
    const ranked = isRanked(query) ? scan.matches.length + MOST_RANKED : 0;
    const reach = Math.max(end, ranked);
    for (
      const pages = await this.pagesFor(scope, signal);
      !scan.ended && scan.matches.length <= reach && scan.inspectedCount < MAX_INSPECTED;
    ) {
      const { value } = pages.next();
      if (!value) break;
      const answer = await this.kernelPage(scope, { ...asked, ...value }, signal);
      await this.take(scan, answer.ids, scope, signal);
      scan.ended = query.mode === 'semantic' || value.page >= answer.pageCount;
    }
    const best = await rankMatches(this.deps.routes, scan.matches.slice(0, ranked), read, signal);
    const alike = isRanked(query) && scan.matches.length <= end ? await this.alike(scan, scope, asked, signal) : [];
    const found = [...best, ...scan.matches.slice(ranked), ...alike];
    // One match beyond the page means that there is a next page.
    const isMore = found.length > end;
    return {
      matches: await showMatches(this.deps, found.slice(end - query.pageSize, end), read, signal),
      total: isMore ? null : found.length,
      nextPage: isMore ? query.page + 1 : null,
    };
  }

  /** Matches that SiYuan's search does not find, best first: with accents that the query has not, or in other signs. */
  private async alike(found: Scan, scope: Scope, asked: Asked, signal: AbortSignal): Promise<readonly RankedMatch[]> {
    const { query, read, notebooks } = scope;
    if (read.alike === undefined || asked.paths.length === 0) return [];
    const types = quotedList(query.types?.length ? query.types : SEARCHED_TYPES);
    const rows = await this.deps.routes.sql(
      `SELECT DISTINCT id FROM blocks WHERE box IN (${quotedList(notebooks)}) AND type IN (${types}) AND (${isIn(asked.paths)}) ` +
        `AND ${read.alike} ORDER BY id LIMIT ${MOST_ROWS}`,
      signal,
    );
    const scan: Scan = { ...found, matches: [], inspectedCount: 0 };
    const ids = rows.map((row) => String(row.id));
    await this.take(scan, ids, { ...scope, read: { ...read, isWide: true } }, signal);
    return rankMatches(this.deps.routes, scan.matches.slice(0, MOST_RANKED), read, signal);
  }

  private async pagesFor(scope: Scope, signal: AbortSignal): Promise<Iterator<KernelRange, void>> {
    const { query, masked, filter } = scope;
    if (query.mode === 'semantic') return evenPages(MEANING_HITS + (await this.countPassedOver(scope, signal)));
    const least = isRanked(query) ? MOST_RANKED : MIN_PAGE_SIZE;
    if (isCutByBlocks(query)) return growingPages(Math.max(query.page * query.pageSize, least) + 1);
    return evenPages(masked.size > 0 || filter.narrows ? SCAN_SIZE : Math.max(least, query.pageSize));
  }

  /** Skipped blocks that may be nearer than those shown, chosen by position. */
  private async countPassedOver({ notebooks, masked }: Scope, signal: AbortSignal): Promise<number> {
    return masked.size + (await this.deps.access.countHidden(notebooks, signal));
  }

  private async kernelPage({ query, read }: Scope, request: Asked & KernelRange, signal: AbortSignal): Promise<KernelPage> {
    const { routes } = this.deps;
    const asked = { query: read.sent, ...request };
    const answer =
      query.mode === 'semantic'
        ? await routes.searchByMeaning(asked, signal)
        : await routes.search(
            { ...asked, method: read.isExpression ? METHODS.syntax : METHODS[query.mode], orderBy: query.order ? ORDERS[query.order] : 0 },
            signal,
          );
    return { pageCount: answer.pageCount, ids: (answer.blocks ?? []).map(({ id }) => id) };
  }

  private async take(
    scan: Scan,
    ids: readonly string[],
    scope: Scope,
    signal: AbortSignal,
    room = scope.query.mode === 'semantic' ? MEANING_HITS : MAX_INSPECTED,
  ): Promise<void> {
    const fresh = ids.filter((id) => {
      if (scan.seen.has(id) || scope.masked.has(id)) return false;
      scan.seen.add(id);
      return true;
    });
    const inspected = await this.deps.access.look(fresh, signal, 'flushed');
    // In the kernel's order, cut at a number of readable matches: the kernel's own cut would reveal the number of hidden ones.
    const readable = fresh.flatMap((id) => {
      const place = inspected.get(id);
      // A query that is a block id bypasses the kernel's filters.
      return place?.readable && scope.notebooks.includes(place.notebook) ? [place] : [];
    });
    const wanted = readable.slice(0, room - scan.inspectedCount);
    scan.inspectedCount += wanted.length;
    const passing = await scope.filter.passing(wanted, signal);
    const twofold = passing.filter(({ isTwofold }) => isTwofold);
    const single = passing.filter(({ isTwofold }) => !isTwofold);
    const found: readonly RankedMatch[] = [
      ...(await literalMatches(this.deps, single, scope.query, scope.read, scope.masked, signal)).map((place) => ({ place })),
      ...(await searchTwofold(this.deps, twofold, scope.query, scope.read, signal)),
    ];
    const byId = new Map(found.map((match) => [match.place.id, match]));
    scan.matches.push(...wanted.flatMap(({ id }) => byId.get(id) ?? []));
  }
}

export function createNotesSearch(deps: SearchMatchesDeps): NotesSearch {
  return new KernelNotesSearch(deps);
}
