import type { Backlink, BacklinkPage, NoteQueries } from '../../tools/contract/note-queries.ts';
import type { Access } from '../access/access.ts';
import { maskReferences } from '../access/dynamic-references.ts';
import { type IndexedBlock, readableTime, titleIn } from '../access/readable-blocks.ts';
import { documentsAbove, NOT_INDEXED, rowsBesideUnindexed } from '../access/unindexed-documents.ts';
import { isVisible } from '../access/visible-notebooks.ts';
import { type BlockElement, plainText } from '../blocks/block-dom.ts';
import { referencesIn, textOfReference } from '../blocks/block-references.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quoted } from '../sql/sql-text.ts';
import type { BlockViewer } from './block-view.ts';
import { isReadAsWritten, NAMELESS_REFERENCE } from './document-texts.ts';
import { isOpenBlock, newestFirst, readableParts } from './linking-blocks.ts';
import { NotesMentions } from './notes-mentions.ts';
import { requireReadable } from './readable-place.ts';
import { findTerm, snippetAt } from './snippet.ts';

export interface NotesBacklinksDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
}

type BacklinkQuery = Parameters<NoteQueries['backlinks']>[0];

/** A block that refers to the requested one. */
interface Link {
  readonly id: string;
  /** What it refers to: the requested block or blocks in or below it. */
  readonly targets: ReadonlySet<string>;
  /** '' for a block that is read as DOM. */
  readonly markdown: string;
}

interface OpenLink extends Link {
  readonly place: IndexedBlock;
}

/** The maximum number of listed links. */
const MAX_LINKS = 5000;
/** In place of an id: the number of links, and the documents above them that are missing in the index. */
const COUNT = 'count';
const ABOVE = 'above';

/** The table `linking`: readable blocks outside of a block that refer to it or to something in or below it. */
const linkingBlocks = (id: string, notebooks: readonly string[], unindexed: readonly string[]): string =>
  `${readableParts(id, unindexed)}, linking(id, path, updated, targets) AS (SELECT blocks.id, blocks.path, ${readableTime('blocks')}, ` +
  `group_concat(DISTINCT nullif(parts.id, ${quoted(id)})) FROM parts JOIN refs ON refs.def_block_id = parts.id ` +
  'JOIN blocks ON blocks.id = refs.block_id WHERE refs.block_id NOT IN (SELECT id FROM below) ' +
  `AND ${isOpenBlock(notebooks)} GROUP BY blocks.id)`;

/**
 * Read from the `refs` table (tests/contract/recorded/references.json) and not from `getBacklink2`, which names documents only: a
 * model cites blocks. As there, what refers to something inside a block refers to the block, and a block that refers twice counts once.
 */
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
    const statement = (unindexed: readonly string[]): string =>
      `${linkingBlocks(
        query.id,
        books.map(({ id }) => id),
        unindexed,
      )}, ${documentsAbove('SELECT path FROM linking')} ` +
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
