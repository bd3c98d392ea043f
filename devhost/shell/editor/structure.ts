import type { Operation } from '../core/types.ts';
import {
  cleanHtml,
  closestBlock,
  editableOf,
  elementOf,
  idOf,
  isEmptyBlock,
  leafBlocks,
  listItemHtml,
  paragraphHtml,
  placeOf,
  siblingBlock,
  typeOf,
} from './blocks.ts';
import { caretOffset, focusBlock, placeCaret } from './caret.ts';
import { removeBlock } from './push.ts';
import type { ProtyleState } from './types.ts';

/** Inserts a block after another and sends it. */
export function insertAfter(protyle: ProtyleState, previous: HTMLElement, html: string): HTMLElement {
  const block = elementOf(html);
  previous.after(block);
  const id = idOf(block);
  void protyle.changes.commit([{ action: 'insert', id, data: cleanHtml(block), previousID: idOf(previous) }], [{ action: 'delete', id }]);
  return block;
}

/** Puts the first block into a document that has none. */
export function insertFirst(protyle: ProtyleState, html: string): HTMLElement {
  const block = elementOf(html);
  protyle.wysiwyg.element.prepend(block);
  const id = idOf(block);
  void protyle.changes.commit(
    [{ action: 'insert', id, data: cleanHtml(block), parentID: protyle.block.rootID }],
    [{ action: 'delete', id }],
  );
  return block;
}

/** The operations that replace `before` (DOM text) by the block's present DOM. */
export function updateOperations(block: HTMLElement, before: string): [Operation, Operation] {
  const id = idOf(block);
  return [
    { action: 'update', id, data: cleanHtml(block) },
    { action: 'update', id, data: before },
  ];
}

/** Replaces a block by other DOM of the same id, e.g. a paragraph that becomes a heading. */
export function replaceBlock(protyle: ProtyleState, block: HTMLElement, html: string): HTMLElement {
  const before = cleanHtml(block);
  const fresh = elementOf(html);
  block.replaceWith(fresh);
  const [doOperation, undoOperation] = updateOperations(fresh, before);
  protyle.changes.forget(idOf(block));
  void protyle.changes.commit([doOperation], [undoOperation]);
  return fresh;
}

/** Deletes a block; its inverse puts it back at its place. */
export function deleteBlock(protyle: ProtyleState, block: HTMLElement): void {
  const id = idOf(block);
  const undo: Operation = { action: 'insert', id, data: cleanHtml(block), ...placeOf(block, protyle.block.rootID) };
  protyle.changes.forget(id);
  removeBlock(block);
  void protyle.changes.commit([{ action: 'delete', id }], [undo]);
}

/** Enter: the part behind the caret becomes a new paragraph or list item. */
export function splitBlock(protyle: ProtyleState, block: HTMLElement, range: Range): void {
  const editable = editableOf(block);
  if (!editable) return;
  const item = closestBlock(block.parentElement);
  const inItem = item && typeOf(item) === 'NodeListItem' && siblingBlock(block, 'previousElementSibling') === undefined;
  if (inItem && isEmptyBlock(block) && !siblingBlock(block, 'nextElementSibling')) {
    leaveList(protyle, item);
    return;
  }
  const before = protyle.wysiwyg.lastHTMLs[idOf(block)] ?? cleanHtml(block);
  const tail = document.createRange();
  tail.selectNodeContents(editable);
  tail.setStart(range.endContainer, range.endOffset);
  range.deleteContents();
  const holder = document.createElement('div');
  holder.append(tail.extractContents());
  const changed = holder.textContent !== '';
  const anchor = inItem ? item : block;
  const fresh = elementOf(
    inItem ? listItemHtml(holder.innerHTML, item.dataset.subtype ?? 'u', nextMarker(item)) : paragraphHtml(holder.innerHTML),
  );
  anchor.after(fresh);
  const id = idOf(fresh);
  const doOperations: Operation[] = [{ action: 'insert', id, data: cleanHtml(fresh), previousID: idOf(anchor) }];
  const undoOperations: Operation[] = [{ action: 'delete', id }];
  if (changed) {
    const [doUpdate, undoUpdate] = updateOperations(block, before);
    protyle.changes.forget(idOf(block));
    doOperations.unshift(doUpdate);
    undoOperations.push(undoUpdate);
  }
  void protyle.changes.commit(doOperations, undoOperations);
  focusBlock(fresh);
}

