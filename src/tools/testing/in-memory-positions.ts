import { ToolError } from '../contract/errors.ts';
import type { PlanPosition } from '../contract/plans.ts';
import type { InsertPosition } from '../contract/ports.ts';
import {
  hashOf,
  parseMarkdown,
  plainText,
  type StoredBlock,
  type StoredItem,
  sectionOf,
  withItems,
  withItemsBelow,
} from './in-memory-markdown.ts';
import type { InMemoryStore, StoredDocument } from './in-memory-store.ts';

/** Where blocks go, said so that it can be found again when a plan is applied. */
export type StoredPosition =
  | { readonly at: 'start' | 'end' }
  | { readonly at: 'before' | 'after' | 'section-end'; readonly id: string }
  /** Among the items of a list: before an item, after it with those below it, or after all. */
  | { readonly at: 'items'; readonly list: string; readonly before?: string; readonly after?: string };

export function stale(): ToolError {
  return new ToolError('stale', 'something that this change refers to is no longer there', 'read it again and plan the change again');
}

/** The position as a plan shows it. */
export function shownPosition(document: StoredDocument, position: StoredPosition): PlanPosition {
  const path = [document.title];
  if (position.at === 'start' || position.at === 'end') return { path, at: position.at };
  const anchor = 'id' in position ? position.id : '';
  const id = 'list' in position ? position.list : anchor;
  const list = document.blocks.find((block) => block.id === id);
  const item = position.at === 'items' ? list?.items?.find((each) => each.id === (position.before ?? position.after)) : undefined;
  const words = plainText(item?.markdown ?? list?.markdown ?? '').split('\n', 1)[0] ?? '';
  const block = { type: item ? 'i' : (list?.type ?? ''), words };
  if (position.at !== 'items') return { path, at: position.at === 'section-end' ? 'end' : position.at, block };
  if (position.before !== undefined) return { path, at: 'before', block };
  return { path, at: position.after !== undefined ? 'after' : 'end', block };
}

function indexOf(blocks: readonly StoredBlock[], id: string): number {
  const index = blocks.findIndex((block) => block.id === id);
  if (index < 0) throw stale();
  return index;
}

function indexAt(blocks: readonly StoredBlock[], position: Exclude<StoredPosition, { at: 'items' }>): number {
  if (!('id' in position)) return position.at === 'start' ? 0 : blocks.length;
  const index = indexOf(blocks, position.id);
  if (position.at === 'before') return index;
  return position.at === 'after' ? index + 1 : index + 1 + sectionOf(blocks, index).length;
}

/** Puts blocks there; into a list go the items that they are made of. */
export function putAt(document: StoredDocument, position: StoredPosition, blocks: readonly StoredBlock[]): void {
  if (position.at === 'items') {
    putItems(document, position, blocks);
    return;
  }
  const index = indexAt(document.blocks, position);
  document.blocks = [...document.blocks.slice(0, index), ...blocks, ...document.blocks.slice(index)];
}

export function replaceBlock(document: StoredDocument, block: StoredBlock): void {
  document.blocks = document.blocks.map((each) => (each.id === block.id ? block : each));
}

function putItems(document: StoredDocument, position: Extract<StoredPosition, { at: 'items' }>, blocks: readonly StoredBlock[]): void {
  const list = document.blocks[indexOf(document.blocks, position.list)];
  const items = list?.items ?? [];
  const beside = items.find(({ id }) => id === (position.before ?? position.after));
  if (list === undefined || (beside === undefined && (position.before ?? position.after) !== undefined)) throw stale();
  const at =
    beside === undefined ? items.length : items.indexOf(beside) + (position.after === undefined ? 0 : withItemsBelow(items, beside).length);
  const fresh = blocks.map(({ id, markdown }) => ({ id, depth: beside?.depth ?? 0, markdown, hash: hashOf(markdown) }));
  replaceBlock(document, withItems(list, [...items.slice(0, at), ...fresh, ...items.slice(at)]));
}

/** Items as blocks to insert: a list gives its items, everything else becomes one. */
export function itemsOfText(store: InMemoryStore, markdown: string): readonly StoredBlock[] {
  const lists = store.parseGiven(markdown);
  const isLists = lists.every(({ type }) => type === 'l');
  const texts = isLists ? lists.flatMap(({ items = [] }) => items.map((item) => item.markdown)) : [markdown.trim()];
  return texts.map((text) => ({ id: store.newId(), type: 'i', subtype: lists[0]?.subtype ?? '', markdown: text }));
}

/** Where an insert goes that names a block and a position; undefined for what the in-memory notes cannot hold. */
export function positionFor(block: StoredBlock, item: StoredItem | undefined, position: InsertPosition): StoredPosition {
  const isEdge = position === 'before' || position === 'after';
  if (item !== undefined && isEdge) return { at: 'items', list: block.id, [position]: item.id };
  if (item !== undefined || (block.type === 'b' && !isEdge))
    throw new Error('the in-memory notes hold no blocks inside of items and quotes');
  if (block.type === 'l' && position === 'append') return { at: 'items', list: block.id };
  const first = block.items?.[0];
  if (block.type === 'l' && position === 'prepend' && first !== undefined) return { at: 'items', list: block.id, before: first.id };
  if (block.type === 'h' && position === 'append') return { at: 'section-end', id: block.id };
  return { at: position === 'before' ? 'before' : 'after', id: block.id };
}

/** What a plan says of the items that a list loses by new text; nothing where it loses none. */
export function removals(store: InMemoryStore, before: StoredBlock, markdown: string): { readonly removes?: number } {
  const removes = (before.items?.length ?? 0) - (relisted(store, before, markdown).items?.length ?? 0);
  return removes > 0 ? { removes } : {};
}

/** A list with new text, whose items keep their ids if their words are in both. */
export function relisted(store: InMemoryStore, before: StoredBlock, markdown: string): StoredBlock {
  const [parsed = { type: 'p', subtype: '', markdown }] = parseMarkdown(markdown);
  const left = [...(before.items ?? [])];
  const { items = [] } = store.itemsIn(parsed);
  const kept = items.map((item) => {
    const index = left.findIndex((each) => each.markdown === item.markdown);
    const [old] = index < 0 ? [] : left.splice(index, 1);
    return old === undefined ? item : { ...item, id: old.id };
  });
  return { id: before.id, ...parsed, items: parsed.type === 'l' ? kept : undefined };
}
