import { ToolError } from '../../tools/contract/errors.ts';
import type { Backlink, BacklinkPage, NoteQueries } from '../../tools/contract/note-queries.ts';
import { compareTexts } from '../../tools/util/plain-value.ts';
import type { Access, BlockLocation } from '../access/access.ts';
import { maskReferences } from '../access/dynamic-references.ts';
import { findMaskedBlocks, type MaskedBlock } from '../access/masked-blocks.ts';
import { isVisible } from '../access/notebook-list.ts';
import { GUARDED_BLOCKS, guardedDocuments, HOLDING_GUARDS, type IndexedBlock, readableTime, titleIn } from '../access/readable-blocks.ts';
import { documentsAbove, NOT_INDEXED, rowsBesideUnindexed } from '../access/unindexed-documents.ts';
import { type BlockElement, plainText } from '../blocks/block-dom.ts';
import { referencesIn, textOfReference } from '../blocks/block-references.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quoted, quotedList } from '../sql/sql-text.ts';
import type { BlockViewer } from './block-view.ts';
import { isReadAsWritten, NAMELESS_REFERENCE } from './document-texts.ts';
import { requireReadable } from './readable-place.ts';
import { findName, findTerm, snippetAt } from './snippet.ts';

/** The table `below`: a block, the blocks in it and in its section. */
const blocksBelow = (id: string): string =>
  `below(id) AS (SELECT ${quoted(id)} UNION SELECT blocks.id FROM blocks JOIN below ON blocks.parent_id = below.id)`;

/** Condition on `blocks`: in one of these notebooks, in scope and not guarded. Requires the tables of `readableParts`. */
const isOpenBlock = (notebooks: readonly string[], { scope }: Pick<Access, 'scope'>): string =>
  `blocks.box IN (${quotedList(notebooks)}) AND NOT ${scope.outside('blocks')} AND blocks.id NOT IN (SELECT id FROM guarded) ` +
  'AND NOT EXISTS (SELECT 1 FROM guarded_documents WHERE instr(blocks.path, guarded_documents.id) > 0)';

/** The tables of guards, `below`, and its readable `parts`. `unindexed`: guarded documents that are missing in the index. */
const readableParts = (id: string, unindexed: readonly string[]): string =>
  `WITH RECURSIVE ${GUARDED_BLOCKS}, ${HOLDING_GUARDS}, ${guardedDocuments(unindexed)}, ${blocksBelow(id)}, ` +
  `parts(id) AS (SELECT ${quoted(id)} UNION SELECT blocks.id FROM below JOIN blocks ON blocks.id = below.id ` +
  'WHERE blocks.id NOT IN (SELECT id FROM guarded))';

interface Placed {
  readonly updated: string;
  readonly id: string;
}

/** Like `ORDER BY updated DESC, id DESC`. */
const newestFirst = (one: Placed, other: Placed): number => compareTexts(other.updated, one.updated) || compareTexts(other.id, one.id);

const isNewer = (one: Placed, other: Placed): boolean => newestFirst(one, other) < 0;

interface NotesMentionsDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
}

const MENTIONING = new Set(['h', 'p', 't']);
const MAX_TERMS = 40;
const MAX_TERM_CHARS = 100;
/** The maximum number of different anchor texts of references to a block, the commonest first. */
const MAX_ANCHORS = 200;
const MAX_NAMED = 5000;
const SPARE = 4;
const MAX_INSPECTED = 5000;
/** The maximum number of masked blocks that a statement names. */
const MAX_NAMED_MASKED = 1000;

interface Mention {
  readonly place: IndexedBlock;
  readonly text: string;
}

interface Cursor {
  readonly updated: string;
  readonly id: string;
}

function mentionIn(place: IndexedBlock, text: string, terms: readonly string[]): Mention[] {
  const found = findName(text, terms);
  return found ? [{ place, text: snippetAt(text, found.start, found.end) }] : [];
}

/** Blocks that name a block or document without a reference to it. */
class NotesMentions {
  private readonly deps: NotesMentionsDeps;

  constructor(deps: NotesMentionsDeps) {
    this.deps = deps;
  }

