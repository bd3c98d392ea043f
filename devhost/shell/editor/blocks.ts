import { escapeHtml, newBlockId, timestamp } from '../core/dom.ts';
import { undraw } from './drawing.ts';

const zeroWidth = '\u200b';

/** The innermost block that holds a node, inside one editor. */
export function closestBlock(node: Node | null): HTMLElement | undefined {
  const element = node instanceof Element ? node : node?.parentElement;
  return element?.closest<HTMLElement>('.protyle-wysiwyg [data-node-id]') ?? undefined;
}

export function blockById(root: HTMLElement, id: string): HTMLElement | undefined {
  return root.querySelector<HTMLElement>(`[data-node-id="${CSS.escape(id)}"]`) ?? undefined;
}

export function idOf(block: Element): string {
  return block.getAttribute('data-node-id') ?? '';
}

export function typeOf(block: Element): string {
  return block.getAttribute('data-type') ?? '';
}

/** The block's own editable element; containers have none of their own, then it is their first leaf's. */
export function editableOf(block: Element): HTMLElement | undefined {
  return block.querySelector<HTMLElement>('[contenteditable="true"]') ?? undefined;
}

export function isEmptyBlock(block: Element): boolean {
  const editable = editableOf(block);
  return (
    !!editable &&
    editable.textContent?.replaceAll(zeroWidth, '').trim() === '' &&
    !editable.querySelector('img, [data-type~="inline-math"]')
  );
}

/** All leaf blocks (those with an editable element of their own) in document order. */
export function leafBlocks(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>('[data-node-id]')].filter((block) => closestBlock(editableOf(block) ?? null) === block);
}

const attr = `<div class="protyle-attr" contenteditable="false">${zeroWidth}</div>`;

/** The DOM of a new paragraph in Lute's form. `html` is inline DOM. */
export function paragraphHtml(html: string, id = newBlockId()): string {
  return `<div data-node-id="${id}" data-type="NodeParagraph" class="p" updated="${timestamp()}"><div contenteditable="true" spellcheck="false">${html}</div>${attr}</div>`;
}

export function headingHtml(level: number, html: string, id: string): string {
  const kind = `h${level}`;
  return `<div data-subtype="${kind}" data-node-id="${id}" data-type="NodeHeading" class="${kind}" updated="${timestamp()}"><div contenteditable="true" spellcheck="false">${html}</div>${attr}</div>`;
}

export function codeHtml(text: string, id: string): string {
  return `<div data-node-id="${id}" data-type="NodeCodeBlock" class="code-block" updated="${timestamp()}"><div class="protyle-action"><span class="protyle-action--first protyle-action__language" contenteditable="false"></span><span class="fn__flex-1"></span><span class="b3-tooltips__nw b3-tooltips protyle-icon protyle-icon--only protyle-action__copy"><svg><use xlink:href="#iconCopy"></use></svg></span></div><div class="hljs"><div></div><div contenteditable="true" style="flex: 1" spellcheck="false">${escapeHtml(text)}</div></div>${attr}</div>`;
}

export function listItemHtml(html: string, subtype: string, marker: string): string {
  const action =
    subtype === 'o'
      ? `<div class="protyle-action protyle-action--order" contenteditable="false" draggable="true">${marker}</div>`
      : subtype === 't'
        ? '<div class="protyle-action protyle-action--task" draggable="true"><svg><use xlink:href="#iconUncheck"></use></svg></div>'
        : '<div class="protyle-action" draggable="true"><svg><use xlink:href="#iconDot"></use></svg></div>';
  return `<div data-marker="${marker}" data-subtype="${subtype}" data-node-id="${newBlockId()}" data-type="NodeListItem" class="li" updated="${timestamp()}">${action}${paragraphHtml(html)}${attr}</div>`;
}

/** A task list of one open task. */
export function taskListHtml(html: string, id: string): string {
  return `<div data-subtype="t" data-node-id="${id}" data-type="NodeList" class="list" updated="${timestamp()}">${listItemHtml(html, 't', '*')}${attr}</div>`;
}

export function elementOf(html: string): HTMLElement {
  const template = document.createElement('template');
  template.innerHTML = html.trim();
  const first = template.content.firstElementChild;
  if (!(first instanceof HTMLElement)) throw new Error('elementOf: the DOM text holds no element');
  return document.importNode(first, true);
}

/** The block's DOM as it goes to the kernel: without what the shell alone drew into it. */
export function cleanHtml(block: HTMLElement): string {
  const copy = block.cloneNode(true) as HTMLElement;
  for (const element of [copy, ...copy.querySelectorAll<HTMLElement>('.protyle-wysiwyg--hl, .protyle-wysiwyg--select')]) {
    element.classList.remove('protyle-wysiwyg--hl', 'protyle-wysiwyg--select');
  }
  for (const element of copy.querySelectorAll('wbr')) element.remove();
  undraw(copy);
  return copy.outerHTML;
}

/** The place of a block among its siblings, as an operation says it. */
export function placeOf(block: HTMLElement, rootId: string): { previousID?: string; parentID?: string } {
  const previous = siblingBlock(block, 'previousElementSibling');
  if (previous) return { previousID: idOf(previous) };
  const parent = closestBlock(block.parentElement);
  return { parentID: parent ? idOf(parent) : rootId };
}

export function siblingBlock(block: Element, direction: 'previousElementSibling' | 'nextElementSibling'): HTMLElement | undefined {
  const sibling = block[direction];
  return sibling instanceof HTMLElement && sibling.hasAttribute('data-node-id') ? sibling : undefined;
}
