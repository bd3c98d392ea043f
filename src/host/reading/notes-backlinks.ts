import { ToolError } from '../../tools/contract/errors.ts';
import type { Backlink, BacklinkPage, NoteQueries } from '../../tools/contract/note-queries.ts';
import type { Access, BlockPlace } from '../access/access.ts';
import { findMaskedBlocks } from '../access/masked-blocks.ts';
import { GUARDED_BLOCKS, GUARDED_DOCUMENTS, type IndexedBlock, listGuards } from '../access/readable-blocks.ts';
import { plainText } from '../blocks/block-dom.ts';
import { referencesIn, textOfReference } from '../blocks/block-references.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quoted, quotedList } from '../sql/sql-text.ts';
import type { BlockView, BlockViewer } from './block-view.ts';
import { requireReadable } from './readable-place.ts';
import { findName, findTerm, snippetAt } from './snippet.ts';

export interface NotesBacklinksDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
}

type BacklinkQuery = Parameters<NoteQueries['backlinks']>[0];

/** Places that name a block, before their rights are known. */
interface Sources {
  readonly ids: readonly string[];
  /** Where in a source the snippet is cut. */
  readonly targets: ReadonlySet<string>;
  readonly terms: readonly string[];
}

/** Of those that may be read; rows of the index are not cut before that is known. */
const MAX_SOURCES = 5000;
const MAX_ROWS = 1_000_000;
/** Kinds of blocks whose text is their own. */
const MENTIONING = new Set(['h', 'p', 't']);
const MAX_TERMS = 40;
const MAX_TERM_CHARS = 100;

const newestFirst = (one: IndexedBlock, other: IndexedBlock): number =>
  one.updated === other.updated ? (one.id < other.id ? 1 : -1) : one.updated < other.updated ? 1 : -1;

/** Blocks outside of one that refer to it or to what is in or below it, and may be read, as SQL: the table `linking`. */
function linkingBlocks(id: string, notebooks: readonly string[], guarded: boolean): string {
  const guards = guarded ? `${GUARDED_BLOCKS}, ${GUARDED_DOCUMENTS}, ` : '';
  // Parts of it that may not be read are not asked for.
  const isOpen = guarded
    ? ' AND blocks.id NOT IN (SELECT id FROM guarded) ' +
      'AND NOT EXISTS (SELECT 1 FROM guarded_documents WHERE instr(blocks.path, guarded_documents.id) > 0)'
    : '';
  const parts = guarded ? ' WHERE blocks.id NOT IN (SELECT id FROM guarded)' : '';
  return (
    `WITH RECURSIVE ${guards}below(id) AS (SELECT ${quoted(id)} UNION SELECT blocks.id FROM blocks JOIN below ON blocks.parent_id = below.id), ` +
    `parts(id) AS (SELECT ${quoted(id)} UNION SELECT blocks.id FROM below JOIN blocks ON blocks.id = below.id${parts}), ` +
    'linking(id, updated, targets) AS (SELECT blocks.id, blocks.updated, group_concat(DISTINCT parts.id) ' +
    'FROM parts JOIN refs ON refs.def_block_id = parts.id JOIN blocks ON blocks.id = refs.block_id ' +
    `WHERE refs.block_id NOT IN (SELECT id FROM below) AND blocks.box IN (${quotedList(notebooks)})${isOpen} GROUP BY blocks.id)`
  );
}

/**
 * Read from the `refs` table (tests/contract/recorded/references.json) and not from `getBacklink2`, which names documents only: a
 * model cites blocks. As there, what refers to something inside a block refers to the block, and a block that refers twice counts once.
 */
export class NotesBacklinks implements Pick<NoteQueries, 'backlinks'> {
  private readonly deps: NotesBacklinksDeps;

  constructor(deps: NotesBacklinksDeps) {
    this.deps = deps;
  }

  async backlinks(query: BacklinkQuery, signal: AbortSignal): Promise<BacklinkPage> {
    const { routes, access } = this.deps;
    const place = await access.locate(query.id, 'read', signal);
    await requireReadable(this.deps, place, signal);
    await routes.flushIndex(signal);
    if (query.kind === 'links') return this.pageOfLinks(query, signal);
    const sources = await this.mentions(place, signal);
    const places = [...(await access.look(sources.ids, signal, 'flushed')).values()];
    const open = places
      .filter((each) => each.readable)
      .sort(newestFirst)
      .slice(0, MAX_SOURCES);
    const start = (query.page - 1) * query.pageSize;
    const end = start + query.pageSize;
    const shown = await this.shownOf(open, sources, query.kind, signal);
    return {
      items: shown.slice(start, end),
      total: shown.length,
      nextPage: end < shown.length ? query.page + 1 : null,
    };
  }

