import { ToolError } from '../../tools/contract/errors.ts';

type Pairs = [number, number][];

/** A table of more cells takes seconds. */
const MAX_CELLS = 16_000_000;

function assertSize(rows: number, columns: number): void {
  if (rows * columns <= MAX_CELLS) return;
  throw new ToolError('too_large', 'too much would change at once', 'change it in parts, with edit_block and insert_blocks');
}

/** The longest common sequence of two lists, as pairs of indexes in order; rejects with `too_large`. */
export function commonSequence(oldLength: number, freshLength: number, isSame: (row: number, column: number) => boolean): Pairs {
  let [start, end] = [0, 0];
  const shorter = Math.min(oldLength, freshLength);
  while (start < shorter && isSame(start, start)) start += 1;
  while (end < shorter - start && isSame(oldLength - 1 - end, freshLength - 1 - end)) end += 1;
  const pairs: Pairs = Array.from({ length: start }, (_unused, index) => [index, index]);
  const weigh = (row: number, column: number): number => (isSame(start + row, start + column) ? 1 : 0);
  for (const [row, column] of weightedSequence(oldLength - start - end, freshLength - start - end, weigh))
    pairs.push([start + row, start + column]);
  for (let index = end; index > 0; index -= 1) pairs.push([oldLength - index, freshLength - index]);
  return pairs;
}

/** The pairs in order with the largest total weight; a weight of 0 means no pair. Rejects with `too_large`. */
export function weightedSequence(rows: number, columns: number, weigh: (row: number, column: number) => number): Pairs {
  assertSize(rows, columns);
  const width = columns + 1;
  const weights = new Float32Array(rows * columns);
  const best = new Float32Array((rows + 1) * width);
  const at = (row: number, column: number): number => best[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const cell = row * columns + column;
      weights[cell] = weigh(row, column);
      const weight = weights[cell] ?? 0;
      const paired = weight > 0 ? at(row + 1, column + 1) + weight : 0;
      best[row * width + column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: Pairs = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    const weight = weights[row * columns + column] ?? 0;
    if (weight > 0 && at(row, column) === Math.fround(at(row + 1, column + 1) + weight)) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
