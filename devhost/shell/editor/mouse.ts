import { followBlockLink } from '../core/block-link.ts';
import { emitAll } from '../core/state.ts';
import { cleanHtml, closestBlock, editableOf, paragraphHtml, typeOf } from './blocks.ts';
import { focusBlock, selectionRange } from './caret.ts';
import { openBlockMenu, openContentMenu } from './menus.ts';
import type { Slash } from './slash.ts';
import { insertAfter, insertFirst, updateOperations } from './structure.ts';
import type { ProtyleState } from './types.ts';

/** Binds clicks in the text: references and links, task boxes, the empty space below, the content menu. */
export function bindMouse(protyle: ProtyleState, slash: Slash): void {
  const root = protyle.wysiwyg.element;
  root.addEventListener('click', (event) => {
    emitAll('click-editorcontent', { protyle, event });
    slash.hide();
    const range = selectionRange(root);
    if (range) protyle.toolbar.range = range;
    const target = event.target as Element;
    const id = linkedBlock(target);
    if (id) {
      event.preventDefault();
      followBlockLink(id);
    } else if (target.closest('.protyle-action--task')) toggleTask(protyle, target);
    else if (target.closest('.protyle-action__copy')) void navigator.clipboard?.writeText(closestBlock(target)?.innerText.trim() ?? '');
    else openWebLink(target);
  });
  root.addEventListener('contextmenu', (event) => {
    const range = selectionRange(root);
    const block = closestBlock(event.target as Node);
    if (!block || !range) return;
    event.preventDefault();
    const action = (event.target as Element).closest('.protyle-action');
    if (action) openBlockMenu(protyle, block, { x: event.clientX, y: event.clientY });
    else openContentMenu(protyle, block, range, { x: event.clientX, y: event.clientY });
  });
  protyle.contentElement.addEventListener('click', (event) => {
    if (event.target === protyle.contentElement || event.target === root) writeBelow(protyle, event.clientY);
  });
  const keepRange = () => {
    const range = selectionRange(root);
    if (range) protyle.toolbar.range = range;
  };
  root.addEventListener('keyup', keepRange);
  root.addEventListener('mouseup', keepRange);
}

/** The block that a reference or a `siyuan://blocks/<id>` link points at. */
function linkedBlock(target: Element): string | undefined {
  const reference = target.closest('[data-type~="block-ref"]');
  if (reference) return reference.getAttribute('data-id') ?? undefined;
  const link = target.closest('[data-type~="a"][data-href], a[href]');
  const href = link?.getAttribute('data-href') ?? link?.getAttribute('href') ?? '';
  return /^siyuan:\/\/blocks\/(\d{14}-[0-9a-z]{7})/.exec(href)?.[1];
}

function openWebLink(target: Element): void {
  const href = target.closest('[data-type~="a"]')?.getAttribute('data-href') ?? '';
  if (/^https?:\/\//.test(href)) window.open(href, '_blank', 'noopener');
}

function toggleTask(protyle: ProtyleState, target: Element): void {
  const item = closestBlock(target);
  if (!item || typeOf(item) !== 'NodeListItem') return;
  const before = cleanHtml(item);
  const done = item.classList.toggle('protyle-task--done');
  item.querySelector('.protyle-action--task use')?.setAttribute('xlink:href', done ? '#iconCheck' : '#iconUncheck');
  item.setAttribute('data-task', done ? 'X' : ' ');
  const [doUpdate, undoUpdate] = updateOperations(item, before);
  void protyle.changes.commit([doUpdate], [undoUpdate]);
}

/** A click below the last block goes on writing there: in a new paragraph unless the last one is empty. */
function writeBelow(protyle: ProtyleState, y: number): void {
  const root = protyle.wysiwyg.element;
  const last = root.lastElementChild;
  if (protyle.disabled) return;
  if (!(last instanceof HTMLElement)) focusBlock(insertFirst(protyle, paragraphHtml('')));
  else if (y < last.getBoundingClientRect().bottom) return;
  else if (typeOf(last) === 'NodeParagraph' && editableOf(last)?.textContent === '') focusBlock(last);
  else focusBlock(insertAfter(protyle, last, paragraphHtml('')));
}
