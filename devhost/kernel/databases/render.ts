import type { KernelNode } from '../tree/node.ts';
import { newId, unixSeconds } from '../tree/time.ts';
import {
  type AttributeView,
  type Column,
  type Filter,
  formatNumber,
  type Key,
  keyValuesOf,
  rowValues,
  storedValue,
  textOfValue,
  type Value,
  type View,
  withoutEmpty,
} from './attribute-view.ts';

export interface RenderSources {
  /** The block of an id; undefined where there is none. */
  readonly block: (id: string) => KernelNode | undefined;
  readonly view: (id: string) => AttributeView | undefined;
}

interface Cell {
  readonly id: string;
  readonly value: Value;
  readonly valueType: string;
  readonly color: string;
  readonly bgColor: string;
}

interface Row {
  readonly id: string;
  readonly cells: readonly Cell[];
}

const NO_CONTENT = ['text', 'url', 'email', 'phone', 'template'];

function emptyField(type: string): unknown {
  if (NO_CONTENT.includes(type)) return { content: '' };
  if (type === 'number') return { content: 0, isNotEmpty: false, format: '', formattedContent: '' };
  if (type === 'date')
    return { content: 0, isNotEmpty: false, hasEndDate: false, isNotTime: true, content2: 0, isNotEmpty2: false, formattedContent: '' };
  if (type === 'checkbox') return { checked: false };
  return type === 'relation' ? { blockIDs: null, contents: null } : undefined;
}

function emptyValue(key: Key, itemId: string): Value {
  const field = emptyField(key.type);
  const base = { id: newId(), keyID: key.id, blockID: itemId, type: key.type, createdAt: 0, updatedAt: 0 };
  return field === undefined ? base : { ...base, [key.type]: field };
}

function sum(values: readonly Value[], format: string): Pick<Value, 'number'> & { readonly type: string } {
  const content = values.reduce((total, { number }) => total + (number?.isNotEmpty ? number.content : 0), 0);
  const made = { type: 'number', number: { content, isNotEmpty: true, format, formattedContent: '' } };
  formatNumber(made);
  return made;
}

/** `Sum` adds numbers; any other calculation lists the values. */
function rollup(view: AttributeView, key: Key, itemId: string, sources: RenderSources): unknown[] | null {
  const relation = keyValuesOf(view, key.rollup?.relationKeyID ?? '')?.key.relation;
  const other = relation?.avID === view.id ? view : sources.view(relation?.avID ?? '');
  const linked = storedValue(view, key.rollup?.relationKeyID ?? '', itemId)?.relation?.blockIDs ?? [];
  if (!other) return null;
  const values = linked.flatMap((id) => storedValue(other, key.rollup?.keyID ?? '', id) ?? []);
  if (key.rollup?.calc.operator !== 'Sum') return values.length === 0 ? null : values;
  return [sum(values, keyValuesOf(other, key.rollup?.keyID ?? '')?.key.numberFormat ?? '')];
}

/** What is shown but not stored: linked rows, calculations, times. */
function derive(view: AttributeView, key: Key, value: Value, row: Value, sources: RenderSources): void {
  const id = row.block?.id ?? value.blockID;
  if (key.type === 'relation' && value.relation) {
    const other = key.relation?.avID === view.id ? view : sources.view(key.relation?.avID ?? '');
    const rows = other ? rowValues(other) : [];
    const contents = (value.relation.blockIDs ?? []).flatMap((item) => rows.find(({ blockID }) => blockID === item) ?? []);
    value.relation.contents = contents.length === 0 ? null : contents;
  }
  if (key.type === 'rollup') value.rollup = { contents: rollup(view, key, value.blockID, sources) };
  if (key.type === 'template') value.template = { content: key.template };
  if (key.type === 'created') value.created = { content: unixSeconds(id.slice(0, 14)) * 1000, isNotEmpty: true, formattedContent: '' };
  if (key.type === 'updated') {
    const changed = row.isDetached ? undefined : sources.block(id)?.Properties?.updated;
    const content = changed === undefined ? row.updatedAt : unixSeconds(changed) * 1000;
    value.updated = { content, isNotEmpty: true, formattedContent: '' };
  }
  if (key.type === 'number' && value.number?.isNotEmpty) {
    value.number.format = key.numberFormat;
    formatNumber(value);
  }
}

function passes(row: Row, filter: Filter): boolean {
  if (filter.filters) {
    const results = filter.filters.map((each) => passes(row, each));
    return filter.combination === 'or' && results.length > 0 ? results.some(Boolean) : results.every(Boolean);
  }
  const value = row.cells.find((cell) => cell.value.keyID === filter.column)?.value;
  const [text, wanted] = [textOfValue(value), textOfValue(filter.value)];
  switch (filter.operator) {
    case '=':
    case 'Is equal':
      return text === wanted;
    case '!=':
      return text !== wanted;
    case 'Contains':
      return text.toLowerCase().includes(wanted.toLowerCase());
    case 'Does not contain':
      return !text.toLowerCase().includes(wanted.toLowerCase());
    case 'Is empty':
      return text === '';
    case 'Is not empty':
      return text !== '';
    case '>':
      return Number(value?.number?.content ?? 0) > Number(filter.value?.number?.content ?? 0);
    case '<':
      return Number(value?.number?.content ?? 0) < Number(filter.value?.number?.content ?? 0);
    default:
      return true;
  }
}

