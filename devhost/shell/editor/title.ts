import { create, icon } from '../core/dom.ts';
import { call } from '../core/http.ts';
import { text } from '../core/texts.ts';
import { focusBlock } from './caret.ts';
import { openTitleMenu } from './menus.ts';
import type { ProtyleState } from './types.ts';

export function createTitle(): ProtyleState['title'] {
  const iconElement = create(
    'span',
    'protyle-title__icon ariaLabel',
    { role: 'button', 'aria-label': text('documentMenu') },
    icon('iconFile'),
  );
  const editElement = create('div', 'protyle-title__input', {
    contenteditable: 'true',
    spellcheck: 'false',
    'data-tip': text('untitled'),
    role: 'textbox',
  });
  const attr = create('div', 'protyle-attr', { contenteditable: 'false' });
  const element = create('div', 'protyle-title', {}, iconElement, editElement, attr);
  const setTitle = (title: string) => {
    if (document.activeElement !== editElement) editElement.textContent = title;
  };
  return { element, editElement, setTitle };
}

/** The document's icon at the right of the breadcrumb; it opens the title menu as the title's own icon does. */
export function createDocumentIcon(): HTMLElement {
  return create(
    'button',
    'block__icon ariaLabel',
    { 'data-type': 'doc', 'aria-label': text('documentMenu'), type: 'button' },
    icon('iconFile'),
  );
}

/** Renames the document when the title is left or Enter is pressed; the icons open the title menu. */
export function bindTitle(protyle: ProtyleState): void {
  const { element, editElement } = protyle.title;
  let before = '';
  editElement.addEventListener('focus', () => {
    before = editElement.textContent ?? '';
  });
  editElement.addEventListener('blur', () => {
    const title = (editElement.textContent ?? '').trim();
    if (title !== before) void call('/api/filetree/renameDocByID', { id: protyle.block.rootID, title: title || text('untitled') });
  });
  editElement.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const first = protyle.wysiwyg.element.querySelector<HTMLElement>('[data-node-id]');
    if (first) focusBlock(first);
    editElement.blur();
  });
  const buttons = [element.querySelector('.protyle-title__icon'), ...protyle.element.querySelectorAll('.protyle-breadcrumb button')];
  for (const button of buttons) {
    button?.addEventListener('click', (event) => {
      event.stopPropagation();
      const at = button.getBoundingClientRect();
      void openTitleMenu(protyle, { x: at.left, y: at.bottom + 4, h: at.height, isLeft: at.left > innerWidth / 2 });
    });
  }
}
