import { newId } from '../tree/time.ts';

/** A cell as the file holds it: the field that its type names, and times. What is empty is left out, as the kernel does. */
export interface Value {
  id: string;
  keyID: string;
  /** The row. */
  blockID: string;
  type: string;
  isDetached?: boolean;
  createdAt: number;
  updatedAt: number;
  block?: { id?: string; icon?: string; content: string; created?: number; updated?: number };
  mSelect?: { content: string; color: string }[];
  mAsset?: { type: string; name: string; content: string }[];
  number?: { content: number; isNotEmpty: boolean; format: string; formattedContent: string };
  date?: { content: number; isNotEmpty: boolean; formattedContent: string; [field: string]: unknown };
  relation?: { blockIDs: string[] | null; contents: Value[] | null };
  rollup?: { contents: unknown[] | null };
  text?: { content: string };
  template?: { content: string };
  [field: string]: unknown;
}

export interface Key {
  id: string;
  name: string;
  type: string;
  icon: string;
  desc: string;
  options?: { name: string; color: string; desc: string }[];
  numberFormat: string;
  template: string;
  relation?: { avID: string; isTwoWay: boolean; backKeyID: string };
  rollup?: { relationKeyID: string; keyID: string; calc: { operator: string; result: unknown } };
  [field: string]: unknown;
}

export interface KeyValues {
  key: Key;
  values?: Value[];
}

export interface Column {
  id: string;
  wrap: boolean;
  hidden: boolean;
  pin: boolean;
  width: string;
  align?: string;
  calc?: unknown;
}

export interface Filter {
  column: string;
  operator: string;
  value: Value | null;
  combination?: string;
  filters?: Filter[];
}

/** A view that is a table; other layouts are not held. */
export interface View {
  id: string;
  icon: string;
  name: string;
  hideAttrViewName: boolean;
  desc: string;
  filters: Filter[];
  sorts?: { column: string; order: string }[];
  pageSize: number;
  type: 'table';
  table: { spec: number; id: string; showIcon: boolean; wrapField: boolean; columns: Column[]; rowIds: null };
  itemIds?: string[];
  [field: string]: unknown;
}

/** A database, as `data/storage/av/<id>.json` holds it. */
export interface AttributeView {
  spec: number;
  id: string;
  name: string;
  keyValues: KeyValues[];
  keyIDs: string[] | null;
  viewID: string;
  views: View[];
}

export const newColumn = (id: string): Column => ({ id, wrap: false, hidden: false, pin: false, width: '' });

export const newKey = (id: string, name: string, type: string): Key => ({
  ...{ id, name, type, icon: '', desc: '', numberFormat: '', template: '' },
  ...(type === 'rollup' ? { rollup: { relationKeyID: '', keyID: '', calc: { operator: '', result: null } } } : {}),
});

/** As the kernel makes one: a table with the primary key and a select. */
export function newAttributeView(id: string): AttributeView {
  const [primary, select] = [newKey(newId(), 'Primary Key', 'block'), newKey(newId(), 'Select', 'select')];
  const view: View = {
    ...{ id: newId(), icon: '', name: 'Table', hideAttrViewName: false, desc: '', sorts: [], pageSize: 50, type: 'table' as const },
    filters: [{ column: '', operator: '', value: null, combination: 'and' }],
    table: { spec: 0, id: newId(), showIcon: true, wrapField: false, columns: [newColumn(primary.id), newColumn(select.id)], rowIds: null },
    ...{ groupCreated: 0, groupItemIds: null, groupFolded: false, groupHidden: 0, groupSort: 0 },
  };
  return { spec: 5, id, name: '', keyValues: [{ key: primary }, { key: select }], keyIDs: null, viewID: view.id, views: [view] };
}

export const keyValuesOf = (view: AttributeView, keyId: string): KeyValues | undefined =>
  view.keyValues.find(({ key }) => key.id === keyId);

/** The values of the primary key: one for each row. */
export const rowValues = (view: AttributeView): Value[] => view.keyValues.find(({ key }) => key.type === 'block')?.values ?? [];

export const storedValue = (view: AttributeView, keyId: string, itemId: string): Value | undefined =>
  keyValuesOf(view, keyId)?.values?.find(({ blockID }) => blockID === itemId);

/** What the file leaves out: empty lists, and the mark of a row that is bound. */
export function withoutEmpty(value: Value): void {
  if (value.mSelect?.length === 0) delete value.mSelect;
  if (value.mAsset?.length === 0) delete value.mAsset;
  if (value.isDetached === false) delete value.isDetached;
}

const CURRENCIES: Readonly<Record<string, string>> = { USD: '$', EUR: '€', CNY: 'CN¥', JPY: '¥' };

export function formatNumber({ number }: Pick<Value, 'number'>): void {
  if (!number) return;
  const sign = CURRENCIES[number.format];
  if (!number.isNotEmpty) Object.assign(number, { content: 0, formattedContent: '' });
  else number.formattedContent = sign === undefined ? String(number.content) : `${sign}${number.content.toFixed(2)}`;
}

/** A value as the kernel's searches and filters see it. */
export function textOfValue(value: Value | null | undefined): string {
  if (!value) return '';
  const own = value[value.type === 'select' ? 'mSelect' : value.type];
  if (value.type === 'number') return value.number?.formattedContent ?? '';
  if (value.type === 'checkbox') return (own as { checked?: boolean } | undefined)?.checked ? '√' : '';
  if (value.type === 'relation') return (value.relation?.contents ?? []).map(textOfValue).join(' ');
  if (Array.isArray(own)) return own.map((each: { content: string }) => each.content).join(' ');
  return String((own as { content?: unknown } | undefined)?.content ?? '').trim();
}