function compare(one: Value | undefined, other: Value | undefined): number {
  const [first, second] = [one, other].map((value) => value?.number?.content ?? value?.date?.content ?? textOfValue(value));
  if (typeof first === 'number' && typeof second === 'number') return first - second;
  return String(first) < String(second) ? -1 : Number(String(first) > String(second));
}

/** Rows without a value come last, those that never had one behind those that were emptied. */
function blankness(value: Value | undefined): number {
  if (!value || value.createdAt === 0) return 2;
  return Number((value.number ?? value.date)?.isNotEmpty === false || textOfValue(value) === '');
}

function inOrder(rows: readonly Row[], view: View): Row[] {
  const items = view.itemIds ?? [];
  const sorted = [...rows].sort((one, other) => items.indexOf(one.id) - items.indexOf(other.id));
  for (const { column, order } of [...(view.sorts ?? [])].reverse()) {
    const cellOf = ({ cells }: Row) => cells.find(({ value }) => value.keyID === column)?.value;
    sorted.sort((one, other) => {
      const [first, second] = [cellOf(one), cellOf(other)];
      if (blankness(first) + blankness(second) > 0) return blankness(first) - blankness(second);
      return order === 'DESC' ? compare(second, first) : compare(first, second);
    });
  }
  return sorted;
}

const hasWords = (row: Row, words: readonly string[]): boolean =>
  row.cells.some(({ value }) => words.every((word) => textOfValue(value).toLowerCase().includes(word)));

function rowsOf(view: AttributeView, keys: readonly Key[], sources: RenderSources): Row[] {
  return rowValues(view).flatMap((row): Row[] => {
    if (!row.isDetached && !sources.block(row.block?.id ?? '')) return [];
    const cells = keys.map((key): Cell => {
      const value = structuredClone(storedValue(view, key.id, row.blockID)) ?? emptyValue(key, row.blockID);
      derive(view, key, value, row, sources);
      withoutEmpty(value);
      return { id: value.id, value, valueType: key.type, color: '', bgColor: '' };
    });
    return [{ id: row.blockID, cells }];
  });
}

function shownColumn(key: Key, { wrap, hidden, pin, width, align = '', calc = null }: Column) {
  return { ...key, wrap, hidden, calc, pin, width, align };
}

/** What `renderAttributeView` answers of a table. `page` counts from 1. */
export function renderTable(
  view: AttributeView,
  shown: View,
  { query, page, pageSize }: { readonly query: string; readonly page: number; readonly pageSize: number },
  sources: RenderSources,
) {
  const columns = shown.table.columns.flatMap((column) => {
    const key = keyValuesOf(view, column.id)?.key;
    return key ? [{ key, column }] : [];
  });
  const words = query
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const all = rowsOf(
    view,
    columns.map(({ key }) => key),
    sources,
  ).filter((row) => words.length === 0 || hasWords(row, words));
  const rows = inOrder(
    all.filter((row) => shown.filters.every((filter) => passes(row, filter))),
    shown,
  );
  const size = pageSize > 0 ? pageSize : shown.pageSize;
  const { id, icon, name, hideAttrViewName, desc, filters } = shown;
  const table = {
    ...{ id, icon, name, desc, hideAttrViewName, filters, sorts: shown.sorts ?? [], group: null, pageSize: shown.pageSize },
    ...{ showIcon: shown.table.showIcon, wrapField: shown.table.wrapField, groupFolded: false, groupHidden: 0 },
    columns: columns.map(({ key, column }) => shownColumn(key, column)),
    rows: rows.slice((page - 1) * size, page * size),
    rowCount: rows.length,
  };
  const views = view.views.map((each) => ({
    ...{ id: each.id, icon: each.icon, name: each.name, desc: each.desc, hideAttrViewName: each.hideAttrViewName },
    ...{ type: each.type, pageSize: each.pageSize },
  }));
  const heads = { defaultTemplateID: '', id: view.id, isMirror: false, name: view.name, newItemTemplates: null };
  return { ...heads, view: table, viewID: id, viewType: shown.type, views };
}

/** The texts of bound blocks as they are now. */
export function withBoundTexts(view: AttributeView, text: (blockId: string) => string | undefined): AttributeView {
  for (const { block } of rowValues(view)) {
    const now = block?.id ? text(block.id) : undefined;
    if (block && now !== undefined) block.content = now;
  }
  return view;
}

/** Which database a block is, if it is one. */
export const databaseOf = (node: KernelNode): string | undefined =>
  node.Type === 'NodeAttributeView' && typeof node.AttributeViewID === 'string' ? node.AttributeViewID : undefined;
