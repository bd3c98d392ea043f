import { newBlockId } from '../core/dom.ts';
import type { Operation } from '../core/types.ts';
import { blockById, cleanHtml, closestBlock, editableOf, elementOf, idOf, isEmptyBlock, paragraphHtml } from './blocks.ts';
import { focusBlock, selectionRange, selectRange, setCaret } from './caret.ts';
import { updateOperations } from './structure.ts';
import type { ProtyleState } from './types.ts';

/** Lute's caret mark (`Lute.Caret`): plugins insert it alone to remove "/query". */
const caretMark = '‸';

/**
 * `Protyle.insert`: replaces the selection by inline DOM, or by blocks behind the current block.
 * @param isBlock inserts as blocks even when the DOM holds none
 * @param useProtyleRange takes `protyle.toolbar.range` instead of the selection
 */
export function insertHtml(protyle: ProtyleState, html: string, isBlock = false, useProtyleRange = false): void {
  if (html === '') return;
  const chosen = useProtyleRange ? protyle.toolbar.range : (selectionRange(protyle.wysiwyg.element) ?? protyle.toolbar.range);
  const root = protyle.wysiwyg.element;
  const block = closestBlock(chosen.startContainer) ?? root.querySelector<HTMLElement>('[data-node-id]');
  if (!block) return;
  const range = root.contains(chosen.startContainer) ? chosen : endOf(block);
  const before = protyle.wysiwyg.lastHTMLs[idOf(block)] ?? cleanHtml(block);
  range.deleteContents();
  const template = document.createElement('template');
  template.innerHTML = html.replaceAll(caretMark, '<wbr>');
  const blocks = [...template.content.children].filter(
    (child): child is HTMLElement => child instanceof HTMLElement && child.hasAttribute('data-node-id'),
  );
  if (blocks.length > 0) insertBlocks(protyle, block, before, blocks);
  else if (isBlock) insertBlocks(protyle, block, before, [elementOf(paragraphHtml(template.innerHTML))]);
  else insertInline(protyle, block, before, range, template.content);
}

function endOf(block: HTMLElement): Range {
  focusBlock(block, false);
  return getSelection()?.getRangeAt(0) ?? document.createRange();
}

function insertInline(protyle: ProtyleState, block: HTMLElement, before: string, range: Range, content: DocumentFragment): void {
  const mark = content.querySelector('wbr') ?? content.appendChild(document.createElement('wbr'));
  range.insertNode(content);
  const caret = document.createRange();
  caret.setStartBefore(mark);
  caret.collapse(true);
  mark.remove();
  editableOf(block)?.normalize();
  selectRange(caret);
  protyle.toolbar.range = caret;
  const [doUpdate, undoUpdate] = updateOperations(block, before);
  protyle.changes.forget(idOf(block));
  void protyle.changes.commit([doUpdate], [undoUpdate]);
}

function insertBlocks(protyle: ProtyleState, block: HTMLElement, before: string, blocks: HTMLElement[]): void {
  const root = protyle.wysiwyg.element;
  const doOperations: Operation[] = [];
  const undoOperations: Operation[] = [];
  protyle.changes.forget(idOf(block));
  if (before !== cleanHtml(block)) {
    const [doUpdate, undoUpdate] = updateOperations(block, before);
    doOperations.push(doUpdate);
    undoOperations.unshift(undoUpdate);
  }
  let previous = block;
  for (const fresh of blocks) {
    for (const element of [fresh, ...fresh.querySelectorAll('[data-node-id]')]) {
      if (blockById(root, idOf(element))) element.setAttribute('data-node-id', newBlockId());
    }
    previous.after(fresh);
    doOperations.push({ action: 'insert', id: idOf(fresh), data: cleanHtml(fresh), previousID: idOf(previous) });
    undoOperations.unshift({ action: 'delete', id: idOf(fresh) });
    previous = fresh;
  }
  if (isEmptyBlock(block) && block.getAttribute('data-type') === 'NodeParagraph') {
    doOperations.push({ action: 'delete', id: idOf(block) });
    undoOperations.unshift({ action: 'insert', id: idOf(block), data: cleanHtml(block), nextID: idOf(blocks[0] ?? block) });
    block.remove();
  }
  void protyle.changes.commit(doOperations, undoOperations);
  const mark = previous.querySelector('wbr');
  const editable = editableOf(previous);
  if (mark?.parentNode) setCaret(mark.parentNode, [...mark.parentNode.childNodes].indexOf(mark));
  else if (editable) focusBlock(previous, false);
}