  /** The caller has flushed the index. */
  async page(
    place: BlockLocation,
    { page, pageSize }: { readonly page: number; readonly pageSize: number },
    signal: AbortSignal,
  ): Promise<BacklinkPage> {
    const books = (await this.deps.access.notebooks(signal)).filter(isVisible);
    const notebooks = books.map(({ id }) => id);
    // The index is not asked about masked blocks: each is checked by its readable text.
    const masked = await findMaskedBlocks(this.deps, notebooks, 'all', signal);
    const terms = await this.termsOf(place, notebooks, masked, signal);
    if (terms.length === 0) return { items: [], total: 0, nextPage: null };
    const end = page * pageSize;
    const found = await this.among(place, terms, masked, signal);
    const names = new Map(books.map((book) => [book.id, book.name] as const));
    let last: Cursor | undefined;
    let isEnd = false;
    let settled = 0;
    // A few more than a page needs, since some contain a term only inside a word. If many do, each request asks for more.
    let size = end + SPARE;
    for (let asked = 0; !isEnd && settled <= end && asked < MAX_INSPECTED; asked += size, size *= 4) {
      if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
      const rows = await this.candidates(place, { terms, notebooks, after: last, size }, signal);
      const { mentions, reached } = await this.naming(rows, terms, masked, signal);
      found.push(...mentions);
      isEnd = rows.length < size || reached === undefined;
      last = reached;
      settled = !reached || isEnd ? found.length : found.filter((mention) => !isNewer(reached, mention.place)).length;
    }
    found.sort(({ place: one }, { place: other }) => newestFirst(one, other));
    const items = found.slice(0, isEnd ? found.length : settled).slice(end - pageSize, end);
    const isMore = settled > end;
    return {
      items: items.map(({ place: { id, documentId, wordPath, notebook }, text }): Backlink => {
        const document = { id: documentId, title: titleIn(wordPath), path: wordPath };
        return { id, document, notebook: { id: notebook, name: names.get(notebook) ?? '' }, text };
      }),
      total: isMore ? null : settled,
      nextPage: isMore ? page + 1 : null,
    };
  }

  /** Titles, names, aliases, and anchors that readable blocks use for it. For a document, those of its blocks too. */
  private async termsOf(
    { id, documentId, documentTitle }: BlockLocation,
    notebooks: readonly string[],
    masked: ReadonlyMap<string, MaskedBlock>,
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const isDocument = id === documentId;
    const refers = 'FROM parts JOIN refs ON refs.def_block_id = parts.id JOIN blocks ON blocks.id = refs.block_id';
    // The words of a dynamic reference in a masked block may be those of a hidden block.
    const own = masked.size > MAX_NAMED_MASKED ? 'false' : `refs.block_id NOT IN (${quotedList([...masked.keys()])})`;
    const statement = (unindexed: readonly string[]): string =>
      `${readableParts(id, unindexed)}, ${documentsAbove(`SELECT blocks.path ${refers}`)} ` +
      "SELECT 'name' AS kind, name || ',' || alias AS words FROM blocks WHERE (name <> '' OR alias <> '') " +
      `AND ${isDocument ? 'root_id' : 'id'} = ${quoted(id)} AND id NOT IN (SELECT id FROM guarded) ` +
      `UNION ALL SELECT 'anchor', content FROM (SELECT refs.content AS content, count(*) AS uses ${refers} ` +
      `WHERE ${isOpenBlock(notebooks, this.deps.access)} AND (refs.markdown LIKE '((' || refs.def_block_id || ' "%' OR ${own}) ` +
      `GROUP BY refs.content ORDER BY uses DESC, refs.content LIMIT ${MAX_ANCHORS}) ` +
      `UNION ALL SELECT 'above', id FROM above WHERE ${NOT_INDEXED} LIMIT ${MAX_NAMED}`;
    const unindexedIn = ({ kind, words }: Readonly<Record<string, unknown>>) => (kind === 'above' ? String(words) : undefined);
    const rows = await rowsBesideUnindexed(this.deps.routes, statement, unindexedIn, signal);
    const words = rows.flatMap((row) => {
      if (row.kind === 'name') return String(row.words).split(',');
      // An anchor like "it" names nothing.
      return /^\p{Script=Latin}{1,2}$/u.test(String(row.words).trim()) ? [] : [String(row.words)];
    });
    const terms = [isDocument ? documentTitle : '', ...words].map((term) => term.trim());
    return [...new Set(terms)].filter((term) => term.length > 1 && term.length <= MAX_TERM_CHARS).slice(0, MAX_TERMS);
  }

  /** Blocks elsewhere that contain one of the terms, newest first. */
  private candidates(
    { id, documentId }: BlockLocation,
    asked: {
      readonly terms: readonly string[];
      readonly notebooks: readonly string[];
      readonly after: Cursor | undefined;
      readonly size: number;
    },
    signal: AbortSignal,
  ) {
    const match = asked.terms.map((term) => `instr(lower(blocks.content), lower(${quoted(term)})) > 0`).join(' OR ');
    const [updated, last] = [quoted(asked.after?.updated ?? ''), quoted(asked.after?.id ?? '')];
    const rest = asked.after ? `WHERE updated < ${updated} OR (updated = ${updated} AND id < ${last}) ` : '';
    return this.deps.routes.sql(
      `${readableParts(id, [])}, naming(id, content, updated) AS (SELECT id, content, ${readableTime('blocks')} FROM blocks WHERE type IN (${quotedList([...MENTIONING])}) ` +
        `AND root_id <> ${quoted(documentId)} AND (${match}) AND ${isOpenBlock(asked.notebooks, this.deps.access)} ` +
        'AND id NOT IN (SELECT refs.block_id FROM below JOIN refs ON refs.def_block_id = below.id)) ' +
        `SELECT DISTINCT id, content FROM naming ${rest}ORDER BY updated DESC, id DESC LIMIT ${asked.size}`,
      signal,
    );
  }