  /** Sorted, counted and cut by the index; what is shown of the page is judged once more. */
  private async pageOfLinks(query: BacklinkQuery, signal: AbortSignal): Promise<BacklinkPage> {
    const { routes, access } = this.deps;
    const books = (await access.notebooks(signal)).filter((book) => book.open && book.right !== 'none').map((book) => book.id);
    const guarded = (await listGuards(routes, signal)).length > 0;
    const start = Math.min((query.page - 1) * query.pageSize, MAX_SOURCES);
    const size = Math.min(query.pageSize, MAX_SOURCES - start);
    const linking = linkingBlocks(query.id, books, guarded);
    const rows = await routes.sql(
      `${linking} SELECT id, targets, total FROM (SELECT id, targets, row_number() OVER (ORDER BY updated DESC, id DESC) AS place, ` +
        `count(*) OVER () AS total FROM linking) WHERE place > ${start} ORDER BY place LIMIT ${Math.max(1, size)}`,
      signal,
    );
    const total = Math.min(MAX_SOURCES, rows.length > 0 ? Number(rows[0]?.total) : await this.countLinks(linking, signal));
    const ids = size > 0 ? rows.map((row) => String(row.id)) : [];
    const places = await access.look(ids, signal, 'flushed');
    const open = ids.flatMap((id) => places.get(id) ?? []).filter((place) => place.readable);
    const targets = new Set(rows.flatMap((row) => String(row.targets).split(',')));
    const items = await this.shownOf(open, { ids, targets, terms: [] }, 'links', signal);
    return { items, total, nextPage: start + size < total ? query.page + 1 : null };
  }

  private async countLinks(linking: string, signal: AbortSignal): Promise<number> {
    return Number((await this.deps.routes.sql(`${linking} SELECT count(*) AS total FROM linking LIMIT 1`, signal))[0]?.total ?? 0);
  }

  /** Blocks outside that refer to the block or to what is in or below it; parts of it that may not be read are not asked for. */
  private async links(id: string, signal: AbortSignal): Promise<Sources> {
    const rows = await this.deps.routes.sql(
      `WITH RECURSIVE below(id) AS (SELECT ${quoted(id)} UNION SELECT blocks.id FROM blocks JOIN below ON blocks.parent_id = below.id) ` +
        'SELECT DISTINCT refs.block_id AS block_id, refs.def_block_id AS def_block_id FROM refs JOIN below ON refs.def_block_id = below.id ' +
        `WHERE refs.block_id NOT IN (SELECT id FROM below) LIMIT ${MAX_ROWS}`,
      signal,
    );
    const parts = await this.deps.access.look(
      rows.map((row) => String(row.def_block_id)),
      signal,
      'flushed',
    );
    const known = rows.filter((row) => row.def_block_id === id || parts.get(String(row.def_block_id))?.readable);
    return {
      ids: [...new Set(known.map((row) => String(row.block_id)))],
      targets: new Set(known.map((row) => String(row.def_block_id))),
      terms: [],
    };
  }

  /** Titles, names, aliases, and anchors that readable blocks use for it. Of a document, those of the blocks in it too. */
  private async termsOf(place: BlockPlace, linked: Sources, signal: AbortSignal): Promise<readonly string[]> {
    const { routes, access } = this.deps;
    const isDocument = place.id === place.documentId;
    const named = await routes.sql(
      `SELECT id, name, alias FROM blocks WHERE (name <> '' OR alias <> '') AND ${isDocument ? 'root_id' : 'id'} = ${quoted(place.id)} ` +
        `LIMIT ${MAX_SOURCES}`,
      signal,
    );
    const anchors: { readonly id: string; readonly text: string }[] = [];
    for (const batch of batchesOf([...linked.targets])) {
      const rows = await routes.sql(
        `SELECT DISTINCT block_id, content FROM refs WHERE def_block_id IN (${quotedList(batch)}) LIMIT ${MAX_SOURCES}`,
        signal,
      );
      anchors.push(...rows.map((row) => ({ id: String(row.block_id), text: String(row.content) })));
    }
    const names = named.map((row) => ({ id: String(row.id), text: `${row.name},${row.alias}` }));
    const places = await access.look(
      [...names, ...anchors].map(({ id }) => id),
      signal,
      'flushed',
    );
    const open = (each: { readonly id: string }): boolean => places.get(each.id)?.readable ?? false;
    // An anchor like "it" names nothing.
    const used = anchors.filter((each) => open(each) && !/^\p{Script=Latin}{1,2}$/u.test(each.text.trim())).map(({ text }) => text);
    const words = [...names.filter(open).flatMap(({ text }) => text.split(',')), ...used];
    const terms = [isDocument ? place.documentTitle : '', ...words].map((term) => term.trim());
    return [...new Set(terms)].filter((term) => term.length > 1 && term.length <= MAX_TERM_CHARS).slice(0, MAX_TERMS);
  }

