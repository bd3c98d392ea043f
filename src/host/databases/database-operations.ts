import { emptyField } from './cell-values.ts';
import type { Database, DatabaseView } from './database-format.ts';
import type { RawValue } from './stored-change.ts';

export interface DatabaseOperation {
  readonly action: string;
  readonly [field: string]: unknown;
}

export interface At {
  readonly databaseId: string;
  readonly blockId: string;
}

export const setCell = ({ databaseId }: At, keyId: string, itemId: string, data: unknown): DatabaseOperation => ({
  ...{ action: 'updateAttrViewCell', avID: databaseId, keyID: keyId, rowID: itemId, data },
});

export const insertRow = (
  { databaseId, blockId }: At,
  { itemId, boundTo, title }: { readonly itemId: string; readonly boundTo: string | null; readonly title: string },
  previous: string,
): DatabaseOperation => ({
  ...{ action: 'insertAttrViewBlock', avID: databaseId, blockID: blockId, previousID: previous, ignoreDefaultFill: true },
  srcs: [{ itemID: itemId, id: boundTo ?? itemId, isDetached: boundTo === null, content: title }],
});

export const removeRow = ({ databaseId }: At, itemId: string): DatabaseOperation => ({
  ...{ action: 'removeAttrViewBlock', avID: databaseId, srcIDs: [itemId] },
});

export const removeColumn = ({ databaseId }: At, keyId: string): DatabaseOperation => ({
  ...{ action: 'removeAttrViewCol', avID: databaseId, id: keyId, removeDest: false },
});

export const renameColumn = ({ databaseId }: At, keyId: string, name: string, type: string): DatabaseOperation => ({
  ...{ action: 'updateAttrViewCol', avID: databaseId, id: keyId, name, type },
});

export const moveColumn = ({ databaseId, blockId }: At, keyId: string, previous: string): DatabaseOperation => ({
  ...{ action: 'sortAttrViewCol', avID: databaseId, blockID: blockId, id: keyId, previousID: previous },
});

export const setOptions = ({ databaseId }: At, keyId: string, options: unknown): DatabaseOperation => ({
  ...{ action: 'updateAttrViewColOptions', avID: databaseId, id: keyId, data: options },
});

export const removeOption = ({ databaseId }: At, keyId: string, name: string): DatabaseOperation => ({
  ...{ action: 'removeAttrViewColOption', avID: databaseId, id: keyId, data: name },
});

const field = (value: unknown, name: string): unknown =>
  value !== null && typeof value === 'object' ? (value as Readonly<Record<string, unknown>>)[name] : undefined;

/** A column with everything that its kind has, behind another one. */
export function addColumn(at: At, key: RawValue, previous: string): readonly DatabaseOperation[] {
  const { id, name, type, icon = '', options, numberFormat, template, relation, rollup, date, created, updated, desc } = key;
  const on = { avID: at.databaseId, id };
  const list: DatabaseOperation[] = [{ action: 'addAttrViewCol', ...on, name, type, data: icon, previousID: previous }];
  if (Array.isArray(options) && options.length > 0) list.push(setOptions(at, String(id), options));
  if (relation) {
    const link = { isTwoWay: false, backRelationKeyID: '', name: '', format: name };
    list.push({ action: 'updateAttrViewColRelation', avID: at.databaseId, id: field(relation, 'avID'), keyID: id, ...link });
  }
  if (type === 'rollup' && rollup) {
    const calc = { calc: field(rollup, 'calc') };
    list.push({
      action: 'updateAttrViewColRollup',
      ...on,
      parentID: field(rollup, 'relationKeyID'),
      keyID: field(rollup, 'keyID'),
      data: calc,
    });
  }
  if (numberFormat) list.push({ action: 'updateAttrViewColNumberFormat', ...on, type, format: numberFormat });
  if (template) list.push({ action: 'updateAttrViewColTemplate', ...on, type, data: template });
  if (desc) list.push({ action: 'setAttrViewColDesc', ...on, data: desc });
  if (field(date, 'autoFillNow')) list.push({ action: 'setAttrViewColDateFillCreated', ...on, data: true });
  if (field(date, 'fillSpecificTime')) list.push({ action: 'setAttrViewColDateFillSpecificTime', ...on, data: true });
  if (created) list.push({ action: 'setAttrViewCreatedIncludeTime', ...on, data: field(created, 'includeTime') === true });
  if (updated) list.push({ action: 'setAttrViewUpdatedIncludeTime', ...on, data: field(updated, 'includeTime') === true });
  return list;
}

const LOOKS: readonly (readonly [field: string, action: string])[] = [
  ['width', 'setAttrViewColWidth'],
  ['align', 'setAttrViewColAlign'],
  ['wrap', 'setAttrViewColWrap'],
  ['hidden', 'setAttrViewColHidden'],
  ['pin', 'setAttrViewColPin'],
  ['calc', 'setAttrViewColCalc'],
];

export const showColumn = ({ databaseId, blockId }: At, keyId: string, look: RawValue): readonly DatabaseOperation[] =>
  LOOKS.flatMap(([name, action]) => (look[name] ? [{ action, avID: databaseId, blockID: blockId, id: keyId, data: look[name] }] : []));

/** Stored values with ids and times, without computed ones and the titles of block rows, which would be pinned as texts. */
export function restoreValues(at: At, values: readonly RawValue[]): readonly DatabaseOperation[] {
  return values.flatMap((value) => {
    const { id, createdAt, isDetached, keyID, blockID, type } = value;
    const isTitle = type === 'block' && isDetached === true;
    const names = isTitle ? ['block'] : Object.keys(emptyField(String(type)) ?? {});
    const kept = names.filter((name) => value[name] !== undefined && value[name] !== null);
    if (kept.length === 0) return [];
    const data = {
      id,
      createdAt,
      ...Object.fromEntries(kept.map((name) => [name, value[name]])),
      ...(isTitle ? { isDetached: true } : {}),
    };
    return [setCell(at, String(keyID), String(blockID), data)];
  });
}

/** The view that a block shows: named by its attribute, else the database's current one. */
export function viewOfBlock({ views, viewID }: Database, shown: string): DatabaseView | undefined {
  return views.find(({ id }) => id === shown) ?? views.find(({ id }) => id === viewID) ?? views[0];
}

export function previousIn(list: readonly string[], id: string): string | undefined {
  const index = list.indexOf(id);
  return index < 0 ? undefined : (list[index - 1] ?? '');
}
