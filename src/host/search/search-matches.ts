import type { SearchMatch, SearchQuery } from '../../tools/contract/note-readings.ts';
import { compareTexts } from '../../tools/util/plain-value.ts';
import type { Access } from '../access/access.ts';
import type { MaskedBlock } from '../access/masked-blocks.ts';
import { type IndexedBlock, titleIn } from '../access/readable-blocks.ts';
import { attributeValues, type BlockElement, plainText } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { BlockViewer } from '../reading/block-view.ts';
import { snippetAt, type TextRange } from '../reading/snippet.ts';
import { batchesOf, quoted, quotedList } from '../sql/sql-text.ts';
import { type MatchFilter, SEARCHED_TYPES } from './search-filters.ts';
import { keywordsOf, type ReadQuery, readKeywords } from './search-matching.ts';

export interface SearchMatchesDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
}

/** Their text that may be read stands in the index. */
const KNOWN_BY_INDEX = new Set(['d', 'av', 'query_embed']);
/** Blocks that are read for one search at most, and at once. */
const MAX_READ = 3000;
const READ_BATCH = 100;

const NOWHERE: TextRange = { start: 0, end: 0 };

/** What a block shows, its addresses, names and queries too. */
function searchedText(element: BlockElement): string {
  const attributes = ['name', 'alias', 'memo', 'data-content', 'data-href'].flatMap((name) => [...attributeValues(element, name)]);
  return [plainText(element), ...attributes].filter((part) => part !== '').join(' ');
}

export function matchAt(place: IndexedBlock, { snippet, words }: Excerpt): SearchMatch {
  const { id, documentId, wordPath: path, notebook, type } = place;
  return { id, documentId, documentTitle: titleIn(path), path, notebook, type, snippet, ...(words?.length ? { words } : {}) };
}

/** With the names of their notebooks. */
export const named = (matches: readonly SearchMatch[], names: ReadonlyMap<string, string>): readonly SearchMatch[] =>
  matches.map((match) => ({ ...match, notebookName: names.get(match.notebook) ?? match.notebook }));

/** What is shown of a match. */
export interface Excerpt {
  readonly snippet: string;
  /** SearchMatch.words */
  readonly words?: readonly string[];
}

/** As much of what a pattern matched as is told apart in a text that shows only its beginning. */
const MATCHED_START = 20;

/** What a pattern matched, as far as it stands in what is shown: white space is one blank there, and its end may be cut off. */
const matchedIn = (snippet: string, matched: readonly string[]): readonly string[] =>
  matched.flatMap((text) => {
    const line = text.replaceAll(/\s+/g, ' ').trim();
    const start = snippet.indexOf(line.slice(0, MATCHED_START));
    return start < 0 ? [] : snippet.slice(start, start + line.length).replace(/…$/u, '');
  });

/** A title as it is, of another text what stands around a place in it. */
export function excerptOf({ type }: Pick<IndexedBlock, 'type'>, text: string, { start, end }: TextRange, read: ReadQuery): Excerpt {
  const snippet = type === 'd' ? text : snippetAt(text, start, end);
  return read.matched ? { snippet, words: matchedIn(snippet, read.matched(text)) } : { snippet };
}

/** A block that is a match; of one whose text in the index may be read as it is, without what is shown of it. */
export interface RankedMatch {
  readonly place: IndexedBlock;
  readonly excerpt?: Excerpt;
  /** Of a masked block, what may be read. */
  readonly text?: string;
}

/** What each shows: a title, or its own text in the index around what was looked for. */
export async function showMatches(
  { routes }: Pick<SearchMatchesDeps, 'routes'>,
  found: readonly RankedMatch[],
  read: ReadQuery,
  signal: AbortSignal,
): Promise<readonly SearchMatch[]> {
  const ids = found.filter(({ place, excerpt }) => excerpt === undefined && place.type !== 'd').map(({ place }) => place.id);
  const texts = new Map(
    (await indexRows(routes, ids, signal)).map((row) => [String(row.id), String(row.content ?? '').replaceAll('\u200b', '')]),
  );
  return found.map(({ place, excerpt }) => {
    if (excerpt) return matchAt(place, excerpt);
    const text = place.type === 'd' ? titleIn(place.wordPath) : (texts.get(place.id) ?? '');
    return matchAt(place, excerptOf(place, text, read.place(text) ?? NOWHERE, read));
  });
}