  private async mentions(place: BlockPlace, signal: AbortSignal): Promise<Sources> {
    const links = await this.links(place.id, signal);
    const terms = await this.termsOf(place, links, signal);
    if (terms.length === 0) return { ids: [], targets: new Set(), terms };
    const linking = new Set(links.ids);
    const hit = terms.map((term) => `instr(lower(content), lower(${quoted(term)})) > 0`).join(' OR ');
    const rows = await this.deps.routes.sql(
      `SELECT id, content FROM blocks WHERE type IN (${quotedList([...MENTIONING])}) AND root_id <> ${quoted(place.documentId)} AND (${hit}) ` +
        `AND id NOT IN (SELECT block_id FROM refs WHERE def_block_id = ${quoted(place.id)}) LIMIT ${MAX_ROWS}`,
      signal,
    );
    // What the index says of masked blocks is not asked: each is looked at as it may be read.
    const open = (await this.deps.access.notebooks(signal)).filter((book) => book.open && book.right !== 'none').map((book) => book.id);
    const masked = await findMaskedBlocks(this.deps, open, signal);
    const naming = rows.filter((row) => !masked.has(String(row.id)) && findName(String(row.content), terms)).map((row) => String(row.id));
    const unsure = [...masked.values()].filter((block) => MENTIONING.has(block.type) && block.documentId !== place.documentId);
    const ids = [...naming, ...unsure.map((block) => block.id)].filter((id) => !linking.has(id));
    return { ids, targets: new Set(), terms };
  }

  private async shownOf(
    open: readonly IndexedBlock[],
    sources: Sources,
    kind: BacklinkQuery['kind'],
    signal: AbortSignal,
  ): Promise<readonly Backlink[]> {
    const { routes, access, viewer } = this.deps;
    const names = new Map((await access.notebooks(signal)).map((book) => [book.id, book.name] as const));
    const shown: Backlink[] = [];
    for (const batch of batchesOf(open, 100)) {
      if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
      const doms = await routes.doms(
        batch.map((each) => each.id),
        signal,
      );
      const views = await viewer.view(
        batch.map((each) => doms[each.id] ?? ''),
        signal,
      );
      for (const [index, place] of batch.entries()) {
        const view = views[index];
        const text = view && (kind === 'links' ? textAtReference(view, sources.targets) : textAtTerm(view, sources.terms));
        // What was found in text that is hidden is hidden, too.
        if (text === undefined) continue;
        const title = place.wordPath.slice(place.wordPath.lastIndexOf('/') + 1);
        const document = { id: place.documentId, title, path: place.wordPath };
        shown.push({ id: place.id, document, notebook: { id: place.notebook, name: names.get(place.notebook) ?? '' }, text });
      }
    }
    return shown;
  }
}

function textAtReference({ element }: BlockView, targets: ReadonlySet<string>): string {
  const text = plainText(element);
  const reference = referencesIn(element).find(({ id }) => targets.has(id));
  const query = element.attribs['data-content'];
  if (!reference) return snippetAt(query ?? text, 0, 0);
  const place = findTerm(text, [textOfReference(reference.span)]) ?? { start: 0, end: 0 };
  return snippetAt(text, place.start, place.end);
}

function textAtTerm({ element }: BlockView, terms: readonly string[]): string | undefined {
  const text = plainText(element);
  const place = findName(text, terms);
  return place && snippetAt(text, place.start, place.end);
}
