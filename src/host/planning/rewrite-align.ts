import { ToolError } from '../../tools/contract/errors.ts';

/** A top-level block that stands. */
export interface OldBlock {
  readonly id: string;
  readonly type: string;
  /** Markdown as it was read; what is the same Markdown is the same block. */
  readonly markdown: string;
  /** May become another text or go; the rest stays as it is. */
  readonly free: boolean;
  /** May change its place. */
  readonly movable: boolean;
}

/** A top-level block of the new Markdown. */
export interface NewBlock {
  readonly type: string;
  readonly markdown: string;
  /** It stands for this old block, word for word. */
  readonly keeps?: string;
}

/** What becomes of each new block, in the new order. `old` and `fresh` are indexes. */
export type Aligned =
  | { readonly kind: 'same' | 'move' | 'update'; readonly old: number; readonly fresh: number }
  | { readonly kind: 'insert'; readonly fresh: number };

export interface Alignment {
  readonly aligned: readonly Aligned[];
  /** Old blocks that nothing new stands for: those that are free go. */
  readonly unmatched: readonly number[];
}

const MAX_CELLS = 16_000_000;

const isSame = (old: OldBlock, fresh: NewBlock): boolean =>
  fresh.keeps === undefined ? old.markdown === fresh.markdown && old.type === fresh.type && old.markdown !== '' : fresh.keeps === old.id;

/** Longest common sequence of unchanged blocks, as pairs of indexes in order. */
function commonSequence(old: readonly OldBlock[], fresh: readonly NewBlock[]): [number, number][] {
  let start = 0;
  let end = 0;
  const same = (row: number, column: number): boolean => {
    const [one, other] = [old[row], fresh[column]];
    return one !== undefined && other !== undefined && isSame(one, other);
  };
  while (same(start, start)) start += 1;
  while (end < Math.min(old.length, fresh.length) - start && same(old.length - 1 - end, fresh.length - 1 - end)) end += 1;
  const [rows, columns] = [old.length - start - end, fresh.length - start - end];
  if (rows * columns > MAX_CELLS) {
    throw new ToolError(
      'too_large',
      'too much of this document would change at once',
      'rewrite it in parts, with edit_block and insert_blocks',
    );
  }
  const width = columns + 1;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const both = same(start + row, start + column);
      lengths[row * width + column] = both ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = Array.from({ length: start }, (_unused, index) => [index, index]);
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    if (same(start + row, start + column)) {
      pairs.push([start + row, start + column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  for (let index = end; index > 0; index -= 1) pairs.push([old.length - index, fresh.length - index]);
  return pairs;
}

/** Between two unchanged blocks, changed ones of one type are the same block, in order. */
function changedPairs(
  old: readonly OldBlock[],
  fresh: readonly NewBlock[],
  pairs: readonly (readonly [number, number])[],
  taken: Taken,
): void {
  let [oldStart, freshStart] = [0, 0];
  for (const [oldEnd, freshEnd] of [...pairs, [old.length, fresh.length] as const]) {
    let from = oldStart;
    for (let index = freshStart; index < freshEnd; index += 1) {
      if (taken.fresh.has(index) || fresh[index]?.keeps !== undefined) continue;
      for (let candidate = from; candidate < oldEnd; candidate += 1) {
        const block = old[candidate];
        if (!block?.free || taken.old.has(candidate) || block.type !== fresh[index]?.type) continue;
        taken.old.add(candidate);
        taken.fresh.set(index, { kind: 'update', old: candidate, fresh: index });
        from = candidate + 1;
        break;
      }
    }
    [oldStart, freshStart] = [oldEnd + 1, freshEnd + 1];
  }
}

interface Taken {
  readonly old: Set<number>;
  readonly fresh: Map<number, Aligned>;
}

/** Unchanged blocks that stand elsewhere now. */
function movedPairs(old: readonly OldBlock[], fresh: readonly NewBlock[], taken: Taken): void {
  for (const [index, block] of fresh.entries()) {
    if (taken.fresh.has(index)) continue;
    const found = old.findIndex((each, at) => !taken.old.has(at) && isSame(each, block));
    const standing = old[found];
    if (!standing) continue;
    taken.old.add(found);
    // What may not move stays where it is, and is not written a second time.
    taken.fresh.set(index, { kind: standing.movable ? 'move' : 'same', old: found, fresh: index });
  }
}

/** Which old block each new one is. */
export function alignBlocks(old: readonly OldBlock[], fresh: readonly NewBlock[]): Alignment {
  const pairs = commonSequence(old, fresh);
  const taken: Taken = { old: new Set(pairs.map(([index]) => index)), fresh: new Map() };
  for (const [before, after] of pairs) taken.fresh.set(after, { kind: 'same', old: before, fresh: after });
  movedPairs(old, fresh, taken);
  changedPairs(old, fresh, pairs, taken);
  return {
    aligned: fresh.map((_block, index) => taken.fresh.get(index) ?? { kind: 'insert', fresh: index }),
    unmatched: old.flatMap((_block, index) => (taken.old.has(index) ? [] : [index])),
  };
}
