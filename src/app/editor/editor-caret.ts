import type { IProtyle } from 'siyuan';

const isInBlock = (node: Node): boolean => (node instanceof Element ? node : node.parentElement)?.closest('[data-node-id]') !== null;

/** Puts the caret where it was, or at the end of the block if an editor has redrawn it since. */
function restore(text: HTMLElement, range: Range, blockId: string): void {
  const place = document.createRange();
  if (text.contains(range.startContainer) && isInBlock(range.startContainer)) {
    place.setStart(range.startContainer, range.startOffset);
    place.setEnd(range.endContainer, range.endOffset);
  } else {
    const editable = text.querySelector(`[data-node-id="${CSS.escape(blockId)}"] [contenteditable="true"]`);
    if (!editable) return;
    place.selectNodeContents(editable);
    place.collapse(false);
  }
  const selection = document.getSelection();
  selection?.removeAllRanges();
  selection?.addRange(place);
}

/**
 * Remembers the caret that a click on a card takes from the editor. The returned function restores the focus if the card still
 * has it, so that typing continues where it was; it does nothing if nobody wrote before. On phones that would open the keyboard.
 */
export function keepCaret(
  card: { readonly element: HTMLElement; readonly sheet: boolean },
  protyle: IProtyle | undefined,
  blockId: string,
): () => void {
  const text = protyle?.wysiwyg?.element;
  const selected = (): Range | undefined => {
    const selection = document.getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    return range && text?.contains(range.startContainer) ? range.cloneRange() : undefined;
  };
  // A menu or toolbar that opened the card took the focus; if the words are still selected, the writer was there.
  let caret = selected();
  const remember = (): void => {
    if (text?.contains(document.activeElement)) caret = selected() ?? caret;
  };
  // Before the click moves focus and selection; a key moves only the focus, and is handled after it.
  card.element.addEventListener('pointerdown', remember, true);
  card.element.addEventListener('focusin', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && text?.contains(relatedTarget)) caret = selected() ?? caret;
  });
  return () => {
    if (!text || !caret || card.sheet || !card.element.contains(document.activeElement)) return;
    text.focus({ preventScroll: true });
    restore(text, caret, blockId);
  };
}
