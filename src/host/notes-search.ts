import { ToolError } from '../tools/errors.ts';
import type { SearchHit, SearchPage, SearchQuery } from '../tools/ports.ts';
import { ACCESS_ATTRIBUTE, type Access } from './access-policy.ts';
import { letterOfType, withoutZwsp } from './block-dom.ts';
import { findPlace } from './document-tree.ts';
import type { KernelHit, KernelRoutes } from './kernel-routes.ts';

const METHODS = { keyword: 0, syntax: 1, regex: 3 } as const;
/** SiYuan's names of block kinds in its search filter. */
const KERNEL_TYPES: Readonly<Record<string, string>> = {
  d: 'document',
  h: 'heading',
  l: 'list',
  i: 'listItem',
  c: 'codeBlock',
  m: 'mathBlock',
  t: 'table',
  b: 'blockquote',
  s: 'superBlock',
  p: 'paragraph',
  callout: 'callout',
  html: 'htmlBlock',
  query_embed: 'embedBlock',
  av: 'databaseBlock',
};
const SNIPPET_CHARS = 240;
const MAX_GUARDED_ROWS = 2000;

/** Text around the first hit, at most 240 characters, never cut inside a character. */
function snippetAround(content: string): string {
  const [before = '', ...after] = withoutZwsp(content).split('<mark>');
  const plain = unescapeHtml([before, ...after].join('').replaceAll('</mark>', ''));
  const characters = [...plain.replace(/\s+/g, ' ').trim()];
  if (characters.length <= SNIPPET_CHARS) return characters.join('');
  const hit = after.length > 0 ? [...unescapeHtml(before)].length : 0;
  const start = Math.max(0, Math.min(hit - 80, characters.length - SNIPPET_CHARS + 2));
  const end = start + SNIPPET_CHARS - 2;
  return `${start > 0 ? '…' : ''}${characters.slice(start, end).join('')}${end < characters.length ? '…' : ''}`;
}

/** SiYuan escapes what it shows: content, titles and paths alike. */
const unescapeHtml = (text: string): string =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

function toHit(hit: KernelHit): SearchHit {
  const snippet = snippetAround(hit.content);
  const isDocument = hit.id === hit.rootID;
  // For a document SiYuan gives the path of its parent, for a block that of its document (recorded/search.json).
  const parent = unescapeHtml(hit.hPath);
  const path = isDocument ? `${parent.replace(/\/$/, '')}/${unescapeHtml(hit.fcontent) || snippet}` : parent;
  const title = path.slice(path.lastIndexOf('/') + 1);
  return { id: hit.id, documentId: hit.rootID, documentTitle: title, path, notebook: hit.box, type: letterOfType(hit.type), snippet };
}

export interface NotesSearch {
  search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage>;
}

class KernelNotesSearch implements NotesSearch {
  private readonly routes: KernelRoutes;
  private readonly access: Access;

  constructor(routes: KernelRoutes, access: Access) {
    this.routes = routes;
    this.access = access;
  }

  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    if (query.query.trim() === '') throw new ToolError('empty_text', 'the query is empty', 'give words to look for');
    const books = (await this.access.notebooks(signal)).filter((each) => each.open && each.right !== 'none');
    for (const id of query.notebooks ?? []) await this.access.requireNotebook(id, 'read', signal);
    const wanted = query.notebooks?.length ? books.filter((each) => query.notebooks?.includes(each.id)) : books;
    if (wanted.length === 0) return { hits: [], total: 0, nextPage: null, hidden: 0 };
    const types = query.types?.length
      ? Object.fromEntries(Object.entries(KERNEL_TYPES).map(([letter, name]) => [name, query.types?.includes(letter) ?? false]))
      : undefined;
    const result = await this.routes.search(
      {
        query: query.query,
        method: METHODS[query.mode],
        paths: wanted.map((each) => each.id),
        ...(types ? { types } : {}),
        page: query.page,
        pageSize: query.pageSize,
      },
      signal,
    );
    // A query that is a block id goes past the kernel's notebook filter, so it is applied again here.
    const found = (result.blocks ?? []).filter((hit) => hit.id !== hit.box);
    const inside = found.filter((hit) => wanted.some((book) => book.id === hit.box));
    const open = await this.openHits(inside, signal);
    return {
      hits: open.map(toHit),
      total: result.matchedBlockCount,
      nextPage: query.page < result.pageCount ? query.page + 1 : null,
      hidden: found.length - open.length,
    };
  }

  /** Documents that hold a guarded block somewhere: only their hits need a closer look. */
  private async documentsWithGuards(signal: AbortSignal): Promise<ReadonlySet<string>> {
    await this.routes.flushIndex(signal);
    const rows = await this.routes.sql(
      `SELECT root_id FROM attributes WHERE name = '${ACCESS_ATTRIBUTE}' LIMIT ${MAX_GUARDED_ROWS}`,
      signal,
    );
    return new Set(rows.map((row) => String(row.root_id)));
  }

  private async isOpen(hit: KernelHit, guardedRoots: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> {
    if (hit.id === hit.rootID || !guardedRoots.has(hit.rootID)) return true;
    return !(await findPlace(this.routes, hit.rootID, hit.id, signal)).guarded;
  }

  private async openHits(hits: readonly KernelHit[], signal: AbortSignal): Promise<KernelHit[]> {
    const guardedRoots = await this.documentsWithGuards(signal);
    const open: KernelHit[] = [];
    const closedPaths = new Set<string>();
    for (const box of new Set(hits.map((hit) => hit.box))) {
      const paths = [...new Set(hits.filter((hit) => hit.box === box).map((hit) => hit.path))];
      for (const path of await this.access.guardedDocuments(box, paths, signal)) closedPaths.add(`${box}${path}`);
    }
    for (const hit of hits) {
      if (!closedPaths.has(`${hit.box}${hit.path}`) && (await this.isOpen(hit, guardedRoots, signal))) open.push(hit);
    }
    return open;
  }
}

export function createNotesSearch(routes: KernelRoutes, access: Access): NotesSearch {
  return new KernelNotesSearch(routes, access);
}
