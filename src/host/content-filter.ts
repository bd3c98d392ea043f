import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { ToolError } from '../tools/errors.ts';
import type { Clock } from '../tools/ports.ts';
import {
  allBlocks,
  freshId,
  isBlockElement,
  isBlockId,
  parseBlocks,
  type Random,
  serializeBlock,
  timestamp,
  withoutZwsp,
} from './block-dom.ts';
import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_CLASS,
  ALLOWED_MARKS,
  ALLOWED_TAGS,
  isLocalImage,
  isSafeLink,
  type Refusal,
  refuseBlock,
  refuseCode,
  refuseEmbed,
  refuseMath,
} from './content-rules.ts';
import type { MarkdownEngine } from './markdown-engine.ts';

type NoticeCode = 'attribute-dropped' | 'remote-image-linked' | 'link-neutralised' | 'unknown-reference' | 'front-matter-fenced';

export interface FilteredContent {
  /** One serialised block an entry, each with ids of our own. */
  readonly blocks: readonly string[];
  readonly notices: readonly { readonly code: NoticeCode; readonly count: number }[];
}

export interface ContentFilterDeps {
  readonly engine: MarkdownEngine;
  readonly clock: Clock;
  readonly random: Random;
}

export interface FilterRequest {
  readonly markdown: string;
  /** Which of these block ids exist and may be named. Unknown ones become text. */
  readonly knownReferences: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** What the block that is edited shows already (image sources): an edit must not take them away. */
  readonly standing?: ReadonlySet<string>;
}

/** 1 MB of text is a mistake, not a note (TOOLS.md). */
export const MAX_MARKDOWN_CHARS = 400_000;
const EMPTY = /^[\s\u200b\ufeff]*$/;
const IAL_LINE = /^\s*\{:[^\n]*\}\s*$/;

type Count = (code: NoticeCode) => void;

function refuse(refusal: Refusal): never {
  throw new ToolError('unsafe_markdown', refusal.what, refusal.instead);
}

/**
 * Text that Lute would misread before there is any DOM: attribute lists at the start swallow the first block, YAML front matter becomes
 * rules and text (HOST.md).
 */
function prepareMarkdown(markdown: string, count: Count): string {
  let text = markdown
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u0000', '\ufffd')
    .replaceAll('‸', '');
  while (IAL_LINE.test(text.split('\n', 1)[0] ?? '')) {
    count('attribute-dropped');
    text = text.slice((text.split('\n', 1)[0] ?? '').length + 1);
  }
  const frontMatter = /^---\n((?:[\w-]+:.*\n|[ \t]+.*\n|- .*\n)+)---(?:\n|$)/.exec(text);
  if (frontMatter) {
    count('front-matter-fenced');
    text = `\`\`\`yaml\n${frontMatter[1] ?? ''}\`\`\`\n${text.slice(frontMatter[0].length)}`;
  }
  return text;
}

