import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { isAsset } from '../../tools/safe-content/addresses.ts';
import { blockType, childBlocks, serializeBlock, withoutZwsp } from './block-dom.ts';
import type { MarkdownEngine } from './markdown-engine.ts';

// Renders block DOM as the plain HTML of Markdown, to preview a change; the caller still sanitises it.

/** Gives the Markdown of a block that has no HTML form: an embed, a database, HTML. */
type Engine = Pick<MarkdownEngine, 'toMarkdown'>;

const escaped = (text: string): string =>
  withoutZwsp(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

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

/** The address is in the title too, so that it can be seen even if the page must not follow it. */
function linkHtml(href: string, title: string | undefined, html: string): string {
  const block = /^siyuan:\/\/blocks\/(\d{14}-[0-9a-z]{7})$/.exec(href)?.[1];
  const outside = /^https?:/i.test(href) ? ' target="_blank" rel="noopener noreferrer nofollow"' : '';
  const opens = block ? ` data-block-id="${block}"` : outside;
  return `<a href="${escaped(href)}" title="${escaped(title ? `${href} “${title}”` : href)}"${opens}>${html}</a>`;
}

function markHtml(span: Element, marks: readonly string[]): string {
  const { 'data-content': formula = '', 'data-href': href = '', 'data-title': title, 'data-id': id = '' } = span.attribs;
  const memo = span.attribs['data-inline-memo-content'];
  if (marks.includes('img')) return span.children.map(imageHtml).join('');
  let html = marks.includes('inline-math') ? `<span class="mg-math">${escaped(formula)}</span>` : span.children.map(inlineHtml).join('');
  if (marks.includes('tag')) html = `<span class="mg-tag">${html}</span>`;
  if (marks.includes('a')) html = linkHtml(href, title, html);
  if (marks.includes('file-annotation-ref')) html = linkHtml(id, undefined, html);
  if (marks.includes('block-ref')) html = `<a data-block-id="${escaped(id)}" href="siyuan://blocks/${escaped(id)}">${html}</a>`;
  for (const [mark, tag] of MARKS) if (marks.includes(mark)) html = `<${tag}>${html}</${tag}>`;
  return marks.includes('inline-memo') && memo ? `${html}<small> (${escaped(memo)})</small>` : html;
}

/** An image with its title. Nothing is fetched from elsewhere for a preview, so a remote image becomes a link. */
function imageHtml(node: ChildNode): string {
  if (!isTag(node)) return '';
  if (node.name !== 'img') return node.children.map(imageHtml).join('');
  const { alt = '', src = '', 'data-src': source = src, title = '' } = node.attribs;
  if (!isAsset(source)) return linkHtml(source, title, escaped(alt || source));
  return `<img src="${escaped(source)}" alt="${escaped(alt)}">${title === '' ? '' : `<small> ${escaped(title)}</small>`}`;
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

function codeHtml(block: Element): string {
  const { 'data-subtype': drawn, 'data-content': content = '' } = block.attribs;
  const language = drawn ?? lineHtml(withClass(block, 'protyle-action__language'));
  const title = language === '' ? '' : ` title="${drawn === undefined ? language : escaped(language)}"`;
  return `<pre${title}>${drawn === undefined ? lineHtml(editable(block)) : escaped(content)}</pre>`;
}

function taskHtml(item: Element): string {
  const mark = item.attribs['data-subtype'] === 't' ? (item.attribs['data-task'] ?? ' ') : undefined;
  if (mark === undefined) return '';
  return /^[ xX]?$/.test(mark) ? `<input type="checkbox"${mark.trim() === '' ? '' : ' checked'}> ` : `[${escaped(mark)}] `;
}

function itemHtml(item: Element, engine: Engine): string {
  const inside = blocksHtml(childBlocks(item), engine);
  return `<li>${inside.replace(/^(<p>)?/, `$1${taskHtml(item).replaceAll('$', '$$$$')}`)}</li>`;
}

function listHtml(list: Element, items: readonly Element[], engine: Engine): string {
  const number = Number.parseInt(items[0]?.attribs['data-marker'] ?? '', 10);
  const isOrdered = list.attribs['data-subtype'] === 'o' && !Number.isNaN(number);
  const inside = items.map((item) => itemHtml(item, engine)).join('');
  return isOrdered ? `<ol start="${number}">${inside}</ol>` : `<ul>${inside}</ul>`;
}

/** The kind, and the title unless it only repeats the kind. */
function calloutHtml(block: Element, engine: Engine): string {
  const kind = block.attribs['data-subtype'] ?? '';
  const title = lineHtml(withClass(block, 'callout-title'));
  const words = title.toUpperCase() === kind.toUpperCase() && kind === kind.toUpperCase() ? '' : ` ${title}`;
  const icon = lineHtml(withClass(block, 'callout-icon'));
  return `<blockquote><p>${icon} <strong>${escaped(kind)}</strong>${words}</p>${blocksHtml(childBlocks(block), engine)}</blockquote>`;
}

/** A preview of a block. Parts without an HTML form are shown as Markdown. */
export function blockHtml(block: Element, engine: Engine): string {
  const inside = (): string => blocksHtml(childBlocks(block), engine);
  switch (blockType(block)) {
    case 'p':
      return `<p>${lineHtml(editable(block))}</p>`;
    case 'h': {
      const level = /^h([1-6])$/.exec(block.attribs['data-subtype'] ?? '')?.[1] ?? '1';
      return `<h${level}>${lineHtml(editable(block))}</h${level}>`;
    }
    case 'l':
      return listHtml(block, childBlocks(block), engine);
    case 'i':
      return listHtml(block, [block], engine);
    case 'b':
      return `<blockquote>${inside()}</blockquote>`;
    case 'callout':
      return calloutHtml(block, engine);
    case 's':
      return `<div class="mg-layout-${block.attribs['data-sb-layout'] === 'col' ? 'col' : 'row'}">${inside()}</div>`;
    case 't':
      return tableHtml(block);
    case 'c':
      return codeHtml(block);
    case 'm':
      return `<div class="mg-math-block">${escaped(block.attribs['data-content'] ?? '')}</div>`;
    case 'tb':
      return '<hr>';
    case 'query_embed':
      // The class distinguishes this from code: it shows text of other notes.
      return `<div class="mg-layout-embed"><pre>${escaped(engine.toMarkdown(serializeBlock(block)))}</pre></div>`;
    default:
      return `<pre>${escaped(engine.toMarkdown(serializeBlock(block)))}</pre>`;
  }
}

const blocksHtml = (blocks: readonly Element[], engine: Engine): string => blocks.map((block) => blockHtml(block, engine)).join('');