  /** Those that may be read and name it. `reached`: the last row, after which the next request continues. */
  private async naming(
    rows: readonly Readonly<Record<string, unknown>>[],
    terms: readonly string[],
    masked: ReadonlyMap<string, MaskedBlock>,
    signal: AbortSignal,
  ): Promise<{ readonly mentions: readonly Mention[]; readonly reached: Cursor | undefined }> {
    const texts = new Map(
      rows
        .filter((row) => !masked.has(String(row.id)) && findName(String(row.content), terms))
        .map((row) => [String(row.id), String(row.content)] as const),
    );
    const last = rows.at(-1);
    const places = await this.deps.access.look([...texts.keys(), ...(last ? [String(last.id)] : [])], signal, 'flushed');
    const mentions = [...texts].flatMap(([id, text]) => {
      const place = places.get(id);
      return place?.readable ? mentionIn(place, text, terms) : [];
    });
    return { mentions, reached: last && places.get(String(last.id)) };
  }

  /** Masked blocks whose readable text names it. */
  private async among(
    { id, documentId }: BlockLocation,
    terms: readonly string[],
    masked: ReadonlyMap<string, MaskedBlock>,
    signal: AbortSignal,
  ): Promise<Mention[]> {
    const { routes, access, viewer } = this.deps;
    const unsure = [...masked.values()].filter((block) => MENTIONING.has(block.type) && block.documentId !== documentId);
    const inspected = await access.look(
      unsure.map((block) => block.id),
      signal,
      'flushed',
    );
    const mentions: Mention[] = [];
    for (const batch of batchesOf([...inspected.values()].filter(({ readable }) => readable).slice(0, MAX_INSPECTED), 100)) {
      if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
      const ids = batch.map((each) => each.id);
      const linking = await routes.sql(
        `${readableParts(id, [])} SELECT DISTINCT refs.block_id AS id FROM below JOIN refs ON refs.def_block_id = below.id ` +
          `WHERE refs.block_id IN (${quotedList(ids)}) LIMIT ${ids.length}`,
        signal,
      );
      const doms = await routes.doms(ids, signal);
      const views = await viewer.view(
        ids.map((each) => doms[each] ?? ''),
        signal,
      );
      for (const [index, place] of batch.entries()) {
        const view = views[index];
        if (view && !linking.some((row) => row.id === place.id)) mentions.push(...mentionIn(place, plainText(view.element), terms));
      }
    }
    return mentions;
  }
}

export interface NotesBacklinksDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
}

type BacklinkQuery = Parameters<NoteQueries['backlinks']>[0];

interface Link {
  readonly id: string;
  readonly targets: ReadonlySet<string>;
  /** '' for a block that is read as DOM. */
  readonly markdown: string;
}

interface OpenLink extends Link {
  readonly place: IndexedBlock;
}

const MAX_LINKS = 5000;
/** In place of an id: the number of links, and the documents above them that are missing in the index. */
const COUNT = 'count';
const ABOVE = 'above';

/** The table `linking`: readable blocks outside of a block that refer to it or to something in or below it. */
const linkingBlocks = (id: string, isOpen: string, unindexed: readonly string[]): string =>
  `${readableParts(id, unindexed)}, linking(id, path, updated, targets) AS (SELECT blocks.id, blocks.path, ${readableTime('blocks')}, ` +
  `group_concat(DISTINCT nullif(parts.id, ${quoted(id)})) FROM parts JOIN refs ON refs.def_block_id = parts.id ` +
  'JOIN blocks ON blocks.id = refs.block_id WHERE refs.block_id NOT IN (SELECT id FROM below) ' +
  `AND ${isOpen} GROUP BY blocks.id)`;

/** Read from the `refs` table, since `getBacklink2` names documents only; targets inside a block count for it, each source once. */
export class NotesBacklinks implements Pick<NoteQueries, 'backlinks'> {
  private readonly deps: NotesBacklinksDeps;
  private readonly mentions: NotesMentions;

  constructor(deps: NotesBacklinksDeps) {
    this.deps = deps;
    this.mentions = new NotesMentions(deps);
  }

  async backlinks(query: BacklinkQuery, signal: AbortSignal): Promise<BacklinkPage> {
    const place = await this.deps.access.locate(query.id, 'read', signal);
    // Flushes the index.
    await requireReadable(this.deps, place, signal);
    return query.kind === 'links' ? this.pageOfLinks(query, signal) : this.mentions.page(place, query, signal);
  }