function filterAttributes(element: Element, count: Count): void {
  const fixedStyle = element.attribs.contenteditable === 'true' && element.attribs.style === 'flex: 1';
  for (const [name, value] of Object.entries(element.attribs)) {
    if (name === 'class') {
      const kept = value.split(/\s+/).filter((token) => ALLOWED_CLASS.test(token));
      element.attribs.class = kept.join(' ');
    } else if (name === 'xlink:href') {
      if (!/^#icon\w+$/.test(value)) delete element.attribs[name];
    } else if (!ALLOWED_ATTRIBUTES.has(name) && !(name === 'style' && fixedStyle)) {
      delete element.attribs[name];
      count('attribute-dropped');
    }
  }
}

function textOf(node: ChildNode): string {
  if (isText(node)) return node.data;
  return isTag(node) ? node.children.map(textOf).join('') : '';
}

function link(href: string, text: string): Element {
  return new Element('span', { 'data-type': 'a', 'data-href': href }, [new Text(text)]);
}

function filterImage(element: Element, standing: ReadonlySet<string>, count: Count): ChildNode[] {
  const find = (node: ChildNode): Element | undefined => {
    if (!isTag(node)) return undefined;
    return node.name === 'img' ? node : node.children.map(find).find((found) => found !== undefined);
  };
  const image = find(element);
  const source = image?.attribs['data-src'] ?? image?.attribs.src ?? '';
  if (isLocalImage(source) || standing.has(source)) {
    if (image) image.attribs.src = source;
    return [element];
  }
  count('remote-image-linked');
  const label = withoutZwsp(image?.attribs.alt ?? '').trim() || source;
  return isSafeLink(source) && /^(https?:)?\/\//i.test(source) ? [link(source, label)] : [new Text(label)];
}

interface InlineContext {
  readonly known: ReadonlySet<string>;
  readonly standing: ReadonlySet<string>;
  readonly count: Count;
}

/** Takes one mark off a span; a span without marks is its text. */
function dropMark(element: Element, mark: string, attributes: readonly string[]): ChildNode[] {
  const rest = (element.attribs['data-type'] ?? '').split(' ').filter((token) => token !== mark);
  for (const name of attributes) delete element.attribs[name];
  element.attribs['data-type'] = rest.join(' ');
  return rest.length > 0 ? [element] : element.children;
}

function filterMark(element: Element, context: InlineContext): ChildNode[] {
  const marks = (element.attribs['data-type'] ?? '').split(' ').filter((mark) => mark !== '');
  let nodes: ChildNode[] = [element];
  for (const mark of marks) {
    if (!ALLOWED_MARKS.has(mark)) nodes = dropMark(element, mark, []);
  }
  if (marks.includes('img')) return filterImage(element, context.standing, context.count);
  if (marks.includes('inline-math')) {
    const refusal = refuseMath(element.attribs['data-content'] ?? '');
    if (refusal) refuse(refusal);
  }
  if (marks.includes('a') && !isSafeLink(element.attribs['data-href'] ?? '')) {
    context.count('link-neutralised');
    nodes = dropMark(element, 'a', ['data-href', 'data-title']);
  }
  if (marks.includes('block-ref') && !context.known.has(element.attribs['data-id'] ?? '')) {
    context.count('unknown-reference');
    nodes = dropMark(element, 'block-ref', ['data-id', 'data-subtype']);
  }
  // A reference without words gets SiYuan's own short anchor: the kernel would show the id (HOST.md).
  if (marks.includes('block-ref') && textOf(element) === element.attribs['data-id']) {
    element.attribs['data-subtype'] = 's';
    setChildren(element, [new Text('*')]);
  }
  return nodes;
}

function filterNode(node: ChildNode, context: InlineContext): ChildNode[] {
  if (isText(node)) return [node];
  if (!isTag(node)) return [];
  if ((node.attribs.class ?? '').split(' ').includes('protyle-attr')) {
    // Shows the names and memos of attribute lists, which are dropped from the block.
    return [new Element('div', { class: 'protyle-attr', contenteditable: 'false' }, [new Text('\u200b')])];
  }
  if (!ALLOWED_TAGS.has(node.name)) refuse({ what: `<${node.name}> is not written by tools`, instead: 'write plain Markdown' });
  filterAttributes(node, context.count);
  if (node.name === 'img' && !isLocalImage(node.attribs.src ?? '') && !context.standing.has(node.attribs.src ?? '')) {
    context.count('remote-image-linked');
    return [new Text(node.attribs.alt ?? '')];
  }
  if (node.name === 'span' && node.attribs['data-type'] !== undefined) {
    const kept = filterMark(node, context);
    // What took the place of the span is filtered in its turn; it holds no mark that was refused, so this ends.
    if (kept.length !== 1 || kept[0] !== node) return kept.flatMap((each) => filterNode(each, context));
  }
  setChildren(
    node,
    node.children.flatMap((child) => filterNode(child, context)),
  );
  return [node];
}

function setChildren(element: Element, children: ChildNode[]): void {
  element.children = children;
  children.forEach((child, index) => {
    child.parent = element;
    child.prev = children[index - 1] ?? null;
    child.next = children[index + 1] ?? null;
  });
}

function codeOf(block: Element): { language: string; content: string } {
  const subtype = block.attribs['data-subtype'];
  if (subtype !== undefined) return { language: subtype, content: block.attribs['data-content'] ?? '' };
  let language = '';
  const visit = (node: ChildNode): void => {
    if (!isTag(node)) return;
    if ((node.attribs.class ?? '').includes('protyle-action__language')) language = withoutZwsp(textOf(node));
    node.children.forEach(visit);
  };
  visit(block);
  return { language, content: textOf(block) };
}

/** Throws for a block that would run, fetch or embed something. */
function checkBlock(block: Element): void {
  const type = block.attribs['data-type'] ?? '';
  const content = block.attribs['data-content'] ?? '';
  let refusal = refuseBlock(type);
  if (type === 'NodeCodeBlock') {
    const code = codeOf(block);
    refusal = refuseCode(code.language, code.content);
  } else if (type === 'NodeMathBlock') refusal = refuseMath(content);
  else if (type === 'NodeBlockQueryEmbed') refusal = refuseEmbed(content);
  if (refusal) refuse(refusal);
}

function referencesIn(node: ChildNode): string[] {
  if (!isTag(node)) return [];
  const own = (node.attribs['data-type'] ?? '').split(' ').includes('block-ref') ? [node.attribs['data-id'] ?? ''] : [];
  return [...own, ...node.children.flatMap(referencesIn)];
}

export interface ContentFilter {
  /** Rejects with ToolError `empty_text`, `too_large` or `unsafe_markdown`; nothing is fetched or run. */
  filter(request: FilterRequest): Promise<FilteredContent>;
}

export function createContentFilter(deps: ContentFilterDeps): ContentFilter {
  async function filter(request: FilterRequest): Promise<FilteredContent> {
    const counts = new Map<NoticeCode, number>();
    const count: Count = (code) => counts.set(code, (counts.get(code) ?? 0) + 1);
    if (EMPTY.test(request.markdown)) throw new ToolError('empty_text', 'there is no text to write', 'give the Markdown to write');
    if (request.markdown.length > MAX_MARKDOWN_CHARS) {
      throw new ToolError(
        'too_large',
        `${request.markdown.length} characters are too many`,
        `write at most ${MAX_MARKDOWN_CHARS} at a time`,
      );
    }
    const blocks = parseBlocks(deps.engine.toDom(prepareMarkdown(request.markdown, count)));
    if (blocks.length === 0) throw new ToolError('empty_text', 'the Markdown makes no block', 'give text, not only attribute lists');
    for (const block of blocks.flatMap(allBlocks)) checkBlock(block);
    const references = [...new Set(blocks.flatMap(referencesIn))].filter(isBlockId);
    const known = references.length > 0 ? await request.knownReferences(references) : new Set<string>();
    const context: InlineContext = { known, standing: request.standing ?? new Set(), count };
    const updated = timestamp(deps.clock);
    for (const block of blocks) {
      filterNode(block, context);
      for (const each of allBlocks(block)) {
        each.attribs['data-node-id'] = freshId(deps.clock, deps.random);
        each.attribs.updated = updated;
        delete each.attribs['data-node-index'];
      }
    }
    const notices = [...counts].map(([code, total]) => ({ code, count: total }));
    return { blocks: blocks.filter(isBlockElement).map(serializeBlock), notices };
  }
  return { filter };
}