/** What SiYuan's search looks into; a notebook's own page stands there twice. */
export async function indexRows(
  routes: KernelRoutes,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (const batch of batchesOf(ids)) {
    const stmt = `SELECT id, content, name, alias, memo, tag FROM blocks WHERE id IN (${quotedList(batch)}) LIMIT ${2 * batch.length}`;
    rows.push(...(await routes.sql(stmt, signal)));
  }
  return rows;
}

const WILDCARD = /[%_]/;

/**
 * Of matches of several words those that hold them all: SiYuan looks for each as a pattern of SQL, in which `%` and `_` stand for other
 * characters.
 */
export async function literalMatches(
  deps: SearchMatchesDeps,
  places: readonly IndexedBlock[],
  query: SearchQuery,
  masked: ReadonlyMap<string, MaskedBlock>,
  signal: AbortSignal,
): Promise<readonly IndexedBlock[]> {
  if (query.mode !== 'keyword' || !WILDCARD.test(query.query) || keywordsOf(query).length < 2) return places;
  const rows = await indexRows(
    deps.routes,
    places.map(({ id }) => id),
    signal,
  );
  const texts = new Map(
    rows.map((row) => [String(row.id), ['content', 'name', 'alias', 'memo', 'tag'].map((name) => row[name] ?? '').join(' ')]),
  );
  const { match } = readKeywords(query.query);
  const documents = await documentsHolding(deps, places, (id) => texts.get(id) ?? '', masked, query, signal);
  return places.filter(({ id }) => documents.has(id) || match(texts.get(id) ?? ''));
}

/** A masked block, and what may be read of it. */
export interface MaskedText {
  readonly place: IndexedBlock;
  readonly text: string;
}

/** Those of masked blocks that a query may find, by where they are and never by what they say. */
export async function readMasked(
  deps: SearchMatchesDeps,
  masked: ReadonlyMap<string, MaskedBlock>,
  query: SearchQuery,
  filter: MatchFilter,
  signal: AbortSignal,
): Promise<readonly MaskedText[]> {
  const types = query.types?.length ? new Set(query.types) : new Set(SEARCHED_TYPES);
  const wanted = [...masked.values()].filter(({ id, type, readable }) => readable && (types.has(type) || id === query.query.trim()));
  const passing = await filter.passing(wanted, signal);
  const texts = await textsOf(deps, passing, masked, signal);
  return passing.map((place) => ({ place, text: texts.get(place.id) ?? '' }));
}

/** Searches masked blocks by what may be read of them, and by nothing else; in an order that hidden text does not change. */
export async function searchMasked(
  deps: SearchMatchesDeps,
  masked: ReadonlyMap<string, MaskedBlock>,
  query: SearchQuery,
  read: ReadQuery,
  filter: MatchFilter,
  signal: AbortSignal,
): Promise<readonly RankedMatch[]> {
  if (query.mode === 'semantic') return [];
  const texts = await readMasked(deps, masked, query, filter, signal);
  const places = texts.map(({ place }) => place);
  const documents = await documentsHolding(deps, places, (id) => masked.get(id)?.ownText ?? '', masked, query, signal);
  const matches = texts.flatMap(({ place, text }) => {
    const found = (place.id === query.query.trim() ? NOWHERE : undefined) ?? read.match(text);
    if (place.type === 'd')
      return found || documents.has(place.id) ? [{ place, text, excerpt: excerptOf(place, titleIn(place.wordPath), NOWHERE, read) }] : [];
    return found ? [{ place, text, excerpt: excerptOf(place, text, found, read) }] : [];
  });
  return matches.sort((one, other) => compareTexts(one.place.id, other.place.id));
}

/** An embed's query stands in double braces in the index. */
const ownTextOf = (block: MaskedBlock | undefined): string =>
  block?.type === 'query_embed' ? block.ownText.replaceAll(/\{\{|\}\}/g, '') : (block?.ownText ?? '');

async function textsOf(
  deps: Pick<SearchMatchesDeps, 'routes' | 'viewer'>,
  places: readonly IndexedBlock[],
  masked: ReadonlyMap<string, MaskedBlock>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const texts = await textsByDom(deps, unknownByIndex(places), signal);
  const known = places.filter(({ type }) => KNOWN_BY_INDEX.has(type)).map(({ id }) => [id, ownTextOf(masked.get(id))] as const);
  return new Map([...known, ...texts]);
}

