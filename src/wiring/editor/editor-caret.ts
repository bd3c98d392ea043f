import type { IProtyle } from 'siyuan';
import type { placeFor } from './editor-place.ts';

const isInBlock = (node: Node): boolean => (node instanceof Element ? node : node.parentElement)?.closest('[data-node-id]') !== null;

/** Puts the caret where it was, or at the end of the block where an editor has drawn it anew since. */
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
 * Remembers the caret that a click on a card takes from the editor. The answer gives the focus back where the card still
 * has it, so that typing goes on where it was; nothing where nobody wrote before. Phones would open their keyboard for it.
 */
export function keepCaret(card: ReturnType<typeof placeFor>, protyle: IProtyle | undefined, blockId: string): () => void {
  const text = protyle?.wysiwyg?.element;
  const selected = (): Range | undefined => {
    const selection = document.getSelection();
    const range = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    return range && text?.contains(range.startContainer) ? range.cloneRange() : undefined;
  };
  // A menu or toolbar that opened the card took the focus; where the words are still selected, the writer was there.
  let caret = selected();
  const remember = (): void => {
    if (text?.contains(document.activeElement)) caret = selected() ?? caret;
  };
  // Before the click moves focus and selection; a key moves only the focus, and is asked about after it.
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
