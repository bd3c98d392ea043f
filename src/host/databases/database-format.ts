import * as v from 'valibot';
import { areAlike } from '../../tools/equal-text/equal-text.ts';
import { quoted } from '../../tools/util/line-parts.ts';

/** A database as `/api/av/getAttributeView` answers it (tests/contract/recorded/database-writes.json); what is not read is kept as it is. */
const text = v.optional(v.string(), '');

/** A value of a cell: beside these, the field that its type names. */
export const valueSchema = v.looseObject({
  id: text,
  keyID: text,
  blockID: text,
  type: text,
  isDetached: v.optional(v.boolean(), false),
  block: v.nullish(v.looseObject({ id: text, content: text })),
  text: v.nullish(v.looseObject({ content: text })),
  number: v.nullish(v.looseObject({ content: v.optional(v.number(), 0), isNotEmpty: v.optional(v.boolean(), false) })),
  date: v.nullish(
    v.looseObject({
      content: v.optional(v.number(), 0),
      isNotEmpty: v.optional(v.boolean(), false),
      hasEndDate: v.optional(v.boolean(), false),
      isNotTime: v.optional(v.boolean(), false),
      content2: v.optional(v.number(), 0),
      isNotEmpty2: v.optional(v.boolean(), false),
    }),
  ),
  mSelect: v.nullish(v.array(v.looseObject({ content: text }))),
  mAsset: v.nullish(v.array(v.looseObject({ content: text, name: text }))),
  url: v.nullish(v.looseObject({ content: text })),
  email: v.nullish(v.looseObject({ content: text })),
  phone: v.nullish(v.looseObject({ content: text })),
  checkbox: v.nullish(v.looseObject({ checked: v.optional(v.boolean(), false) })),
  template: v.nullish(v.looseObject({ content: text })),
  created: v.nullish(v.looseObject({ content: v.optional(v.number(), 0) })),
  updated: v.nullish(v.looseObject({ content: v.optional(v.number(), 0) })),
  relation: v.nullish(v.looseObject({ blockIDs: v.nullish(v.array(v.string())), contents: v.nullish(v.array(v.unknown())) })),
  rollup: v.nullish(v.looseObject({ contents: v.nullish(v.array(v.unknown())) })),
});

export const keySchema = v.looseObject({
  id: v.string(),
  name: text,
  type: v.string(),
  options: v.nullish(v.array(v.looseObject({ name: v.string() }))),
  relation: v.nullish(v.looseObject({ avID: text, isTwoWay: v.optional(v.boolean(), false) })),
  rollup: v.nullish(v.looseObject({ relationKeyID: text, keyID: text })),
});

const columnSchema = v.looseObject({ id: v.string() });
const columnsSchema = v.nullish(
  v.looseObject({
    columns: v.nullish(v.array(columnSchema)),
    cardFields: v.nullish(v.array(columnSchema)),
    fields: v.nullish(v.array(columnSchema)),
  }),
);
const filterSchema: v.GenericSchema<unknown, DatabaseFilter> = v.looseObject({
  column: text,
  filters: v.nullish(v.array(v.lazy(() => filterSchema))),
});
const sortSchema = v.looseObject({ column: text });
const ruleFields = { filters: v.nullish(v.array(filterSchema)), sorts: v.nullish(v.array(sortSchema)) };

const viewSchema = v.looseObject({
  id: v.string(),
  name: text,
  type: text,
  ...ruleFields,
  group: v.nullish(v.looseObject({ field: text })),
  itemIds: v.nullish(v.array(v.string())),
  table: columnsSchema,
  gallery: columnsSchema,
  kanban: columnsSchema,
  // Of SiYuan 3.8.
  list: columnsSchema,
  calendar: columnsSchema,
  map: columnsSchema,
});

export const databaseSchema = v.looseObject({
  id: v.string(),
  name: text,
  keyValues: v.array(v.looseObject({ key: keySchema, values: v.nullish(v.array(valueSchema)) })),
  viewID: text,
  views: v.array(viewSchema),
});

/** A view as it is drawn: a table has rows with cells, cards have values; groups have either. */
const cellSchema = v.looseObject({ value: v.nullish(valueSchema) });
const itemSchema = v.looseObject({ id: v.string(), cells: v.nullish(v.array(cellSchema)), values: v.nullish(v.array(cellSchema)) });
const itemFields = { rows: v.nullish(v.array(itemSchema)), cards: v.nullish(v.array(itemSchema)) };

export const drawnSchema = v.looseObject({
  id: v.string(),
  name: text,
  viewID: text,
  viewType: text,
  views: v.nullish(v.array(v.looseObject({ id: v.string(), name: text, type: text })), []),
  view: v.looseObject({
    name: text,
    ...ruleFields,
    group: v.nullish(v.looseObject({ field: text })),
    columns: v.nullish(v.array(keySchema)),
    fields: v.nullish(v.array(keySchema)),
    ...itemFields,
    groups: v.nullish(v.array(v.looseObject(itemFields))),
  }),
});

export interface DatabaseFilter {
  readonly column: string;
  readonly filters?: readonly DatabaseFilter[] | null | undefined;
}
export type CellValue = v.InferOutput<typeof valueSchema>;
export type DatabaseKey = v.InferOutput<typeof keySchema>;
export type DatabaseView = v.InferOutput<typeof viewSchema>;
export type Database = v.InferOutput<typeof databaseSchema>;
export type DrawnView = v.InferOutput<typeof drawnSchema>;

export const titleValues = (database: Database): readonly CellValue[] =>
  database.keyValues.find(({ key }) => key.type === 'block')?.values ?? [];

export const keyOf = (database: Database, keyId: string): DatabaseKey | undefined =>
  database.keyValues.find(({ key }) => key.id === keyId)?.key;

export const valueIn = (database: Database, keyId: string, itemId: string): CellValue | undefined =>
  database.keyValues.find(({ key }) => key.id === keyId)?.values?.find(({ blockID }) => blockID === itemId);

export function columnIdsOf({ type, ...layouts }: DatabaseView): readonly string[] {
  const { table, gallery, kanban, list, calendar, map } = layouts;
  const layout = { table, gallery, kanban, list, calendar, map }[type] ?? table;
  return (layout?.columns ?? layout?.cardFields ?? layout?.fields ?? []).map(({ id }) => id);
}

export const filteredColumns = (filters: readonly DatabaseFilter[]): readonly string[] =>
  filters.flatMap(({ column, filters: within }) => [column, ...filteredColumns(within ?? [])]).filter((id) => id !== '');

export const viewLabel = ({ name, type }: { readonly name: string; readonly type: string }): string =>
  type === '' || type === 'table' ? quoted(name) : `${quoted(name)} (${type})`;

/** The labels of the views of a database, by id; with the id in brackets where another one reads alike. */
export function viewLabels(views: DrawnView['views']): ReadonlyMap<string, string> {
  const all = (views ?? []).map((view) => [view.id, viewLabel(view)] as const);
  const isShared = (label: string): boolean => all.filter(([, other]) => areAlike(other, label)).length > 1;
  return new Map(all.map(([id, label]) => [id, isShared(label) ? `${label} [${id}]` : label]));
}

/** Layouts whose rows are read. Those of a later SiYuan may be elsewhere, which must not look like an empty view. */
const LAYOUTS = ['', 'table', 'gallery', 'kanban', 'list', 'calendar'];

export const givesRows = ({ view, viewType }: DrawnView): boolean =>
  LAYOUTS.includes(viewType) || [view, ...(view.groups ?? [])].some(({ rows, cards }) => rows ?? cards);
