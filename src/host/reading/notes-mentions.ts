import { ToolError } from '../../tools/contract/errors.ts';
import type { Backlink, BacklinkPage } from '../../tools/contract/note-queries.ts';
import type { Access, BlockLocation } from '../access/access.ts';
import { findMaskedBlocks, type MaskedBlock } from '../access/masked-blocks.ts';
import { type IndexedBlock, readableTime, titleIn } from '../access/readable-blocks.ts';
import { documentsAbove, NOT_INDEXED, rowsBesideUnindexed } from '../access/unindexed-documents.ts';
import { isVisible } from '../access/visible-notebooks.ts';
import { plainText } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quoted, quotedList } from '../sql/sql-text.ts';
import type { BlockViewer } from './block-view.ts';
import { isNewer, isOpenBlock, newestFirst, readableParts } from './linking-blocks.ts';
import { findName, snippetAt } from './snippet.ts';

export interface NotesMentionsDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
}

/** Types whose text is their own. */
const MENTIONING = new Set(['h', 'p', 't']);
const MAX_TERMS = 40;
const MAX_TERM_CHARS = 100;
/** The maximum number of different anchor texts of references to a block, the commonest first. */
const MAX_ANCHORS = 200;
const MAX_NAMED = 5000;
const SPARE = 4;
/** The maximum number of blocks inspected for one page. */
const MAX_INSPECTED = 5000;
/** The maximum number of masked blocks that a statement names. */
const MAX_NAMED_MASKED = 1000;

/** A block that names the requested one. */
interface Mention {
  readonly place: IndexedBlock;
  readonly text: string;
}

/** A position in the answer, newest first. */
interface Cursor {
  readonly updated: string;
  readonly id: string;
}

function mentionIn(place: IndexedBlock, text: string, terms: readonly string[]): Mention[] {
  const found = findName(text, terms);
  return found ? [{ place, text: snippetAt(text, found.start, found.end) }] : [];
}

/** Blocks that name a block or document without a reference to it. */
export class NotesMentions {
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
      `WHERE ${isOpenBlock(notebooks)} AND (refs.markdown LIKE '((' || refs.def_block_id || ' "%' OR ${own}) ` +
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
        `AND root_id <> ${quoted(documentId)} AND (${match}) AND ${isOpenBlock(asked.notebooks)} ` +
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
