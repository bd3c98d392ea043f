import { blockById, closestBlock, editableOf, idOf, leafBlocks } from './blocks.ts';

/** The caret as block id and characters from the block's start, so that it survives a new DOM. */
export interface CaretPlace {
  id: string;
  offset: number;
  /** Which leaf of the document it was: the place to go when the block is gone. */
  index: number;
}

export function selectionRange(root: HTMLElement): Range | undefined {
  const selection = getSelection();
  if (!selection || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  return root.contains(range.startContainer) ? range : undefined;
}

export function selectRange(range: Range): void {
  const selection = getSelection();
  selection?.removeAllRanges();
  selection?.addRange(range);
}

export function setCaret(node: Node, offset: number): void {
  const range = document.createRange();
  range.setStart(node, offset);
  range.collapse(true);
  selectRange(range);
}

/** Characters between the start of the editable element and the caret. */
export function caretOffset(editable: HTMLElement, range: Range): number {
  const before = document.createRange();
  before.selectNodeContents(editable);
  before.setEnd(range.startContainer, range.startOffset);
  return before.toString().length;
}

/** Puts the caret `offset` characters into the element; -1 is its end. */
export function placeCaret(editable: HTMLElement, offset: number): void {
  const walker = document.createTreeWalker(editable, NodeFilter.SHOW_TEXT);
  let left = offset < 0 ? Number.POSITIVE_INFINITY : offset;
  let last: Text | undefined;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    last = node as Text;
    if (left <= last.data.length) {
      setCaret(last, left);
      return;
    }
    left -= last.data.length;
  }
  if (last) setCaret(last, last.data.length);
  else setCaret(editable, 0);
}

export function saveCaret(root: HTMLElement): CaretPlace | undefined {
  const range = selectionRange(root);
  const block = closestBlock(range?.startContainer ?? null);
  const editable = block && editableOf(block);
  if (!range || !block || !editable) return undefined;
  return { id: idOf(block), offset: caretOffset(editable, range), index: leafBlocks(root).indexOf(block) };
}

export function restoreCaret(root: HTMLElement, place: CaretPlace | undefined): void {
  if (!place) return;
  const leaves = leafBlocks(root);
  const same = blockById(root, place.id);
  const editable = editableOf(same ?? leaves[Math.min(place.index, leaves.length - 1)] ?? root);
  if (editable) placeCaret(editable, same ? place.offset : -1);
}

export function focusBlock(block: HTMLElement, toStart = true): Range | false {
  const editable = editableOf(block);
  if (!editable) return false;
  placeCaret(editable, toStart ? 0 : -1);
  return getSelection()?.getRangeAt(0) ?? false;
}
