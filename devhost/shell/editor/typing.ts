import { escapeHtml } from '../core/dom.ts';
import { cleanHtml, closestBlock, editableOf, headingHtml, idOf, paragraphHtml, typeOf } from './blocks.ts';
import { caretOffset, focusBlock, selectionRange, setCaret } from './caret.ts';
import { undoOrRedo } from './changes.ts';
import type { Slash } from './slash.ts';
import { backspaceAtStart, deleteAcross, insertAfter, replaceBlock, splitBlock } from './structure.ts';
import type { ProtyleState } from './types.ts';

/** Binds what the user does with the keyboard in the editor's text. */
export function bindTyping(protyle: ProtyleState, slash: Slash): void {
  const root = protyle.wysiwyg.element;
  let composing = false;
  root.addEventListener('compositionstart', () => {
    composing = true;
    rememberBlock(protyle);
  });
  root.addEventListener('compositionend', () => {
    composing = false;
    edited(protyle, slash);
  });
  root.addEventListener('beforeinput', (event) => {
    rememberBlock(protyle);
    const range = selectionRange(root);
    if (!range || protyle.disabled) return;
    // The browser must never join or split blocks by itself: their ids and attributes would be lost.
    if (spansBlocks(range) && event.cancelable) {
      event.preventDefault();
      deleteAcross(protyle, range);
      if (event.inputType === 'insertText' && event.data) insertPlain(protyle, event.data);
    }
  });
  root.addEventListener('input', () => {
    if (!composing) edited(protyle, slash);
  });
  root.addEventListener('keydown', (event) => onKey(protyle, slash, event));
  root.addEventListener('paste', (event) => {
    event.preventDefault();
    paste(protyle, event.clipboardData?.getData('text/plain') ?? '');
  });
  root.addEventListener('drop', (event) => event.preventDefault());
  root.addEventListener('blur', () => void protyle.changes.flush());
}

function spansBlocks(range: Range): boolean {
  return !range.collapsed && closestBlock(range.startContainer) !== closestBlock(range.endContainer);
}

function rememberBlock(protyle: ProtyleState): void {
  const block = closestBlock(selectionRange(protyle.wysiwyg.element)?.startContainer ?? null);
  if (block) protyle.wysiwyg.lastHTMLs[idOf(block)] ??= cleanHtml(block);
}

function edited(protyle: ProtyleState, slash: Slash): void {
  const range = selectionRange(protyle.wysiwyg.element);
  const block = closestBlock(range?.startContainer ?? null);
  if (!range || !block) return;
  protyle.toolbar.range = range;
  if (shortcut(protyle, block, range)) return;
  protyle.changes.touch(block);
  slash.update();
}

/** "# " at the start of a paragraph makes a heading. Other Markdown stays as it was typed. */
function shortcut(protyle: ProtyleState, block: HTMLElement, range: Range): boolean {
  const editable = editableOf(block);
  if (!editable || typeOf(block) !== 'NodeParagraph') return false;
  const offset = caretOffset(editable, range);
  const match = /^(#{1,6})[ \u00a0]$/.exec((editable.textContent ?? '').slice(0, offset));
  if (!match?.[1]) return false;
  const rest = document.createRange();
  rest.selectNodeContents(editable);
  rest.setStart(range.startContainer, range.startOffset);
  const holder = document.createElement('div');
  holder.append(rest.cloneContents());
  focusBlock(replaceBlock(protyle, block, headingHtml(match[1].length, holder.innerHTML, idOf(block))));
  return true;
}

function onKey(protyle: ProtyleState, slash: Slash, event: KeyboardEvent): void {
  if (event.isComposing || protyle.disabled) return;
  if (slash.onKey(event)) return;
  const range = selectionRange(protyle.wysiwyg.element);
  const block = closestBlock(range?.startContainer ?? null);
  if (!range || !block) return;
  const control = event.ctrlKey || event.metaKey;
  if (control && ['z', 'y'].includes(event.key.toLowerCase())) {
    event.preventDefault();
    const redo = event.shiftKey || event.key.toLowerCase() === 'y';
    void undoOrRedo(protyle, redo ? 'redo' : 'undo', () => protyle.getInstance().reload());
  } else if (event.key === 'Enter' && !control) {
    event.preventDefault();
    enter(protyle, block, range, event.shiftKey);
  } else if (event.key === 'Backspace' && !control) {
    backspace(protyle, block, range, event);
  } else if (event.key === 'Delete' && atEnd(block, range)) {
    event.preventDefault();
  } else if (event.key === 'Tab') {
    event.preventDefault();
    if (typeOf(block) === 'NodeCodeBlock') insertPlain(protyle, '  ');
  }
}

function enter(protyle: ProtyleState, block: HTMLElement, range: Range, soft: boolean): void {
  if (spansBlocks(range)) {
    deleteAcross(protyle, range);
    return;
  }
  if (typeOf(block) === 'NodeTable') document.execCommand('insertLineBreak');
  else if (soft || typeOf(block) === 'NodeCodeBlock') insertPlain(protyle, '\n');
  else splitBlock(protyle, block, range);
}

function backspace(protyle: ProtyleState, block: HTMLElement, range: Range, event: KeyboardEvent): void {
  if (spansBlocks(range)) {
    event.preventDefault();
    deleteAcross(protyle, range);
    return;
  }
  const editable = editableOf(block);
  if (!range.collapsed || !editable || typeOf(block) === 'NodeTable') return;
  const text = editable.textContent?.slice(0, caretOffset(editable, range)).replaceAll('\u200b', '') ?? '';
  if (text !== '') return;
  event.preventDefault();
  backspaceAtStart(protyle, block);
}

function atEnd(block: HTMLElement, range: Range): boolean {
  const editable = editableOf(block);
  return !!editable && range.collapsed && caretOffset(editable, range) === (editable.textContent ?? '').length;
}

/** Puts plain text at the caret as if it had been typed. */
function insertPlain(protyle: ProtyleState, value: string): void {
  const range = selectionRange(protyle.wysiwyg.element);
  const block = closestBlock(range?.startContainer ?? null);
  if (!range || !block) return;
  rememberBlock(protyle);
  range.deleteContents();
  // A single line break at the very end is not drawn: it needs a second one behind it.
  const needsTail = value === '\n' && atEnd(block, range) && !(editableOf(block)?.textContent ?? '').endsWith('\n');
  const node = document.createTextNode(needsTail ? '\n\n' : value);
  range.insertNode(node);
  setCaret(node, value.length);
  protyle.changes.touch(block);
}

/** Pasted text comes as plain lines: the first at the caret, each other one a paragraph; in code they stay lines. */
function paste(protyle: ProtyleState, value: string): void {
  const range = selectionRange(protyle.wysiwyg.element);
  let block = closestBlock(range?.startContainer ?? null);
  if (!value || !range || !block) return;
  if (spansBlocks(range)) deleteAcross(protyle, range);
  const isCode = typeOf(block) === 'NodeCodeBlock';
  const [first = '', ...others] = isCode ? [value] : value.split(/\r?\n/).filter((line) => line.trim() !== '');
  insertPlain(protyle, first);
  for (const line of others) block = insertAfter(protyle, block, paragraphHtml(escapeHtml(line)));
  if (others.length > 0) focusBlock(block, false);
}
