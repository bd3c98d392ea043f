import type { Operation } from '../transactions/operation.ts';
import { type AttributeView, type Column, keyValuesOf, newColumn, newKey, type View } from './attribute-view.ts';

/** Takes `item` out of a list, if it is there, and puts it behind `previous`; in front, where that is not there. */
function placeBehind<T>(list: T[], item: T, isPrevious: (each: T) => boolean): void {
  const index = list.indexOf(item);
  if (index >= 0) list.splice(index, 1);
  list.splice(list.findIndex(isPrevious) + 1, 0, item);
}

function addColumn(view: AttributeView, { id, name, type, data, previousID }: Operation): void {
  view.keyValues.push({ key: { ...newKey(id, String(name), String(type)), icon: String(data ?? '') } });
  for (const { table } of view.views) {
    const at = table.columns.findIndex((column) => column.id === previousID);
    if (previousID === '') table.columns.unshift(newColumn(id));
    else table.columns.splice(at < 0 ? table.columns.length : at + 1, 0, newColumn(id));
  }
}

function renameColumn(view: AttributeView, { id, name, type }: Operation): string | undefined {
  const found = keyValuesOf(view, id);
  if (!found) return undefined;
  if ((found.key.type === 'block') !== (type === 'block')) return 'cannot change type of primary key field';
  Object.assign(found.key, { name: String(name).trim(), type });
  for (const value of found.values ?? []) value.type = String(type);
  return undefined;
}

function removeColumn(view: AttributeView, { id }: Operation): string | undefined {
  const found = keyValuesOf(view, id);
  if (!found) return 'key not found';
  if (found.key.type === 'block') return 'cannot remove primary key field';
  view.keyValues = view.keyValues.filter((each) => each !== found);
  for (const { table } of view.views) table.columns = table.columns.filter((column) => column.id !== id);
  return undefined;
}

function sortColumn(shown: View, { id, previousID }: Operation): void {
  const { columns } = shown.table;
  const column = columns.find((each) => each.id === id);
  if (column && id !== previousID) placeBehind(columns, column, (each) => each.id === previousID);
}

/** Names that are there keep their place and get the new look; others follow at the end. */
function setOptions(view: AttributeView, { id, data }: Operation): void {
  const key = keyValuesOf(view, id)?.key;
  const given = (data as { name: string; color: string; desc: string }[]).filter(({ name }) => name !== '');
  if (!key || given.length === 0) return;
  const known = key.options ?? [];
  const fresh = given.filter(({ name }) => !known.some((option) => option.name === name));
  for (const option of known)
    Object.assign(
      option,
      given.find(({ name }) => name === option.name),
    );
  const order = given.map(({ name }) => name);
  key.options = [...known, ...fresh];
  if (fresh.length === 0) key.options.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
}

/** Also out of every cell. */
function removeOption(view: AttributeView, { id, data }: Operation): void {
  const found = keyValuesOf(view, id);
  if (!found) return;
  found.key.options = (found.key.options ?? []).filter(({ name }) => name !== data);
  for (const value of found.values ?? []) {
    if (!value.mSelect) continue;
    value.mSelect = value.mSelect.filter(({ content }) => content !== data);
    if (value.mSelect.length === 0) delete value.mSelect;
  }
}

function setRelation(view: AttributeView, { id, keyID, isTwoWay, format }: Operation): void {
  const key = keyValuesOf(view, String(keyID))?.key;
  if (key) Object.assign(key, { relation: { avID: id, isTwoWay: isTwoWay === true, backKeyID: '' }, name: format });
}

function setRollup(view: AttributeView, { id, parentID, keyID, data }: Operation): void {
  const key = keyValuesOf(view, id)?.key;
  const operator = (data as { calc?: { operator?: string } } | null)?.calc?.operator ?? '';
  if (key) key.rollup = { relationKeyID: parentID, keyID: String(keyID), calc: { operator, result: null } };
}

const LOOKS: Readonly<Record<string, keyof Column>> = {
  setAttrViewColWidth: 'width',
  setAttrViewColAlign: 'align',
  setAttrViewColWrap: 'wrap',
  setAttrViewColHidden: 'hidden',
  setAttrViewColPin: 'pin',
};

const ON_KEY: Readonly<Record<string, (data: unknown, operation: Operation) => Readonly<Record<string, unknown>>>> = {
  updateAttrViewColNumberFormat: (_data, { format }) => ({ numberFormat: format }),
  updateAttrViewColTemplate: (data) => ({ template: data }),
  setAttrViewColIcon: (data) => ({ icon: data }),
  setAttrViewColDesc: (data) => ({ desc: data }),
};

/** Undefined where it was done, else why not; null for an action that is about no column. `shown`: the view of the database block. */
export function changeColumns(view: AttributeView, shown: View, operation: Operation): string | null | undefined {
  const { action, id, data } = operation;
  const look = LOOKS[action];
  const column = shown.table.columns.find((each) => each.id === id);
  if (look) {
    if (column) Object.assign(column, { [look]: data });
    return undefined;
  }
  const change = ON_KEY[action];
  if (change) {
    const key = keyValuesOf(view, id)?.key;
    const isTyped = action.startsWith('updateAttrViewCol');
    if (key && (!isTyped || operation.type === key.type)) Object.assign(key, change(data, operation));
    return undefined;
  }
  switch (action) {
    case 'addAttrViewCol':
      return void addColumn(view, operation);
    case 'updateAttrViewCol':
      return renameColumn(view, operation);
    case 'removeAttrViewCol':
      return removeColumn(view, operation);
    case 'sortAttrViewCol':
      return void sortColumn(shown, operation);
    case 'updateAttrViewColOptions':
      return void setOptions(view, operation);
    case 'removeAttrViewColOption':
      return void removeOption(view, operation);
    case 'updateAttrViewColRelation':
      return void setRelation(view, operation);
    case 'updateAttrViewColRollup':
      return void setRollup(view, operation);
    default:
      return null;
  }
}
