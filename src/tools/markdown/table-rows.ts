import { formulaAt } from './inline-signs.ts';

/** Quote and item markers and indentation before the text of a line. */
export const PREFIX = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t])))*[ \t]*(?:\[[^[\]\n]\][ \t]+)?/;

/** The row under a table's header, which determines the number of columns. */
const DELIMITERS = /^[ \t>]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|[ \t]*)?$/;
const RUN = /`+/g;

export interface TableText {
  readonly text: string;
  readonly rows: ReadonlySet<number>;
}

/** The text with at most as many cells in each table row as there are columns; `bar` replaces a bar that divides nothing. */
export function withWholeRows(text: string, bar: string): TableText {
  const lines = text.split('\n');
  const rows = new Set<number>();
  let columns = 0;
  const whole = lines.map((line, index) => {
    const next = lines[index + 1] ?? '';
    // A row may have one cell and no bar.
    if (line.replace(PREFIX, '').trim() === '') columns = 0;
    else if (columns === 0 && isTableHead(line, next)) columns = cellsOf(next).length;
    if (columns === 0 || DELIMITERS.test(line)) return line;
    rows.add(index);
    return withWholeCells(line, columns, bar);
  });
  return { text: whole.join('\n'), rows };
}

/** Tells if the second line makes the first the header of a table. */
export const isTableHead = (head: string, dashes: string): boolean => head.includes('|') && dashes.includes('|') && DELIMITERS.test(dashes);

/** Positions of bars without a backslash before them. No look-behind: Safari supports it only since 16.4. */
function barsIn(text: string): readonly number[] {
  const found: number[] = [];
  for (let at = text.indexOf('|'); at >= 0; at = text.indexOf('|', at + 1)) if (text.charAt(at - 1) !== '\\') found.push(at);
  return found;
}

function withBars(text: string, bar: string): string {
  const bars = new Set(barsIn(text));
  return bars.size === 0 ? text : text.replace(/\|/g, (char, at: number) => (bars.has(at) ? bar : char));
}

/** Inline code at a run of backticks, or the run alone if it has no end. */
function codeAt(row: string, at: number): { readonly text: string; readonly isCode: boolean } {
  RUN.lastIndex = at;
  const run = RUN.exec(row)?.[0] ?? '';
  for (let next = RUN.exec(row); next; next = RUN.exec(row)) {
    if (next[0].length === run.length) return { text: row.slice(at, next.index + run.length), isCode: true };
  }
  return { text: run, isCode: false };
}

function cellsOf(row: string): { readonly text: string; readonly end: number }[] {
  const inner = row.replace(PREFIX, '').replace(/^\|/, '');
  const offset = row.length - inner.length;
  const cells: { text: string; end: number }[] = [];
  let from = offset;
  for (const index of barsIn(inner)) {
    cells.push({ text: row.slice(from, offset + index), end: offset + index });
    from = offset + index + 1;
  }
  if (row.slice(from).trim() !== '') cells.push({ text: row.slice(from), end: row.length });
  return cells;
}

/** Hides bars inside code and formulas, where they divide nothing. */
function withHiddenBars(row: string, bar: string): string {
  let out = '';
  for (let at = 0; at < row.length; ) {
    const char = row.charAt(at);
    const code = char === '`' ? codeAt(row, at) : undefined;
    const formula = char === '$' || char === '\\' ? formulaAt(row.slice(at), row.charAt(at - 1))?.raw : undefined;
    const whole = code?.isCode ? code.text : formula;
    const piece = whole ?? code?.text ?? (char === '\\' ? row.slice(at, at + 2) : char);
    out += whole === undefined ? piece : withBars(whole, bar);
    at += piece.length;
  }
  return out;
}

/** A row with as many cells as columns, as Lute drops further ones: bars in code and formulas divide nothing, extra ones are text. */
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
