import { type ChildNode, type Element, isTag } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { ToolError } from '../../tools/contract/errors.ts';
import { type BlockElement, serializeBlock, textOf } from './block-dom.ts';
import { commonSequence } from './common-sequence.ts';

// The parts of a table that Markdown cannot express: column widths, merged cells, colours.

interface Row {
  readonly cells: readonly Element[];
  readonly text: string;
}

interface Span {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

type Mapping = ReadonlyMap<number, number>;

/** Block DOM with merged cells split: Markdown tables have none. The cells that they covered become empty cells. */
export function withoutMerges(dom: string): string {
  if (!/ (?:col|row)span="|fn__none/.test(dom)) return dom;
  const root = parseDocument(dom);
  const visit = (node: ChildNode): void => {
    if (!isTag(node)) return;
    if (/^t[hd]$/.test(node.name)) {
      for (const name of ['colspan', 'rowspan']) delete node.attribs[name];
      if (node.attribs.class === 'fn__none') delete node.attribs.class;
    }
    node.children.forEach(visit);
  };
  root.children.forEach(visit);
  return root.children.map(serializeBlock).join('');
}

const within = (root: Element, name: string): Element[] =>
  root.children.filter(isTag).flatMap((child) => (child.name === name ? [child] : within(child, name)));
const cellText = (node: Element): string =>
  textOf(node)
    .replace(/[\s\u200b]+/g, ' ')
    .trim();
const cellsOf = (row: Element): Element[] => row.children.filter((child): child is Element => isTag(child) && /^t[hd]$/.test(child.name));
const rowsOf = (table: BlockElement): Row[] =>
  within(table, 'tr').map((row) => {
    const cells = cellsOf(row);
    return { cells, text: cells.map(cellText).join('\u0001') };
  });

/** Pairs equal entries first; between them the others in order, if both sides have the same number. */
function mapByText(old: readonly string[], fresh: readonly string[]): Mapping {
  const mapping = new Map<number, number>();
  const pairs = commonSequence(old.length, fresh.length, (one, other) => old[one] === fresh[other]);
  let [oldStart, freshStart] = [0, 0];
  for (const [oldEnd, freshEnd] of [...pairs, [old.length, fresh.length] as const]) {
    const isSame = oldEnd - oldStart === freshEnd - freshStart;
    for (let index = 0; isSame && index < oldEnd - oldStart; index += 1) mapping.set(freshStart + index, oldStart + index);
    if (oldEnd < old.length) mapping.set(freshEnd, oldEnd);
    [oldStart, freshStart] = [oldEnd + 1, freshEnd + 1];
  }
  return mapping;
}

const columnTexts = (rows: readonly Row[], column: number): string =>
  rows.map(({ cells }) => (cells[column] ? cellText(cells[column]) : '')).join('\u0001');

/** Pairs columns by their headers if these are distinct, else by their whole content. */
function mapColumns(old: readonly Row[], fresh: readonly Row[]): Mapping {
  const counts = [old, fresh].map((rows) => rows[0]?.cells.length ?? 0);
  const [before = 0, after = 0] = counts;
  if (before === after) return new Map(Array.from({ length: after }, (_unused, index) => [index, index]));
  const heads = [old, fresh].map((rows) => (rows[0]?.cells ?? []).map(cellText));
  const areDistinct = heads.every((texts) => new Set(texts).size === texts.length);
  const texts = (rows: readonly Row[], count: number, own: readonly string[]): readonly string[] =>
    areDistinct ? own : Array.from({ length: count }, (_unused, index) => columnTexts(rows, index));
  return mapByText(texts(old, before, heads[0] ?? []), texts(fresh, after, heads[1] ?? []));
}

function spansOf(rows: readonly Row[]): Span[] {
  return rows.flatMap(({ cells }, row) =>
    cells.flatMap((cell, column) => {
      const [rowCount, columnCount] = [Number(cell.attribs.rowspan ?? 1), Number(cell.attribs.colspan ?? 1)];
      return rowCount > 1 || columnCount > 1 ? [{ row, column, rows: rowCount, columns: columnCount }] : [];
    }),
  );
}

/** Each merged cell must be kept or removed as a whole. */
function assertWhole(spans: readonly Span[], rows: Mapping, columns: Mapping): void {
  const places = (mapping: Mapping, from: number, count: number): number[] =>
    [...mapping].filter(([, old]) => old >= from && old < from + count).map(([fresh]) => fresh);
  const isWhole = (found: readonly number[], count: number): boolean =>
    found.length === count && Math.max(...found) - Math.min(...found) === count - 1;
  for (const span of spans) {
    const [inRows, inColumns] = [places(rows, span.row, span.rows), places(columns, span.column, span.columns)];
    if (inRows.length === 0 || inColumns.length === 0) continue;
    if (isWhole(inRows, span.rows) && isWhole(inColumns, span.columns)) continue;
    throw new ToolError(
      'not_markdown_safe',
      'this change would split merged cells of the table, which Markdown cannot express',
      'leave the rows and columns of merged cells together, or change the text of single cells',
    );
  }
}

function carryColumns(old: BlockElement, fresh: BlockElement, columns: Mapping): void {
  const [from, to] = [within(old, 'col'), within(fresh, 'col')];
  for (const [index, column] of to.entries()) {
    const source = from[columns.get(index) ?? -1];
    if (source) column.attribs = { ...source.attribs };
  }
  const styles = to.map((column) => column.attribs.style ?? '');
  if (old.attribs.colgroup !== undefined || styles.some((style) => style !== '')) fresh.attribs.colgroup = styles.join('|');
}

/** Gives a table from Markdown the layout of the one that it replaces; rejects with `not_markdown_safe` if merged cells would split. */
export function carryTableLayout(old: BlockElement, fresh: BlockElement): void {
  const [before, after] = [rowsOf(old), rowsOf(fresh)];
  const columns = mapColumns(before, after);
  const rows = mapByText(
    before.map(({ text }) => text),
    after.map(({ text }) => text),
  );
  assertWhole(spansOf(before), rows, columns);
  carryColumns(old, fresh, columns);
  for (const [rowIndex, { cells }] of after.entries()) {
    for (const [index, cell] of cells.entries()) {
      const source = before[rows.get(rowIndex) ?? -1]?.cells[columns.get(index) ?? -1];
      if (!source) continue;
      const { align: _align, ...layout } = source.attribs;
      cell.attribs = { ...layout, ...(cell.attribs.align === undefined ? {} : { align: cell.attribs.align }) };
    }
  }
}
