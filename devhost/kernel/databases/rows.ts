import type { Operation } from '../transactions/operation.ts';
import type { WorkingTrees } from '../transactions/working-trees.ts';
import { applyAttributes, plainAttributes } from '../tree/attributes.ts';
import { contentOf } from '../tree/content.ts';
import type { KernelNode } from '../tree/node.ts';
import { newId } from '../tree/time.ts';
import { type AttributeView, formatNumber, keyValuesOf, rowValues, type Value, type View, withoutEmpty } from './attribute-view.ts';

const BINDINGS = 'custom-avs';
/** A text that stands for a bound block in one database. */
const staticText = (viewId: string): string => `custom-sy-av-s-text-${viewId}`;

/** The text of a bound block as its database shows it: documents by their title. */
export function boundText(node: KernelNode, viewId: string): string {
  const { title = '', [staticText(viewId)]: fixed = '' } = plainAttributes(node);
  if (fixed !== '') return fixed;
  return node.Type === 'NodeDocument' ? title : contentOf(node);
}

function bind(node: KernelNode, viewId: string, isBound: boolean): void {
  const others = (plainAttributes(node)[BINDINGS] ?? '').split(',').filter((id) => id !== '' && id !== viewId);
  applyAttributes(node, { [BINDINGS]: (isBound ? [...others, viewId] : others).join(',') });
}

function placeRow(items: string[] | undefined, itemId: string, previousId: string): string[] {
  const list = [...(items ?? [])];
  const at = list.indexOf(previousId);
  if (previousId === '') list.unshift(itemId);
  else list.splice(at < 0 ? list.length : at + 1, 0, itemId);
  return list;
}

interface Source {
  readonly itemID?: string;
  readonly id?: string;
  readonly isDetached: boolean;
  readonly content?: string;
}

function insertRow(view: AttributeView, source: Source, previousId: string, trees: WorkingTrees): string | undefined {
  const node = source.isDetached ? undefined : trees.locate(source.id ?? '')?.node;
  if (!source.isDetached && !node) return 'block not found';
  const bound = node && rowValues(view).find(({ block }) => block?.id === node.ID);
  if (node) bind(node, view.id, true);
  if (bound) return undefined;
  const primary = view.keyValues.find(({ key }) => key.type === 'block');
  if (!primary) return 'primary key not found';
  const [itemId, now] = [source.itemID ?? newId(), Date.now()];
  const content = node ? boundText(node, view.id) : (source.content ?? '');
  const value: Value = {
    ...{ id: newId(), keyID: primary.key.id, blockID: itemId, type: 'block', createdAt: now, updatedAt: now },
    ...(source.isDetached ? { isDetached: true } : {}),
    block: { ...(node?.ID === undefined ? {} : { id: node.ID }), content, created: now, updated: now },
  };
  primary.values = [...(primary.values ?? []), value];
  for (const each of view.views) each.itemIds = placeRow(each.itemIds, itemId, previousId);
  return undefined;
}

