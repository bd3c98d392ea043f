import type { SearchIndex } from '../block-index.ts';
import { type FoundBlock, foundBlock } from './found-block.ts';

const ascending = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Compare = (a: FoundBlock, b: FoundBlock) => number;

const BY_TIME: Readonly<Record<number, Compare>> = {
  1: (a, b) => ascending(a.created, b.created),
  2: (a, b) => ascending(b.created, a.created),
  3: (a, b) => ascending(a.updated, b.updated),
  4: (a, b) => ascending(b.updated, a.updated),
};

/** Order 5: as in the document. Rows go into the index in document order. */
function placeOf(index: SearchIndex, root: string): Map<string, number> {
  return new Map(index.select('SELECT id FROM blocks WHERE root_id = ? ORDER BY rowid', root).map((row, i) => [String(row.id), i]));
}

/** Documents with their matches as `children`, in the order of their first match or of time (groupBy 1). */
export function groupByDocument(index: SearchIndex, blocks: readonly FoundBlock[], orderBy: number): FoundBlock[] {
  const roots: FoundBlock[] = [];
  for (const id of new Set(blocks.map((block) => block.rootID))) {
    const row = index.select('SELECT * FROM blocks WHERE id = ?', id)[0];
    if (!row) continue;
    const root = foundBlock(row);
    const places = orderBy === 5 ? placeOf(index, id) : undefined;
    const inDocument: Compare = (a, b) => (places?.get(a.id) ?? 0) - (places?.get(b.id) ?? 0);
    const children = blocks.filter((block) => block.rootID === id);
    root.children = children.sort(places ? inDocument : (BY_TIME[orderBy] ?? ((a, b) => a.sort - b.sort)));
    roots.push(root);
  }
  const byTime = orderBy === 5 ? BY_TIME[4] : BY_TIME[orderBy];
  return byTime ? roots.sort(byTime) : roots;
}
