import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import type { Change } from '../../tools/contract/plans.ts';
import { blockType, childBlocks, parseBlocks, withoutZwsp } from './block-dom.ts';

// Block DOM as the plain HTML that Markdown has, for showing a change as it will look: no ids, scripts, styles or parts of SiYuan's
// page. Whoever shows it sanitises it all the same.

const escaped = (text: string): string =>
  withoutZwsp(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Tags of marks, in the order in which they stand in one another. */
const MARKS: readonly (readonly [mark: string, tag: string])[] = [
  ['strong', 'strong'],
  ['em', 'em'],
  ['s', 'del'],
  ['mark', 'mark'],
  ['u', 'u'],
  ['sup', 'sup'],
  ['sub', 'sub'],
  ['kbd', 'kbd'],
  ['code', 'code'],
];

function markHtml(span: Element, marks: readonly string[]): string {
  const { 'data-content': formula = '', 'data-href': href = '', 'data-title': title, 'data-id': id = '' } = span.attribs;
  if (marks.includes('img')) return span.children.map(imageHtml).join('');
  let html = marks.includes('inline-math') ? `<span class="mg-math">${escaped(formula)}</span>` : span.children.map(inlineHtml).join('');
  if (marks.includes('tag')) html = `<span class="mg-tag">${html}</span>`;
  if (marks.includes('a')) html = `<a href="${escaped(href)}"${title ? ` title="${escaped(title)}"` : ''}>${html}</a>`;
  if (marks.includes('block-ref')) html = `<a data-block-id="${escaped(id)}" href="siyuan://blocks/${escaped(id)}">${html}</a>`;
  for (const [mark, tag] of MARKS) if (marks.includes(mark)) html = `<${tag}>${html}</${tag}>`;
  return html;
}

function imageHtml(node: ChildNode): string {
  if (!isTag(node)) return '';
  const { alt = '', src = '' } = node.attribs;
  return node.name === 'img' ? `<img src="${escaped(src)}" alt="${escaped(alt)}">` : node.children.map(imageHtml).join('');
}

function inlineHtml(node: ChildNode): string {
  if (isText(node)) return escaped(node.data);
  if (!isTag(node)) return '';
  if (node.name === 'br') return '<br>';
  if (node.name === 'img') return escaped(node.attribs.alt ?? '');
  const marks = (node.attribs['data-type'] ?? '').split(' ');
  return node.name === 'span' ? markHtml(node, marks) : node.children.map(inlineHtml).join('');
}

const find = (element: Element, is: (each: Element) => boolean): Element | undefined =>
  element.children
    .filter(isTag)
    .map((each) => (is(each) ? each : find(each, is)))
    .find((found) => found !== undefined);
const withClass = (element: Element, name: string): Element | undefined =>
  find(element, (each) => (each.attribs.class ?? '').split(' ').includes(name));
const lineHtml = (element: Element | undefined): string => element?.children.map(inlineHtml).join('') ?? '';
const editable = (block: Element): Element | undefined => find(block, (each) => each.attribs.contenteditable === 'true');

function tableHtml(block: Element): string {
  const part = (node: ChildNode): string => {
    if (!isTag(node) || !/^(table|thead|tbody|tr|th|td)$/.test(node.name)) return '';
    const inside = /^t[hd]$/.test(node.name) ? lineHtml(node) : node.children.map(part).join('');
    return `<${node.name}>${inside}</${node.name}>`;
  };
  const table = find(block, (each) => each.name === 'table');
  return table ? part(table) : '';
}

function codeHtml(block: Element): string | undefined {
  const { 'data-subtype': drawn, 'data-content': content } = block.attribs;
  return `<pre>${drawn === undefined ? lineHtml(editable(block)) : escaped(content ?? '')}</pre>`;
}

/** The mark of a task as a box, or as it is. */
function taskHtml(item: Element): string {
  const mark = item.attribs['data-subtype'] === 't' ? (item.attribs['data-task'] ?? ' ') : undefined;
  if (mark === undefined) return '';
  return /^[ xX]?$/.test(mark) ? `<input type="checkbox"${mark.trim() === '' ? '' : ' checked'}> ` : `[${escaped(mark)}] `;
}

function itemHtml(item: Element): string | undefined {
  const inside = blocksHtml(childBlocks(item));
  return inside === undefined ? undefined : `<li>${inside.replace(/^(<p>)?/, `$1${taskHtml(item).replaceAll('$', '$$$$')}`)}</li>`;
}

function listHtml(list: Element, items: readonly Element[]): string | undefined {
  const number = Number.parseInt(items[0]?.attribs['data-marker'] ?? '', 10);
  const isOrdered = list.attribs['data-subtype'] === 'o' && !Number.isNaN(number);
  const inside = items.map(itemHtml);
  if (inside.includes(undefined)) return undefined;
  return isOrdered ? `<ol start="${number}">${inside.join('')}</ol>` : `<ul>${inside.join('')}</ul>`;
}

/** The kind, and the title unless it says no more than the kind does. */
function calloutHtml(block: Element): string | undefined {
  const kind = block.attribs['data-subtype'] ?? '';
  const title = lineHtml(withClass(block, 'callout-title'));
  const words = title.toUpperCase() === kind.toUpperCase() && kind === kind.toUpperCase() ? '' : ` ${title}`;
  const inside = blocksHtml(childBlocks(block));
  const icon = lineHtml(withClass(block, 'callout-icon'));
  return inside === undefined ? undefined : `<blockquote><p>${icon} <strong>${escaped(kind)}</strong>${words}</p>${inside}</blockquote>`;
}

function blockHtml(block: Element): string | undefined {
  const inside = (): string | undefined => blocksHtml(childBlocks(block));
  switch (blockType(block)) {
    case 'p':
      return `<p>${lineHtml(editable(block))}</p>`;
    case 'h': {
      const level = /^h([1-6])$/.exec(block.attribs['data-subtype'] ?? '')?.[1] ?? '1';
      return `<h${level}>${lineHtml(editable(block))}</h${level}>`;
    }
    case 'l':
      return listHtml(block, childBlocks(block));
    case 'i':
      return listHtml(block, [block]);
    case 'b': {
      const quoted = inside();
      return quoted === undefined ? undefined : `<blockquote>${quoted}</blockquote>`;
    }
    case 'callout':
      return calloutHtml(block);
    case 's':
      return inside();
    case 't':
      return tableHtml(block);
    case 'c':
      return codeHtml(block);
    case 'm':
      return `<div class="mg-math-block">${escaped(block.attribs['data-content'] ?? '')}</div>`;
    case 'tb':
      return '<hr>';
    default:
      return undefined;
  }
}

function blocksHtml(blocks: readonly Element[]): string | undefined {
  const parts = blocks.map(blockHtml);
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** Undefined where something in it has no such form: an embed, a database. */
const htmlOf = (dom: string): string | undefined => blocksHtml(parseBlocks(dom));

/** What an operation of a plan shows of a block; of both sides or of none. */
export function drawn(before: string | null, after: string): { readonly drawn?: Change<string> } {
  const [old, fresh] = [before === null ? null : htmlOf(before), htmlOf(after)];
  return old === undefined || fresh === undefined ? {} : { drawn: { before: old, after: fresh } };
}