const unknownByIndex = (places: readonly IndexedBlock[]): string[] =>
  places.filter(({ type }) => !KNOWN_BY_INDEX.has(type)).map(({ id }) => id);

/** What blocks say that are there and may be read, by id. */
async function textsByDom(
  { routes, viewer }: Pick<SearchMatchesDeps, 'routes' | 'viewer'>,
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const batch of batchesOf([...ids].sort().slice(0, MAX_READ), READ_BATCH)) {
    const doms = await routes.doms(batch, signal);
    const views = await viewer.view(
      batch.map((id) => doms[id] ?? ''),
      signal,
    );
    for (const [index, id] of batch.entries()) {
      const view = views[index];
      if (view) texts.set(id, searchedText(view.element));
    }
  }
  return texts;
}

/** What blocks say now that the index holds twice, as they were and as they are; without those that are gone. */
export async function readTwofold(
  deps: Pick<SearchMatchesDeps, 'routes' | 'viewer'>,
  places: readonly IndexedBlock[],
  signal: AbortSignal,
): Promise<readonly MaskedText[]> {
  const { routes } = deps;
  const texts = await textsByDom(deps, unknownByIndex(places), signal);
  const documents = places.filter(({ type }) => type === 'd').map(({ id }) => id);
  const attributes = await routes.attributesOf(documents, signal);
  const read: MaskedText[] = [];
  for (const place of places) {
    const text = texts.get(place.id);
    if (text !== undefined) read.push({ place, text });
    if (place.type !== 'd' || !(await routes.exists(place.id, signal))) continue;
    // The attributes of a document that was renamed a moment ago have its old title.
    const wordPath = await routes.pathOf(place.id, signal);
    const names = ['name', 'alias', 'memo', 'tags'].map((name) => attributes[place.id]?.[name] ?? '');
    read.push({ place: { ...place, wordPath }, text: [titleIn(wordPath), ...names].join(' ').trim() });
  }
  return read;
}

/** Those of them that a query finds. */
export async function searchTwofold(
  deps: Pick<SearchMatchesDeps, 'routes' | 'viewer'>,
  places: readonly IndexedBlock[],
  query: SearchQuery,
  read: ReadQuery,
  signal: AbortSignal,
): Promise<readonly RankedMatch[]> {
  const texts = await readTwofold(deps, places, signal);
  return texts.flatMap(({ place, text }) => {
    const isNamed = place.id === query.query.trim();
    // A document may be found by words in its blocks.
    const isInBlocks = place.type === 'd' && query.mode === 'keyword' && keywordsOf(query).length > 1;
    const at = read.match(text) ?? (isNamed || isInBlocks || query.mode === 'semantic' ? NOWHERE : undefined);
    if (!at) return [];
    return [{ place, text, excerpt: excerptOf(place, place.type === 'd' ? titleIn(place.wordPath) : text, at, read) }];
  });
}

/** SiYuan finds a document by several words that stand in different blocks of it: here, in its open blocks that are not masked. */
async function documentsHolding(
  { routes, access }: SearchMatchesDeps,
  places: readonly IndexedBlock[],
  ownText: (id: string) => string,
  masked: ReadonlyMap<string, MaskedBlock>,
  query: SearchQuery,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const terms = keywordsOf(query);
  const documents = places.filter(({ type }) => type === 'd').map(({ id }) => id);
  if (query.mode !== 'keyword' || terms.length < 2 || documents.length === 0) return new Set();
  const kinds = quotedList(SEARCHED_TYPES.filter((type) => type !== 'd'));
  let left = documents;
  for (const term of terms) {
    const holding = new Set(left.filter((id) => readKeywords(term).match(ownText(id))));
    for (const batch of batchesOf(left.filter((id) => !holding.has(id)))) {
      const rows = await routes.sql(
        `SELECT id, root_id FROM blocks WHERE root_id IN (${quotedList(batch)}) AND type IN (${kinds}) ` +
          `AND instr(lower(content), lower(${quoted(term)})) > 0 LIMIT 100000`,
        signal,
      );
      const clean = rows.filter((row) => !masked.has(String(row.id)));
      const inspected = await access.look(
        clean.map((row) => String(row.id)),
        signal,
        'flushed',
      );
      for (const row of clean) {
        const place = inspected.get(String(row.id));
        if (place?.readable && !place.isTwofold) holding.add(String(row.root_id));
      }
    }
    left = left.filter((id) => holding.has(id));
  }
  return new Set(left);
}
