import type { SearchMatch, SearchQuery } from '../../tools/contract/note-readings.ts';
import { compareTexts } from '../../tools/util/plain-value.ts';
import type { Access } from '../access/access.ts';
import type { MaskedBlock } from '../access/masked-blocks.ts';
import { type IndexedBlock, titleIn } from '../access/readable-blocks.ts';
import { attributeValues, type BlockElement, plainText } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { BlockViewer } from '../reading/block-view.ts';
import { snippetAt, type TextRange } from '../reading/snippet.ts';
import { batchesOf, quotedList } from '../sql/sql-text.ts';
import { anyForm } from '../sql/written-forms.ts';
import type { NearSlot } from './search-by-meaning.ts';
import { type MatchFilter, SEARCHED_TYPES } from './search-filters.ts';
import { keywordsOf, type ReadQuery, readKeywords } from './search-matching.ts';

export interface SearchMatchesDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
  readonly near?: NearSlot | undefined;
}

/** Types whose readable text is in the index. */
const KNOWN_BY_INDEX = new Set(['d', 'av', 'query_embed']);
/** The maximum number of blocks read for one search, and at once. */
const MAX_READ = 3000;
const READ_BATCH = 100;

const NOWHERE: TextRange = { start: 0, end: 0 };

/** The visible text of a block, including its addresses, names and queries. */
function searchedText(element: BlockElement): string {
  const attributes = ['name', 'alias', 'memo', 'data-content', 'data-href'].flatMap((name) => [...attributeValues(element, name)]);
  return [plainText(element), ...attributes].filter((part) => part !== '').join(' ');
}

export function matchAt(place: IndexedBlock, { snippet, words }: Excerpt): SearchMatch {
  const { id, documentId, wordPath: path, notebook, type } = place;
  return { id, documentId, documentTitle: titleIn(path), path, notebook, type, snippet, ...(words?.length ? { words } : {}) };
}

export const named = (matches: readonly SearchMatch[], names: ReadonlyMap<string, string>): readonly SearchMatch[] =>
  matches.map((match) => ({ ...match, notebookName: names.get(match.notebook) ?? match.notebook }));

export interface Excerpt {
  readonly snippet: string;
  readonly words?: readonly string[];
}

/** Characters of a match that are compared with a text that is cut off. */
const MATCHED_START = 20;

/** The visible part of a pattern's match in the excerpt: white space is one blank there, and the end may be cut off. */
const matchedIn = (snippet: string, matched: readonly string[]): readonly string[] =>
  matched.flatMap((text) => {
    const line = text.replaceAll(/\s+/g, ' ').trim();
    const start = snippet.indexOf(line.slice(0, MATCHED_START));
    return start < 0 ? [] : snippet.slice(start, start + line.length).replace(/…$/u, '');
  });

/** A title as it is; of other text, the part around a match. */
export function excerptOf({ type }: Pick<IndexedBlock, 'type'>, text: string, { start, end }: TextRange, read: ReadQuery): Excerpt {
  const snippet = type === 'd' ? text : snippetAt(text, start, end);
  return read.matched ? { snippet, words: matchedIn(snippet, read.matched(text)) } : { snippet };
}

/** A matching block; without an excerpt if its text in the index may be shown as it is. */
export interface RankedMatch {
  readonly place: IndexedBlock;
  readonly excerpt?: Excerpt;
  /** For a masked block, its readable text. */
  readonly text?: string;
}

/** The excerpt of each: a title, or its own text in the index around the match. */
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

/** The text that SiYuan's search covers; a notebook's own page has two rows. */
export async function indexRows(
  routes: KernelRoutes,
  ids: readonly string[],
  signal: AbortSignal,
  more = '',
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const rows: Readonly<Record<string, unknown>>[] = [];
  for (const batch of batchesOf(ids)) {
    const stmt = `SELECT id, content, name, alias, memo, tag${more} FROM blocks WHERE id IN (${quotedList(batch)}) LIMIT ${2 * batch.length}`;
    rows.push(...(await routes.sql(stmt, signal)));
  }
  return rows;
}

/** Our attributes, in SiYuan's list of a block's. */
const OWN_ATTRIBUTES = / custom-(?:marginalia-[^=]*|ai-access)="[^"]*"/g;
/** The attributes that people set, of a list: SiYuan's own, as the time of a change, are no text. */
const SET_ATTRIBUTES = / (?:custom-[^=]*|bookmark)="[^"]*"/g;

/** The searchable texts of a block: its columns, and the attributes that people set. */
const matchedTexts = (row: Readonly<Record<string, unknown>>): readonly string[] => [
  ...['content', 'name', 'alias', 'memo', 'tag'].map((name) => String(row[name] ?? '')),
  ...(String(row.ial ?? '')
    .replaceAll(OWN_ATTRIBUTES, '')
    .match(SET_ATTRIBUTES) ?? []),
];

/** Leaves out false matches: SiYuan reads words as SQL patterns (`%`, `_`) and may search attributes, ours among them. */
export async function literalMatches(
  deps: SearchMatchesDeps,
  places: readonly IndexedBlock[],
  query: SearchQuery,
  read: ReadQuery,
  masked: ReadonlyMap<string, MaskedBlock>,
  signal: AbortSignal,
): Promise<readonly IndexedBlock[]> {
  const doubtful = places.filter(
    ({ id, hasOwnAttributes }) => read.isWide || (hasOwnAttributes && query.mode !== 'semantic' && id !== query.query.trim()),
  );
  if (doubtful.length === 0) return places;
  const rows = await indexRows(
    deps.routes,
    doubtful.map(({ id }) => id),
    signal,
    ', ial',
  );
  const texts = new Map(rows.map((row) => [String(row.id), matchedTexts(row)]));
  const textOf = (id: string): string => (texts.get(id) ?? []).join(' ');
  const documents = await documentsHolding(deps, doubtful, textOf, masked, query, signal);
  const isMatch = (id: string): boolean =>
    documents.has(id) || [textOf(id), ...(texts.get(id) ?? [])].some((text) => read.match(text) !== undefined);
  const left = new Set(doubtful.filter(({ id }) => !isMatch(id)).map(({ id }) => id));
  return places.filter(({ id }) => !left.has(id));
}

export interface MaskedText {
  readonly place: IndexedBlock;
  readonly text: string;
}

/** The masked blocks that a query may find, chosen by position and never by text. */
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

/** Searches masked blocks by their readable text only, in an order that hidden text does not change. */
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

/** The index stores an embed's query in double braces. */
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

/** The text of existing, readable blocks, by id. */
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

/** The current text of blocks that the index holds twice, in an old and a new version; without deleted blocks. */
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
    // Right after a rename, a document's attributes still have the old title.
    const wordPath = await routes.pathOf(place.id, signal);
    const names = ['name', 'alias', 'memo', 'tags'].map((name) => attributes[place.id]?.[name] ?? '');
    read.push({ place: { ...place, wordPath }, text: [titleIn(wordPath), ...names].join(' ').trim() });
  }
  return read;
}

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

/** SiYuan finds a document by several words in different blocks of it. The same here, in its readable blocks that are not masked. */
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
          `AND ${anyForm('content', term)} LIMIT 100000`,
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
