import type { SearchIndex } from './block-index.ts';
import { escapeText, markMatches, termPattern } from './search/highlight.ts';

/** A node of the tag tree: `project/moon` is `moon` below `project`. `count` is of the label itself, 0 for a mere parent. */
export interface Tag {
  readonly name: string;
  readonly label: string;
  readonly type: 'tag';
  readonly depth: number;
  count: number;
  children: Tag[] | null;
}

const TAG_SPANS = "FROM spans WHERE type LIKE '%tag%' AND content <> ''";

/** Sort modes of SiYuan's tag panel: names down are 1 and 5, counts up and down 7 and 8; everything else is names up. */
function comparison(sort: number): (a: Tag, b: Tag) => number {
  const byName = (a: Tag, b: Tag): number => a.name.localeCompare(b.name, undefined, { numeric: true });
  if (sort === 1 || sort === 5) return (a, b) => byName(b, a);
  if (sort === 7) return (a, b) => a.count - b.count;
  if (sort === 8) return (a, b) => b.count - a.count;
  return byName;
}

/** All tags as a tree. */
export function tagTree(index: SearchIndex, sort: number): Tag[] {
  const roots: Tag[] = [];
  for (const row of index.select(`SELECT content, count(*) AS n ${TAG_SPANS} GROUP BY content`)) {
    let level = roots;
    let leaf: Tag | undefined;
    const parts = String(row.content).split('/');
    for (const [depth, part] of parts.entries()) {
      const name = escapeText(part);
      leaf = level.find((tag) => tag.name === name);
      if (!leaf) {
        leaf = { name, label: escapeText(parts.slice(0, depth + 1).join('/')), type: 'tag', depth, count: 0, children: null };
        level.push(leaf);
      }
      if (depth < parts.length - 1) level = leaf.children ??= [];
    }
    if (leaf) leaf.count = Number(row.n);
  }
  sortTree(roots, comparison(sort));
  return roots;
}

function sortTree(tags: Tag[], compare: (a: Tag, b: Tag) => number): void {
  tags.sort(compare);
  for (const tag of tags) if (tag.children) sortTree(tag.children, compare);
}

/** Labels that hold every word, matches in `<mark>`; all labels for an empty keyword. At most 64. */
export function searchTags(index: SearchIndex, keyword: string): string[] {
  const words = keyword.split(/\s+/).filter((word) => word !== '');
  const likes = words.map((word) => `%${word.replace(/[%_\\]/g, '\\$&')}%`);
  const condition = words.map(() => "AND content LIKE ? ESCAPE '\\'").join(' ');
  const rows = index.select(`SELECT content ${TAG_SPANS} ${condition} GROUP BY markdown LIMIT 64`, ...likes);
  const labels = new Set(rows.map((row) => String(row.content)));
  const pattern = termPattern(words);
  return [...labels].map((label) => markMatches(label, pattern)).sort();
}
