import { formulaAt } from '../../tools/util/inline-signs.ts';
import { PREFIX } from './markdown-lines.ts';

/** The row of a table under its head, which says how many columns it has. */
const DELIMITERS = /^[ \t>]*\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/;
const CODE = /(?<!`)(`+)(?!`)(?:(?!\1(?!`))[^\n]){1,2000}?(?<!`)\1(?!`)/y;
const BAR = /(?<!\\)\|/g;

export interface TableText {
  readonly text: string;
  /** Numbers of the lines that are rows. */
  readonly rows: ReadonlySet<number>;
}

/** The text with no more cells in each row of its tables than there are columns; `bar` stands for a bar that divides nothing. */
export function withWholeRows(text: string, bar: string): TableText {
  const lines = text.split('\n');
  const rows = new Set<number>();
  let columns = 0;
  const whole = lines.map((line, index) => {
    const next = lines[index + 1] ?? '';
    if (!line.includes('|')) columns = 0;
    else if (columns === 0 && next.includes('|') && DELIMITERS.test(next)) columns = cellsOf(next).length;
    if (columns === 0 || DELIMITERS.test(line)) return line;
    rows.add(index);
    return withWholeCells(line, columns, bar);
  });
  return { text: whole.join('\n'), rows };
}

/** Where the cells of a row end, without the bars at its ends. */
function cellsOf(row: string): { readonly text: string; readonly end: number }[] {
  const inner = row.replace(PREFIX, '').replace(/^\|/, '');
  const offset = row.length - inner.length;
  const cells: { text: string; end: number }[] = [];
  let from = offset;
  for (const { index } of inner.matchAll(BAR)) {
    cells.push({ text: row.slice(from, offset + index), end: offset + index });
    from = offset + index + 1;
  }
  if (row.slice(from).trim() !== '') cells.push({ text: row.slice(from), end: row.length });
  return cells;
}

/** Bars inside of code and formulas hidden: there they divide nothing. */
function withHiddenBars(row: string, bar: string): string {
  let out = '';
  for (let at = 0; at < row.length; ) {
    const char = row.charAt(at);
    CODE.lastIndex = at;
    const formula = char === '$' || char === '\\' ? formulaAt(row.slice(at), row.charAt(at - 1))?.raw : undefined;
    const whole = (char === '`' ? CODE.exec(row)?.[0] : undefined) ?? formula;
    const piece = whole?.replace(BAR, bar) ?? (char === '\\' ? row.slice(at, at + 2) : char);
    out += piece;
    at += (whole ?? piece).length;
  }
  return out;
}

/**
 * A row with as many cells as its table has columns at most: Lute drops what is behind them. A bar in code or a formula divides nothing,
 * unless it makes the number right; a bar too much is text of the last cell.
 */
function withWholeCells(row: string, columns: number, bar: string): string {
  const whole = withHiddenBars(row, bar);
  const kept = cellsOf(whole).length < columns && cellsOf(row).length === columns ? row : whole;
  const cells = cellsOf(kept);
  const rest = cells.slice(columns);
  if (rest.every(({ text }) => text.trim() === '')) return kept;
  const used = rest.findLastIndex(({ text }) => text.trim() !== '');
  const joined = new Set(cells.slice(columns - 1, columns + used).map(({ end }) => end));
  return kept
    .split('')
    .map((char, index) => (joined.has(index) ? bar : char))
    .join('');
}
