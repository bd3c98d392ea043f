/** The longest common sequence of two lists, as pairs of indexes in order. */
export function commonSequence(rows: number, columns: number, isSame: (row: number, column: number) => boolean): [number, number][] {
  return weightedSequence(rows, columns, (row, column) => (isSame(row, column) ? 1 : 0));
}

/** The order-preserving pairs of two lists whose weights sum up to the most; what weighs nothing is no pair. */
export function weightedSequence(rows: number, columns: number, weigh: (row: number, column: number) => number): [number, number][] {
  const width = columns + 1;
  const weights = new Float64Array(rows * columns);
  const best = new Float64Array((rows + 1) * width);
  const at = (row: number, column: number): number => best[row * width + column] ?? 0;
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      const weight = weigh(row, column);
      weights[row * columns + column] = weight;
      const paired = weight > 0 ? at(row + 1, column + 1) + weight : 0;
      best[row * width + column] = Math.max(paired, at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < rows && column < columns) {
    const weight = weights[row * columns + column] ?? 0;
    if (weight > 0 && at(row, column) === at(row + 1, column + 1) + weight) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}