function nextMarker(item: HTMLElement): string {
  const marker = item.dataset.marker ?? '*';
  const number = Number.parseInt(marker, 10);
  return Number.isNaN(number) ? marker : `${number + 1}.`;
}

/** Enter in an empty last item: the item goes, a paragraph follows the list. In the middle it stays an item. */
function leaveList(protyle: ProtyleState, item: HTMLElement): void {
  const list = closestBlock(item.parentElement);
  if (!list || siblingBlock(item, 'nextElementSibling')) {
    const fresh = insertAfter(protyle, item, listItemHtml('', item.dataset.subtype ?? 'u', nextMarker(item)));
    focusBlock(fresh);
    return;
  }
  const paragraph = insertAfter(protyle, list, paragraphHtml(''));
  deleteBlock(protyle, item);
  focusBlock(paragraph);
}

/** Backspace at the start of a block. Returns false when the browser's own action is right. */
export function backspaceAtStart(protyle: ProtyleState, block: HTMLElement): void {
  const root = protyle.wysiwyg.element;
  const leaves = leafBlocks(root);
  const previous = leaves[leaves.indexOf(block) - 1];
  if (typeOf(block) === 'NodeHeading') {
    const editable = editableOf(block);
    focusBlock(replaceBlock(protyle, block, paragraphHtml(editable?.innerHTML ?? '', idOf(block))));
    return;
  }
  if (!previous || typeOf(block) !== 'NodeParagraph') return;
  const target = wholeItem(block);
  if (isEmptyBlock(block)) {
    deleteBlock(protyle, target);
    focusBlock(previous, false);
  } else if (/NodeParagraph|NodeHeading/.test(typeOf(previous))) {
    merge(protyle, previous, block, target);
  }
}

/** The list item when the block is its only child, else the block. */
function wholeItem(block: HTMLElement): HTMLElement {
  const item = closestBlock(block.parentElement);
  const alone = !siblingBlock(block, 'previousElementSibling') && !siblingBlock(block, 'nextElementSibling');
  return item && alone && typeOf(item) === 'NodeListItem' ? item : block;
}

function merge(protyle: ProtyleState, into: HTMLElement, block: HTMLElement, target: HTMLElement): void {
  const editable = editableOf(into);
  const source = editableOf(block);
  if (!editable || !source) return;
  const before = cleanHtml(into);
  const at = document.createRange();
  at.selectNodeContents(editable);
  at.collapse(false);
  const offset = caretOffset(editable, at);
  const undoInsert: Operation = { action: 'insert', id: idOf(target), data: cleanHtml(target), ...placeOf(target, protyle.block.rootID) };
  editable.append(...source.childNodes);
  protyle.changes.forget(idOf(block));
  removeBlock(target);
  const [doUpdate, undoUpdate] = updateOperations(into, before);
  void protyle.changes.commit([doUpdate, { action: 'delete', id: idOf(target) }], [undoInsert, undoUpdate]);
  placeCaret(editable, offset);
}

/** Deletes a selection that spans several blocks: the first keeps its head and gets the last one's tail. */
export function deleteAcross(protyle: ProtyleState, range: Range): void {
  const leaves = leafBlocks(protyle.wysiwyg.element);
  const first = closestBlock(range.startContainer);
  const last = closestBlock(range.endContainer);
  const editable = first && editableOf(first);
  const lastEditable = last && editableOf(last);
  if (!first || !last || !editable || !lastEditable) return;
  const between = leaves.slice(leaves.indexOf(first) + 1, leaves.indexOf(last) + 1);
  const before = cleanHtml(first);
  const head = document.createRange();
  head.selectNodeContents(editable);
  head.setStart(range.startContainer, range.startOffset);
  const tail = document.createRange();
  tail.selectNodeContents(lastEditable);
  tail.setStart(range.endContainer, range.endOffset);
  const rest = tail.extractContents();
  head.deleteContents();
  const offset = editable.textContent?.length ?? 0;
  editable.append(rest);
  const [doUpdate, undoUpdate] = updateOperations(first, before);
  const doOperations: Operation[] = [doUpdate];
  const undoOperations: Operation[] = [undoUpdate];
  for (const leaf of between) {
    const target = wholeItem(leaf);
    undoOperations.unshift({ action: 'insert', id: idOf(target), data: cleanHtml(target), ...placeOf(target, protyle.block.rootID) });
    doOperations.push({ action: 'delete', id: idOf(target) });
    protyle.changes.forget(idOf(leaf));
    removeBlock(target);
  }
  void protyle.changes.commit(doOperations, undoOperations);
  placeCaret(editable, offset);
}