  /** Sorted, counted and cut by the index; the text of the page is checked again. */
  private async pageOfLinks(query: BacklinkQuery, signal: AbortSignal): Promise<BacklinkPage> {
    const books = (await this.deps.access.notebooks(signal)).filter(isVisible);
    const start = Math.min((query.page - 1) * query.pageSize, MAX_LINKS);
    const size = Math.min(query.pageSize, MAX_LINKS - start);
    const isOpen = isOpenBlock(
      books.map(({ id }) => id),
      this.deps.access,
    );
    const statement = (unindexed: readonly string[]): string =>
      `${linkingBlocks(query.id, isOpen, unindexed)}, ${documentsAbove('SELECT path FROM linking')} ` +
      `SELECT '${COUNT},' || count(*) AS ids, '' AS markdown FROM linking ` +
      `UNION ALL SELECT '${ABOVE},' || id, '' FROM above WHERE ${NOT_INDEXED} ` +
      // Other types are read as DOM.
      "UNION ALL SELECT id || coalesce(',' || targets, ''), (SELECT markdown FROM blocks WHERE blocks.id = page.id AND type IN ('p', 'h') LIMIT 1) FROM " +
      `(SELECT id, targets FROM linking ORDER BY updated DESC, id DESC LIMIT ${size} OFFSET ${start}) AS page LIMIT ${2 * MAX_LINKS}`;
    const above = ({ ids }: Readonly<Record<string, unknown>>) => {
      const [kind, id] = String(ids).split(',');
      return kind === ABOVE ? id : undefined;
    };
    let total = 0;
    const links: Link[] = [];
    for (const { ids, markdown } of await rowsBesideUnindexed(this.deps.routes, statement, above, signal)) {
      const [id = '', ...others] = String(ids).split(',');
      if (id === COUNT) total = Math.min(MAX_LINKS, Number(others[0]));
      else links.push({ id, targets: new Set([query.id, ...others]), markdown: typeof markdown === 'string' ? markdown : '' });
    }
    const names = new Map(books.map((book) => [book.id, book.name] as const));
    return { items: await this.shownOf(links, names, signal), total, nextPage: start + size < total ? query.page + 1 : null };
  }

  private async shownOf(links: readonly Link[], names: ReadonlyMap<string, string>, signal: AbortSignal): Promise<readonly Backlink[]> {
    const places = await this.deps.access.look(
      links.map(({ id }) => id),
      signal,
      'flushed',
    );
    const open = links.flatMap((link) => {
      const place = places.get(link.id);
      return place?.readable ? [{ ...link, place }] : [];
    });
    open.sort(({ place: one }, { place: other }) => newestFirst(one, other));
    const elements = await this.elementsOf(open, signal);
    return open.flatMap(({ id, targets, place }) => {
      const element = elements.get(id);
      // A link found in hidden text is hidden too.
      if (!element) return [];
      const document = { id: place.documentId, title: titleIn(place.wordPath), path: place.wordPath };
      const notebook = { id: place.notebook, name: names.get(place.notebook) ?? '' };
      return [{ id, document, notebook, text: textAtReference(element, targets) }];
    });
  }

  /** Takes their texts from the index, which avoids the cost of a route by id; the text of hidden blocks in references is removed. */
  private async elementsOf(links: readonly OpenLink[], signal: AbortSignal): Promise<ReadonlyMap<string, BlockElement>> {
    const { routes, viewer, access } = this.deps;
    const found = new Map<string, BlockElement>();
    for (const { id, markdown, place } of links) {
      const blocks = markdown === '' || NAMELESS_REFERENCE.test(markdown) ? [] : (viewer.parse(markdown) ?? []);
      const [block] = blocks;
      if (block && isReadAsWritten(blocks, { type: place.type, markdown })) found.set(id, block);
    }
    await maskReferences([...found.values()], access, signal);
    const unmatched = links.map(({ id }) => id).filter((id) => !found.has(id));
    const doms = await routes.doms(unmatched, signal);
    const views = await viewer.view(
      unmatched.map((id) => doms[id] ?? ''),
      signal,
    );
    for (const [index, id] of unmatched.entries()) {
      const view = views[index];
      if (view) found.set(id, view.element);
    }
    return found;
  }
}

function textAtReference(element: BlockElement, targets: ReadonlySet<string>): string {
  const text = plainText(element);
  const reference = referencesIn(element).find(({ id }) => targets.has(id));
  const query = element.attribs['data-content'];
  if (!reference) return snippetAt(query ?? text, 0, 0);
  const place = findTerm(text, [textOfReference(reference.span)]) ?? { start: 0, end: 0 };
  return snippetAt(text, place.start, place.end);
}
