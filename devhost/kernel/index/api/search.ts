import type { RouteTable } from '../../router.ts';
import { ID_PATTERN } from '../../tree/node.ts';
import type { SearchIndex } from '../block-index.ts';
import { IMPLICIT_LIMIT, type Row } from '../block-index.ts';
import { foundBlock, text } from '../search/found-block.ts';
import { fullTextSearch } from '../search/full-text.ts';
import { readSearchQuery } from '../search/search-query.ts';

interface FoundDocument {
  readonly box: string;
  readonly boxIcon: string;
  readonly hPath: string;
  readonly path: string;
}

interface OpenNotebook {
  readonly id: string;
  readonly name: string;
  readonly icon: string;
}

interface Candidate {
  readonly document: FoundDocument;
  readonly exact: boolean;
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
const escapeLike = (part: string): string => part.replace(/[%_\\]/g, '\\$&');

/** Rows of documents whose readable path, name, alias or memo holds every word; of those, exact titles first. */
function documentRows(index: SearchIndex, keyword: string, excluded: readonly string[]): Row[] {
  if (ID_PATTERN.test(keyword)) return index.select("SELECT * FROM blocks WHERE type = 'd' AND id = ?", keyword);
  const columns = ['hpath', 'name', 'alias', 'memo'];
  const words = keyword.split(/\s+/).map((word) => `%${escapeLike(word)}%`);
  const match = `(${columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(' OR ')})`;
  return index.select(
    `SELECT *, length(hpath) - length(replace(hpath, '/', '')) AS level FROM blocks
     WHERE type = 'd' ${words.map(() => `AND ${match}`).join(' ')} ${excluded.map(() => "AND path NOT LIKE ? ESCAPE '\\'").join(' ')}
     ORDER BY CASE WHEN content LIKE ? ESCAPE '\\' THEN 0 ELSE 1 END, box DESC, level LIMIT ?`,
    ...words.flatMap((word) => columns.map(() => word)),
    ...excluded.map((id) => `%${escapeLike(id)}%`),
    escapeLike(keyword),
    IMPLICIT_LIMIT,
  );
}

function notebookCandidates(notebooks: readonly OpenNotebook[], keyword: string): Candidate[] {
  const words = keyword.toLowerCase().split(/\s+/);
  return notebooks
    .filter(({ name }) => words.some((word) => name.toLowerCase().includes(word)))
    .map(({ id, name, icon }) => ({ document: { box: id, boxIcon: icon, hPath: `${name}/`, path: '/' }, exact: same(name, keyword) }));
}

/** `/api/filetree/searchDocs`: notebooks and documents by title, exact titles first, then by readable path. */
function searchDocuments(
  index: SearchIndex,
  notebooks: readonly OpenNotebook[],
  keyword: string,
  excluded: readonly string[],
): FoundDocument[] {
  const byId = new Map(notebooks.map((notebook) => [notebook.id, notebook]));
  const candidates = notebookCandidates(notebooks, keyword);
  for (const row of keyword === '' ? [] : documentRows(index, keyword, excluded)) {
    const notebook = byId.get(text(row, 'box'));
    if (!notebook) continue;
    const hPath = notebook.name + text(row, 'hpath');
    const document = { box: notebook.id, boxIcon: notebook.icon, hPath, path: text(row, 'path') };
    candidates.push({ document, exact: same(text(row, 'content'), keyword) });
  }
  const rank = ({ exact }: Candidate): number => (exact ? 0 : 1);
  candidates.sort((a, b) => rank(a) - rank(b) || compare(a.document.hPath, b.document.hPath));
  return candidates.map(({ document }) => document);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export const searchRoutes: RouteTable = {
  '/api/search/fullTextSearchBlock': (body, { kernel }) => fullTextSearch(kernel.index, readSearchQuery(body, kernel.searchesAttributes)),

  '/api/setting/setSearch': (body, { kernel }) => {
    kernel.searchesAttributes = body.ial === true;
    return body;
  },

  // There are no vectors here, so nothing is near in meaning (recorded/search-kinds).
  '/api/search/semanticSearchBlock': () => ({ blocks: [], matchedBlockCount: 0, matchedRootCount: 0, pageCount: 0 }),

  // The index alone learns what an embed found, until its document is written again.
  '/api/search/updateEmbedBlock': (body, { kernel }) => {
    const [id, content] = [String(body.id ?? ''), String(body.content ?? '')];
    kernel.indexQueue.add(() => kernel.index.select("UPDATE blocks SET content = ? WHERE id = ? AND type = 'query_embed'", content, id));
    return null;
  },

  '/api/filetree/searchDocs': (body, { kernel }) => {
    const open = kernel.notebooks.list().filter(({ conf }) => !conf.closed);
    const notebooks = open.map(({ id, conf }) => ({ id, name: conf.name, icon: conf.icon }));
    const excluded = Array.isArray(body.excludeIDs) ? body.excludeIDs.map(String) : [];
    return searchDocuments(kernel.index, notebooks, String(body.k ?? '').trim(), excluded);
  },

  '/api/block/getRecentUpdatedBlocks': (_, { kernel }) =>
    kernel.index
      .select("SELECT * FROM blocks WHERE type = 'p' AND length > 1 ORDER BY updated DESC LIMIT 16")
      .map((row) => foundBlock(row)),
};
