import type { Row, SearchIndex } from './block-index.ts';
import { text } from './search/found-block.ts';

/** A document of the backlink panel, with the number of its blocks that refer. */
interface LinkingDocument {
  readonly id: string;
  readonly box: string;
  readonly name: string;
  /** With the notebook's name before it. */
  readonly hPath: string;
  readonly type: 'backlink';
  readonly nodeType: 'NodeDocument';
  readonly subType: string;
  readonly depth: number;
  readonly count: number;
  readonly folded: boolean;
  readonly updated: string;
  readonly created: string;
}

export interface LinkingDocuments {
  readonly documents: LinkingDocument[];
  /** Blocks that refer, in all documents. */
  readonly blocks: number;
}

const NONE: LinkingDocuments = { documents: [], blocks: 0 };

const holdsAll = (row: Row, words: readonly string[]): boolean => {
  const haystack = ['content', 'name', 'alias', 'memo', 'tag']
    .map((column) => text(row, column))
    .join(' ')
    .toLowerCase();
  return words.every((word) => haystack.includes(word.toLowerCase()));
};

const wordsOf = (keyword: string): string[] =>
  keyword
    .trim()
    .split(' ')
    .filter((word) => word !== '');

/** Sort modes of the panel (kernel/util/sort.go): 0/1 name, 2/3 updated, 4/5 name naturally, 9/10 created; up and down. */
function comparison(mode: number): (a: LinkingDocument, b: LinkingDocument) => number {
  const by = (key: 'updated' | 'created' | 'id') => (a: LinkingDocument, b: LinkingDocument) =>
    a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0;
  const byName = (a: LinkingDocument, b: LinkingDocument): number => a.name.localeCompare(b.name, undefined, { numeric: true });
  const comparisons = { 0: byName, 2: by('updated'), 4: byName, 9: by('created') } as const;
  const reversed = { 1: byName, 3: by('updated'), 5: byName, 10: by('created') } as const;
  if (mode in comparisons) return comparisons[mode as keyof typeof comparisons];
  const down = mode in reversed ? reversed[mode as keyof typeof reversed] : by('id');
  return (a, b) => down(b, a);
}

/** The documents of some blocks, each with their number. */
function documentsOf(
  index: SearchIndex,
  blocks: readonly Row[],
  notebookNames: ReadonlyMap<string, string>,
  sort: number,
): LinkingDocuments {
  const counts = new Map<string, number>();
  for (const block of blocks) counts.set(text(block, 'root_id'), (counts.get(text(block, 'root_id')) ?? 0) + 1);
  const documents: LinkingDocument[] = [];
  for (const [id, count] of counts) {
    const root = index.select('SELECT * FROM blocks WHERE id = ?', id)[0];
    if (!root) continue;
    const box = text(root, 'box');
    const hpath = text(root, 'hpath');
    const times = { updated: text(root, 'updated'), created: text(root, 'created') };
    const shown = { name: hpath.slice(hpath.lastIndexOf('/') + 1), hPath: (notebookNames.get(box) ?? '') + hpath };
    documents.push({
      id,
      box,
      ...shown,
      type: 'backlink',
      nodeType: 'NodeDocument',
      subType: '',
      depth: 0,
      count,
      folded: false,
      ...times,
    });
  }
  return { documents: documents.sort(comparison(sort)), blocks: blocks.length };
}

export interface LinkQuery {
  readonly id: string;
  readonly keyword: string;
  readonly sort: number;
  readonly notebookNames: ReadonlyMap<string, string>;
}

/** Documents with blocks that refer to the block or to something in it. A block that refers twice counts once. */
export function linkingDocuments(index: SearchIndex, { id, keyword, sort, notebookNames }: LinkQuery): LinkingDocuments {
  const blocks = index.select(
    `WITH RECURSIVE below(id) AS (SELECT ? UNION SELECT blocks.id FROM blocks JOIN below ON blocks.parent_id = below.id)
     SELECT * FROM blocks WHERE id IN (SELECT block_id FROM refs WHERE def_block_id IN (SELECT id FROM below))`,
    id,
  );
  return documentsOf(
    index,
    blocks.filter((block) => holdsAll(block, wordsOf(keyword))),
    notebookNames,
    sort,
  );
}

/** Documents whose paragraphs and headings name the block without referring to it: by title, name or an anchor used for it. */
export function mentioningDocuments(index: SearchIndex, { id, keyword, sort, notebookNames }: LinkQuery): LinkingDocuments {
  const block = index.select('SELECT * FROM blocks WHERE id = ?', id)[0];
  if (!block) return NONE;
  const root = text(block, 'root_id');
  const anchors = index.select('SELECT DISTINCT content FROM refs WHERE def_block_id = ?', id).map((row) => text(row, 'content'));
  const names = [block.type === 'd' ? text(block, 'content') : '', text(block, 'name'), ...anchors];
  const terms = [...new Set(names)].filter((name) => name.length > 1);
  if (terms.length === 0) return NONE;
  const blocks = index.select(
    `SELECT * FROM blocks WHERE type IN ('p', 'h') AND root_id <> ? AND (${terms.map(() => 'instr(lower(content), lower(?)) > 0').join(' OR ')})
     AND id NOT IN (SELECT block_id FROM refs WHERE def_block_root_id = ?) LIMIT 512`,
    root,
    ...terms,
    root,
  );
  return documentsOf(
    index,
    blocks.filter((row) => holdsAll(row, wordsOf(keyword))),
    notebookNames,
    sort,
  );
}
