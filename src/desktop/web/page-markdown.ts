import { Readability } from '@mozilla/readability';
import { parseHTML } from 'linkedom';
import TurndownService from 'turndown';
import type { ReadableText } from './page-messages.ts';
import { parsable, strippedText } from './stripped-text.ts';

/** Beyond these limits the libraries recurse or take quadratic time: the page is then read as plain text, without them. */
const MAX_DEPTH = 100;
const MAX_ELEMENTS = 150_000;
/** A detected article with fewer characters, or a smaller share of the page, is ignored. */
const MIN_ARTICLE_LENGTH = 250;
const MIN_ARTICLE_SHARE = 0.1;

const NOT_SHOWN = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'HEAD', 'SVG', 'IFRAME', 'OBJECT', 'CANVAS', 'TEXTAREA', 'SELECT']);
const NOT_CONTENT = 'script,style,noscript,template,svg,iframe,object,canvas,form,nav,footer,aside,[hidden],[aria-hidden="true"]';
const BLOCKS = /^(?:P|DIV|H[1-6]|LI|TR|UL|OL|TABLE|SECTION|ARTICLE|BLOCKQUOTE|PRE|BR|HR|DT|DD|HEADER|MAIN)$/u;

/** The main text of a page as Markdown, with absolute links. */
export function pageMarkdown(page: string, url: URL): ReadableText {
  const html = parsable(page);
  if (html === undefined) return { title: '', markdown: strippedText(page) };
  const { document } = parseHTML(/<html[\s>]/iu.test(html.slice(0, 5000)) ? html : `<html><body>${html}</body></html>`);
  const title = oneLine(document.title);
  if (isBeyondText(document.documentElement)) return { title, markdown: plainText(document.documentElement) };
  const whole = document.body.cloneNode(true);
  if (isElement(whole)) for (const each of whole.querySelectorAll(NOT_CONTENT)) each.remove();
  const article = readArticle(document);
  const turndown = createTurndown(baseOf(document, url));
  const enough = Math.max(MIN_ARTICLE_LENGTH, (whole.textContent ?? '').length * MIN_ARTICLE_SHARE);
  if (article && article.size >= enough) return { title: article.title || title, markdown: turndown.turndown(article.content).trim() };
  return { title: article?.title || title, markdown: turndown.turndown(whole as TurndownService.Node).trim() };
}

const oneLine = (text: string | null | undefined): string => (text ?? '').replaceAll(/\s+/gu, ' ').trim().slice(0, 300);

const isElement = (node: Node): node is Element => node.nodeType === 1;

function readArticle(document: Document) {
  try {
    const found = new Readability(document, { serializer: (node) => node as unknown as HTMLElement }).parse();
    if (!found?.content) return undefined;
    return { title: oneLine(found.title), content: found.content, size: found.textContent?.trim().length ?? 0 };
  } catch {
    // A page that it cannot parse is read as it is.
    return undefined;
  }
}

function baseOf(document: Document, url: URL): URL {
  const named = document.querySelector('base')?.getAttribute('href');
  return absolute(named, url) ?? url;
}

function absolute(href: string | null | undefined, base: URL): URL | undefined {
  try {
    const url = new URL(href ?? '', base);
    return href && /^https?:$/u.test(url.protocol) ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Without recursion: deep nesting would exhaust the stack. */
function isBeyondText(root: Element): boolean {
  const waiting: { readonly element: Element; readonly depth: number }[] = [{ element: root, depth: 1 }];
  let count = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (++count > MAX_ELEMENTS || next.depth > MAX_DEPTH) return true;
    for (let child = next.element.firstElementChild; child; child = child.nextElementSibling)
      waiting.push({ element: child, depth: next.depth + 1 });
  }
  return false;
}

function plainText(root: Element): string {
  const parts: string[] = [];
  const waiting: Node[] = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.nodeType === 3) parts.push((node.nodeValue ?? '').replaceAll(/\s+/gu, ' '));
    if (!isElement(node) || NOT_SHOWN.has(node.tagName)) continue;
    if (BLOCKS.test(node.tagName)) parts.push('\n');
    const children: Node[] = [];
    for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
    for (const child of children.reverse()) waiting.push(child);
  }
  return parts
    .join('')
    .replaceAll(/(?:(?<! ) +)?\n[ \n]*/gu, '\n')
    .trim();
}

/** A run of white space is read once, whatever is behind it. */
const onOneLine = (text: string): string => text.replaceAll(/(?<!\s)\s*\n\s*/gu, ' ');

function createTurndown(base: URL): TurndownService {
  const turndown = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', emDelimiter: '*' });
  turndown.remove(['script', 'style', 'noscript', 'iframe', 'object', 'canvas']);
  turndown.addRule('link', {
    filter: 'a',
    replacement(content, node) {
      const words = content.trim();
      const target = isElement(node) ? absolute(node.getAttribute('href'), base) : undefined;
      if (words === '' || !target || (isElement(node) && node.getAttribute('href')?.startsWith('#'))) return content;
      return `[${onOneLine(words)}](${target.href.replaceAll('(', '%28').replaceAll(')', '%29')})`;
    },
  });
  turndown.addRule('picture', {
    filter: 'img',
    replacement: (_content, node) => {
      const words = isElement(node) ? oneLine(node.getAttribute('alt')) : '';
      return words === '' ? '' : `[picture: ${words}]`;
    },
  });
  // Markdown signs in a text are harmless to readers, and names with underscores stay whole.
  turndown.escape = (text) => text;
  addTableRules(turndown);
  return turndown;
}

/** Tables as rows with a line under the first; one that contains another table is only layout. */
function addTableRules(turndown: TurndownService): void {
  const begun = new WeakSet<Node>();
  const layout = new WeakMap<Node, boolean>();
  const isLayout = (table: Element): boolean => {
    const known = layout.get(table) ?? (table.getAttribute('role') === 'presentation' || table.querySelector('table') !== null);
    layout.set(table, known);
    return known;
  };
  const tableOf = (node: Node): Element | null => (isElement(node) ? node.closest('table') : null);
  const inData = (node: Node): boolean => {
    const table = tableOf(node);
    return table !== null && !isLayout(table);
  };
  turndown.addRule('cell', {
    filter: (node) => /^T[DH]$/u.test(node.nodeName),
    replacement: (content, node) => (inData(node) ? `| ${onOneLine(content.trim().replaceAll('|', '\\|'))} ` : `\n\n${content.trim()}\n\n`),
  });
  turndown.addRule('row', {
    filter: 'tr',
    replacement(content, node) {
      const table = tableOf(node);
      if (!table || isLayout(table) || content.trim() === '') return content;
      const isFirst = !begun.has(table);
      begun.add(table);
      const cells = isElement(node) ? node.children.length : 1;
      return `\n${content.trim()} |${isFirst ? `\n|${' --- |'.repeat(cells)}` : ''}`;
    },
  });
  turndown.addRule('table', { filter: 'table', replacement: (content) => `\n\n${content.trim()}\n\n` });
}
