import { create, icon } from '../core/dom.ts';
import { text } from '../core/texts.ts';
import { blockById, closestBlock, idOf, typeOf } from './blocks.ts';
import { openBlockMenu } from './menus.ts';
import type { ProtyleState } from './types.ts';

const icons: Record<string, string> = {
  NodeParagraph: 'iconParagraph',
  NodeList: 'iconList',
  NodeListItem: 'iconDot',
  NodeBlockquote: 'iconQuote',
  NodeCodeBlock: 'iconCode',
  NodeTable: 'iconTable',
  NodeMathBlock: 'iconMath',
  NodeSuperBlock: 'iconSuper',
  NodeThematicBreak: 'iconLine',
};

function iconOfBlock(block: Element): string {
  if (typeOf(block) === 'NodeHeading') return `iconH${block.getAttribute('data-subtype')?.slice(1) ?? ''}`;
  return icons[typeOf(block)] ?? 'iconParagraph';
}

/** Shows the block icons beside the block under the pointer: the containers first, the block itself last. */
export function bindGutter(protyle: ProtyleState): void {
  const gutter = protyle.gutter.element;
  let shown = '';
  protyle.contentElement.addEventListener('mousemove', (event) => {
    if (gutter.contains(event.target as Node)) return;
    const block = closestBlock(event.target as Node) ?? blockAtHeight(protyle, event.clientY);
    if (!block) return;
    const id = idOf(block);
    if (id !== shown || gutter.classList.contains('fn__none')) render(protyle, block);
    shown = id;
  });
  protyle.element.addEventListener('mouseleave', () => {
    gutter.classList.add('fn__none');
    shown = '';
  });
  protyle.contentElement.addEventListener('scroll', () => gutter.classList.add('fn__none'));
  protyle.wysiwyg.element.addEventListener('input', () => gutter.classList.add('fn__none'));
}

function blockAtHeight(protyle: ProtyleState, y: number): HTMLElement | undefined {
  const box = protyle.wysiwyg.element.getBoundingClientRect();
  const padding = Number.parseFloat(getComputedStyle(protyle.wysiwyg.element).paddingLeft);
  return closestBlock(document.elementFromPoint(box.left + padding + 4, y));
}

function render(protyle: ProtyleState, block: HTMLElement): void {
  const gutter = protyle.gutter.element;
  const chain: HTMLElement[] = [];
  for (let node: HTMLElement | undefined = block; node && chain.length < 2; node = closestBlock(node.parentElement)) chain.unshift(node);
  gutter.replaceChildren(...chain.map((node) => button(protyle, node)));
  gutter.classList.remove('fn__none');
  const outer = chain[0] ?? block;
  const at = outer.getBoundingClientRect();
  const own = block.getBoundingClientRect();
  gutter.style.top = `${own.top + Math.min(6, own.height / 2 - 10)}px`;
  gutter.style.left = `${Math.max(protyle.element.getBoundingClientRect().left, at.left - gutter.getBoundingClientRect().width - 4)}px`;
}

function button(protyle: ProtyleState, block: HTMLElement): HTMLElement {
  const id = idOf(block);
  const element = create('button', 'ariaLabel', {
    type: 'button',
    'data-type': typeOf(block),
    'data-node-id': id,
    'aria-label': `${text('more')} (${typeOf(block).replace('Node', '')})`,
  });
  element.append(icon(iconOfBlock(block)));
  element.addEventListener('click', (event) => {
    event.stopPropagation();
    const target = blockById(protyle.wysiwyg.element, id);
    const at = element.getBoundingClientRect();
    if (target) openBlockMenu(protyle, target, { x: at.left, y: at.bottom, h: at.height });
  });
  return element;
}
