/** One measured value beside its limit. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The largest value that passes; absent for figures that only inform. */
  readonly limit?: number;
  /** What it should reach on a machine of today; printed, but no reason to fail: machines differ. */
  readonly target?: number;
}

export interface BenchReport {
  /** What was measured over, and anything that a reader has to know to trust the figures. */
  readonly notes: readonly string[];
  readonly figures: readonly Figure[];
}

export function passes({ value, limit }: Figure): boolean {
  // NaN passes nothing: a measurement that did not happen is no success.
  return limit === undefined || value <= limit;
}

export function formatFigure(figure: Figure): string {
  const { name, value, unit, limit, target } = figure;
  const mark = limit === undefined ? '    ' : passes(figure) ? 'ok  ' : 'MISS';
  const aim = target === undefined ? '' : `  (target ≥ ${target}${unit})`;
  const bound = limit === undefined ? aim : `  (limit ≤ ${limit}${unit})`;
  return `${mark} ${name.padEnd(64)} ${formatValue(value)}${unit}${bound}`;
}

function formatValue(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}
