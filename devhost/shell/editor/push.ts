import { escapeHtml } from '../core/dom.ts';
import type { Answer, Operation, Transaction } from '../core/types.ts';
import { blockById, closestBlock, elementOf, idOf } from './blocks.ts';
import { databaseRender, mathRender } from './drawing.ts';
import type { ProtyleState } from './types.ts';

/**
 * Applies the transactions of other sessions to an open editor. Blocks that are not touched keep their DOM and
 * so the caret; a touched block is replaced even while the caret is in it, as SiYuan does.
 * Returns false when the editor must be loaded again instead.
 */
export function applyTransactions(protyle: ProtyleState, answer: Answer): boolean {
  const transactions = Array.isArray(answer.data) ? (answer.data as Transaction[]) : [];
  let whole = true;
  for (const transaction of transactions) {
    for (const operation of transaction.doOperations ?? []) whole = applyOperation(protyle, operation) && whole;
  }
  mathRender(protyle.wysiwyg.element);
  void databaseRender(protyle.wysiwyg.element);
  return whole;
}

function applyOperation(protyle: ProtyleState, operation: Operation): boolean {
  const root = protyle.wysiwyg.element;
  const id = operation.id ?? '';
  const block = id ? blockById(root, id) : undefined;
  switch (operation.action) {
    case 'update':
      if (!block) return true;
      protyle.changes.forget(id);
      block.replaceWith(elementOf(String(operation.data)));
      return true;
    case 'insert':
      return insert(protyle, operation);
    case 'delete':
      protyle.changes.forget(id);
      if (block) removeBlock(block);
      return root.childElementCount > 0;
    case 'move':
      return move(protyle, operation, block);
    case 'updateAttrs':
      if (block) updateAttributes(block, operation.data as AttributeChange);
      return true;
    default:
      if (operation.action.includes('AttrView')) {
        redrawDatabase(root, String(operation.avID ?? id));
        return true;
      }
      // Folding is drawn by the kernel's DOM: whatever is not known is read again.
      return !block;
  }
}

interface AttributeChange {
  old?: Record<string, string>;
  new?: Record<string, string>;
}

function updateAttributes(block: HTMLElement, change: AttributeChange): void {
  for (const name of Object.keys(change.old ?? {})) if (name !== 'id') block.removeAttribute(name);
  for (const [name, value] of Object.entries(change.new ?? {})) if (name !== 'id') block.setAttribute(name, value);
  showAttributes(block, change.new ?? {});
}

/** What is over a block: its bookmark, name, alias and memo, and how often it is referred to. */
function showAttributes(block: HTMLElement, values: Record<string, string>): void {
  const place = block.querySelector<HTMLElement>(':scope > .protyle-attr');
  if (!place) return;
  const marks = (['bookmark', 'name', 'alias', 'memo'] as const).flatMap((name) => {
    const value = values[name];
    if (!value) return [];
    const icon = { bookmark: '', name: 'iconN', alias: 'iconA', memo: 'iconM' }[name];
    const drawn = icon && `<svg><use xlink:href="#${icon}"></use></svg>`;
    if (name !== 'memo') return [`<div class="protyle-attr--${name}">${drawn}${escapeHtml(value)}</div>`];
    return [`<div class="protyle-attr--memo ariaLabel" aria-label="${escapeHtml(value)}" data-position="north">${drawn}</div>`];
  });
  const count = place.querySelector('.protyle-attr--refcount')?.outerHTML ?? '';
  place.innerHTML = `${marks.join('')}${count}\u200b`;
}

function redrawDatabase(root: HTMLElement, databaseId: string): void {
  for (const database of root.querySelectorAll<HTMLElement>('.av[data-av-id]'))
    if (database.dataset.avId === databaseId) delete database.dataset.render;
}

function insert(protyle: ProtyleState, operation: Operation): boolean {
  const root = protyle.wysiwyg.element;
  const fresh = elementOf(String(operation.data));
  const known = blockById(root, idOf(fresh));
  if (known) {
    known.replaceWith(fresh);
    return true;
  }
  return place(protyle, operation, fresh);
}

function move(protyle: ProtyleState, operation: Operation, block: HTMLElement | undefined): boolean {
  const target = operation.previousID || operation.parentID || '';
  const here = target === protyle.block.rootID || !!blockById(protyle.wysiwyg.element, target);
  if (!block) return !here;
  if (here) return place(protyle, operation, block);
  removeBlock(block);
  return protyle.wysiwyg.element.childElementCount > 0;
}

/** Puts a block where an operation says; true also when the place is in another document. */
function place(protyle: ProtyleState, operation: Operation, block: HTMLElement): boolean {
  const root = protyle.wysiwyg.element;
  const next = operation.nextID && blockById(root, operation.nextID);
  const previous = operation.previousID && blockById(root, operation.previousID);
  if (next) next.before(block);
  else if (previous) previous.after(block);
  else if (operation.parentID === protyle.block.rootID) root.prepend(block);
  else {
    const parent = operation.parentID && blockById(root, operation.parentID);
    if (!parent) return true;
    const action = parent.querySelector(':scope > .protyle-action');
    if (action) action.after(block);
    else parent.prepend(block);
  }
  return true;
}

/** Removes a block; a list that loses its last item goes with it. */
export function removeBlock(block: HTMLElement): void {
  const parent = closestBlock(block.parentElement);
  block.remove();
  if (
    parent &&
    /NodeList$|NodeListItem|NodeBlockquote/.test(parent.getAttribute('data-type') ?? '') &&
    !parent.querySelector('[data-node-id]')
  )
    removeBlock(parent);
}
