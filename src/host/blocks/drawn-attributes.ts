import { Element, isTag, Text } from 'domhandler';
import { allBlocks, blockId, parseBlocks, serializeBlock } from './block-dom.ts';

const element = (name: string, attribs: Record<string, string>, children: (Element | Text)[] = []): Element =>
  new Element(name, attribs, children);
const icon = (name: string): Element => element('svg', {}, [element('use', { 'xlink:href': `#${name}` })]);

/** SiYuan's marks above a block, in its order, as Lute renders them. */
function marksOf({ attribs }: Element, references: number): Element[] {
  const value = (name: string): string => (attribs[name] ?? '').replaceAll('_esc_newline_', '\n');
  const mark = (name: string, children: (Element | Text)[], more: Record<string, string> = {}, classes = ''): Element =>
    element('div', { class: `protyle-attr--${name}${classes}`, ...more }, children);
  const { bookmark, name, alias, memo } = Object.fromEntries(['bookmark', 'name', 'alias', 'memo'].map((each) => [each, value(each)]));
  return [
    ...(bookmark ? [mark('bookmark', [new Text(bookmark)])] : []),
    ...(name ? [mark('name', [icon('iconN'), new Text(name)])] : []),
    ...(alias ? [mark('alias', [icon('iconA'), new Text(alias)])] : []),
    ...(memo ? [mark('memo', [icon('iconM')], { 'aria-label': memo, 'data-position': '4north' }, ' ariaLabel')] : []),
    ...(references > 0 ? [mark('refcount', [new Text(String(references))], {}, ' popover__block')] : []),
  ];
}

/** Adds names, memos and counts as the editor shows them: the kernel pushes them unchanged (docs/kernel.md#writing-blocks). */
export function withDrawnAttributes(dom: string, references: ReadonlyMap<string, number>): string {
  let changed = false;
  const roots = parseBlocks(dom);
  for (const block of roots.flatMap(allBlocks)) {
    const place = block.children.findLast((child): child is Element => isTag(child) && child.attribs.class === 'protyle-attr');
    const marks = marksOf(block, references.get(blockId(block)) ?? 0);
    if (!place || marks.length === 0) continue;
    place.children = [...marks, new Text('\u200b')];
    changed = true;
  }
  return changed ? roots.map(serializeBlock).join('') : dom;
}
