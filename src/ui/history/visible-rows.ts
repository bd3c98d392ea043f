import type { SizeTable } from './size-table.ts';

/** A message in the document, below a gap that replaces those left out before it. */
export interface Row {
  readonly key: string;
  readonly index: number;
  /** CSS pixels. */
  readonly gap: number;
}

export interface Sight {
  /** Upper edge of the view, and its height; CSS pixels of the whole list. */
  readonly top: number;
  readonly height: number;
  /** Messages that stay in the document wherever the reader scrolls: they have the focus or the selection. */
  readonly kept: readonly number[];
}

/**
 * The messages to render: the view and as much again above and below. A rendered message stays until it is twice
 * as far away, so that a reader who scrolls up and down a little causes no work.
 */
export function visibleRows(table: SizeTable, { top, height, kept }: Sight, before: readonly Row[]): readonly Row[] {
  if (table.count === 0) return [];
  const indices = new Set(kept.filter((index) => index >= 0 && index < table.count));
  const last = table.at(top + 2 * height);
  for (let index = table.at(top - height); index <= last; index += 1) indices.add(index);
  for (const { key } of before) {
    const index = table.indexOf(key);
    if (index >= 0 && table.end(index) > top - 2 * height && table.start(index) < top + 3 * height) indices.add(index);
  }
  let end = 0;
  const known = new Map(before.map((row) => [row.key, row]));
  return [...indices]
    .sort((one, other) => one - other)
    .flatMap((index) => {
      const key = table.key(index);
      if (key === undefined) return [];
      const gap = table.start(index) - end;
      end = table.end(index);
      const row = known.get(key);
      return row && row.index === index && row.gap === gap ? row : { key, index, gap };
    });
}

export function sameRows(some: readonly Row[], others: readonly Row[]): boolean {
  return some.length === others.length && some.every((row, index) => row === others[index]);
}