/** Each behind `previousID`, so that the first stands first (the kernel goes from the last). */
function insertRows(view: AttributeView, { srcs, previousID }: Operation, trees: WorkingTrees): string | undefined {
  for (const source of [...((srcs as Source[] | null) ?? [])].reverse()) {
    const problem = insertRow(view, source, previousID, trees);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function removeRows(view: AttributeView, { srcIDs }: Operation, trees: WorkingTrees): void {
  const gone = new Set((srcIDs as string[] | null) ?? []);
  for (const { blockID, block } of rowValues(view)) {
    const node = gone.has(blockID) && block?.id ? trees.locate(block.id)?.node : undefined;
    if (node) bind(node, view.id, false);
  }
  for (const each of view.keyValues) {
    const left = (each.values ?? []).filter(({ blockID }) => !gone.has(blockID));
    if (left.length > 0) each.values = left;
    else delete each.values;
  }
  for (const each of view.views) {
    const left = (each.itemIds ?? []).filter((id) => !gone.has(id));
    if (left.length > 0) each.itemIds = left;
    else delete each.itemIds;
  }
}

function sortRow(shown: View, { id, previousID }: Operation): void {
  if (id === previousID || !shown.itemIds?.includes(id)) return;
  const rest = shown.itemIds.filter((each) => each !== id);
  rest.splice(rest.indexOf(previousID) + 1, 0, id);
  shown.itemIds = rest;
}

/** Options of other names are made; those that are there keep their color. */
function knowOptions(view: AttributeView, value: Value): void {
  const key = keyValuesOf(view, value.keyID)?.key;
  if (!key || !value.mSelect) return;
  for (const chosen of value.mSelect) {
    const known = key.options?.find(({ name }) => name === chosen.content);
    if (known) chosen.color = known.color;
    else key.options = [...(key.options ?? []), { name: chosen.content, color: chosen.color || '1', desc: '' }];
  }
}

/** The fields of an object within are set one by one, lists as a whole. */
function merge(value: Value, given: Readonly<Record<string, unknown>>): void {
  for (const [name, part] of Object.entries(given)) {
    const known = value[name];
    const isObject = part !== null && typeof part === 'object' && !Array.isArray(part);
    if (isObject && known && typeof known === 'object') Object.assign(known, part);
    else value[name] = part;
  }
}

const EMPTY: Readonly<Record<string, unknown>> = {
  number: { content: 0, isNotEmpty: false, format: '', formattedContent: '' },
  date: { content: 0, isNotEmpty: false, hasEndDate: false, isNotTime: false, content2: 0, isNotEmpty2: false, formattedContent: '' },
};

function updatePrimary(view: AttributeView, value: Value, before: Value['block'], trees: WorkingTrees): void {
  const [old, now] = [before?.id ?? '', value.block?.id ?? ''];
  if (value.isDetached) {
    const node = old === '' ? undefined : trees.locate(old)?.node;
    if (node) bind(node, view.id, false);
    if (value.block) delete value.block.id;
    return;
  }
  const node = trees.locate(now)?.node;
  if (node) bind(node, view.id, true);
  if (node && old === now) applyAttributes(node, { [staticText(view.id)]: value.block?.content ?? '' });
}

function updateCell(view: AttributeView, operation: Operation, trees: WorkingTrees): string | undefined {
  const [keyID, itemId] = [String(operation.keyID), String(operation.rowID)];
  const found = keyValuesOf(view, keyID);
  if (!found) return 'invalid memory address or nil pointer dereference';
  const { type } = found.key;
  const now = Date.now();
  let value = found.values?.find(({ blockID }) => blockID === itemId);
  if (!value) {
    const empty = EMPTY[type] === undefined ? {} : { [type]: structuredClone(EMPTY[type]) };
    value = { id: newId(), keyID, blockID: itemId, type, createdAt: now, updatedAt: now, ...empty };
    found.values = [...(found.values ?? []), value];
  }
  const before = value.block && { ...value.block };
  const given = structuredClone(operation.data as Record<string, unknown>);
  merge(value, given);
  value.updatedAt = now;
  if (type === 'number') formatNumber(value);
  if (type === 'date' && value.date?.isNotEmpty === false) Object.assign(value.date, { content: 0, formattedContent: '' });
  if (type === 'relation' && value.relation) {
    const ids = [...new Set(value.relation.blockIDs ?? [])];
    value.relation = { blockIDs: ids.length > 0 ? ids : null, contents: null };
  }
  if (type === 'select' || type === 'mSelect') knowOptions(view, value);
  if (type === 'block') updatePrimary(view, value, before, trees);
  withoutEmpty(value);
  return undefined;
}

/** As `changeColumns`. */
export function changeRows(view: AttributeView, shown: View, operation: Operation, trees: WorkingTrees): string | null | undefined {
  switch (operation.action) {
    case 'insertAttrViewBlock':
      return insertRows(view, operation, trees);
    case 'removeAttrViewBlock':
      return void removeRows(view, operation, trees);
    case 'sortAttrViewRow':
      return void sortRow(shown, operation);
    case 'updateAttrViewCell':
      return updateCell(view, operation, trees);
    default:
      return null;
  }
}
