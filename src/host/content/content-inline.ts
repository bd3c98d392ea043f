import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { assetPath } from '../../tools/file-text/asset-path.ts';
import { isLocalImage, isSafeLink, isWebAddress } from '../../tools/safe-content/addresses.ts';
import { spacedFormula } from '../../tools/safe-content/formulas.ts';
import { holdsMarkup, holdsShownMarkup, plainLabel } from '../../tools/safe-content/normal-text.ts';
import { isBlockElement, setChildren, textOf, withoutZwsp } from '../blocks/block-dom.ts';
import { addressKey, attributeKey, imageKey, isExisting, linkKey } from './active-content.ts';
import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_CLASS,
  ALLOWED_MARKS,
  ALLOWED_TAGS,
  isPlainValue,
  isUnescaped,
  isUnescapedMark,
  LISTING_STYLE,
  marksOf,
} from './content-rules.ts';
import { signsOf } from './marked-text.ts';

export type NoticeCode =
  | 'attribute-dropped'
  | 'remote-image-linked'
  | 'link-neutralised'
  | 'unknown-reference'
  | 'front-matter-fenced'
  | 'shown-as-code';

export interface InlineContext {
  readonly known: ReadonlySet<string>;
  /** The note's existing content, by the keys of active-content.ts. */
  readonly existing: ReadonlySet<string>;
  readonly count: (code: NoticeCode) => void;
  /** Tells if the title of a callout is the same text after SiYuan has stored it. */
  readonly titleStays: (title: Element) => boolean;
  /** Throws for an element that no Markdown produces. */
  readonly refuseElement: (name: string) => never;
}

/** Replacements for values that cannot be kept, where the block needs one. */
const STAND_INS: Readonly<Record<string, (element: Element) => string | undefined>> = {
  'data-task': () => 'X',
  'data-subtype': (element) => (element.attribs['data-type'] === 'NodeCallout' ? 'NOTE' : undefined),
};

/** The colour of a text that the note already contains. */
const isExistingStyle = (element: Element, { existing }: InlineContext): boolean =>
  element.name === 'span' && existing.has(attributeKey('style', element.attribs.style ?? ''));

function filterAttributes(element: Element, context: InlineContext): void {
  const isListing = element.attribs.contenteditable === 'true' && element.attribs.style === LISTING_STYLE;
  for (const [name, value] of Object.entries(element.attribs)) {
    if (name === 'class') {
      element.attribs.class = value
        .split(/\s+/)
        .filter((token) => ALLOWED_CLASS.test(token))
        .join(' ');
    } else if (!isPlainValue(element.attribs, name)) {
      const stand = STAND_INS[name]?.(element);
      if (stand === undefined) delete element.attribs[name];
      else element.attribs[name] = stand;
    } else if (!ALLOWED_ATTRIBUTES.has(name) && !(name === 'style' && (isListing || isExistingStyle(element, context)))) {
      delete element.attribs[name];
      context.count('attribute-dropped');
    }
  }
  // The kernel writes these into its page unescaped.
  for (const name of ['alt', 'title', 'data-title', 'data-inline-memo-content']) {
    const value = element.attribs[name];
    if (value !== undefined && (holdsShownMarkup(value) || (name === 'alt' && value.includes('"'))))
      element.attribs[name] = plainLabel(value);
  }
}

function link(href: string, text: string): Element {
  return new Element('span', { 'data-type': 'a', 'data-href': href }, [new Text(text)]);
}

function filterImage(element: Element, context: InlineContext): ChildNode[] {
  const { existing, count } = context;
  const find = (node: ChildNode): Element | undefined => {
    if (!isTag(node)) return undefined;
    return node.name === 'img' ? node : node.children.map(find).find((found) => found !== undefined);
  };
  const image = find(element);
  const source = ownAddress(image?.attribs['data-src'] ?? image?.attribs.src ?? '', context);
  if (isLocalImage(source) || existing.has(imageKey(source))) {
    if (image) {
      Object.assign(image.attribs, { src: source, 'data-src': source });
      // If a mark encloses the picture, Lute writes its text a second time, next to it, and the kernel drops it.
      const { parent } = image;
      if (parent && isTag(parent))
        setChildren(
          parent,
          parent.children.filter((child) => !isTag(child) || !isPlainMark(child)),
        );
    }
    return [element];
  }
  count('remote-image-linked');
  const label = withoutZwsp(image?.attribs.alt ?? '').trim() || source;
  const address = source.startsWith('//') ? `https:${source}` : source;
  return isWebAddress(address) && isSafeLink(address) ? [link(address, label)] : [new Text(label)];
}

/** A file of the workspace under the name that it has there: SiYuan takes no percent signs away. As it is where the note has it so. */
function ownAddress(address: string, { existing }: Pick<InlineContext, 'existing'>): string {
  const path = address.replace(/^\.?\//, '');
  // Markdown has no other way to write a blank in an address.
  const blank = address.replaceAll('%20', ' ');
  if (blank !== address && existing.has(addressKey(blank))) return blank;
  if (existing.has(addressKey(address)) || !path.startsWith('assets/') || !/%[0-9a-f]{2}|^\.?\//i.test(address)) return address;
  try {
    const own = decodeURI(path).replaceAll('%28', '(').replaceAll('%29', ')');
    return assetPath(own) === undefined || /[<>"&]/.test(own) ? address : own;
  } catch {
    return address;
  }
}

/** Paths and addresses of other apps (`zotero://…`) stay if the note contains them, except those that run something in SiYuan. */
const PLAIN_PATH =
  /^(?:(?!(?:javascript|data|vbscript|file|blob|siyuan):)[a-z][a-z0-9+.-]*:\/\/|(?!\/\/))[\p{L}\p{M}\p{N} ./%#?=~@+,()_-]+$/iu;
const isExistingPath = (href: string, { existing }: InlineContext): boolean => PLAIN_PATH.test(href) && existing.has(linkKey(href));

/** Removes one mark from a span; a span without marks becomes its text. */
function dropMark(element: Element, mark: string, attributes: readonly string[]): ChildNode[] {
  const rest = marksOf(element.attribs['data-type']).filter((token) => token !== mark);
  for (const name of attributes) delete element.attribs[name];
  element.attribs['data-type'] = rest.join(' ');
  return rest.length > 0 ? [element] : element.children;
}

/** Marked text that SiYuan would read as HTML: the dangerous sign leaves the mark; links, tags and references win over formatting. */
function unmarkSigns(element: Element, marks: readonly string[]): ChildNode[] {
  const text = textOf(element);
  const places = isUnescaped(marks) ? signsOf(text) : [];
  if (places.length === 0) return [element];
  const others = marks.filter((mark) => !isUnescapedMark(mark));
  if (others.length > 0) {
    element.attribs['data-type'] = others.join(' ');
    return [element];
  }
  const nodes: ChildNode[] = [];
  let from = 0;
  const mark = (piece: string): void => {
    if (piece !== '') nodes.push(new Element('span', { ...element.attribs }, [new Text(piece)]));
  };
  for (const at of places) {
    mark(text.slice(from, at));
    nodes.push(new Text(text.charAt(at)));
    from = at + 1;
  }
  mark(text.slice(from));
  return nodes;
}

/** Lute splits a mark at each escape, and the kernel joins the pieces again. */
function mergeTextNodes(children: readonly ChildNode[]): ChildNode[] {
  const nodes: ChildNode[] = [];
  for (const child of children) {
    const last = nodes.at(-1);
    if (last && isPlainMark(last) && isPlainMark(child) && last.attribs['data-type'] === child.attribs['data-type']) {
      setChildren(last, [...last.children, ...child.children]);
    } else nodes.push(child);
  }
  return nodes;
}

const isPlainMark = (node: ChildNode): node is Element =>
  isTag(node) &&
  node.name === 'span' &&
  Object.keys(node.attribs).join() === 'data-type' &&
  marksOf(node.attribs['data-type']).every((mark) => isUnescapedMark(mark));

function filterMark(element: Element, context: InlineContext): ChildNode[] {
  const marks = marksOf(element.attribs['data-type']);
  let nodes: ChildNode[] = [element];
  for (const mark of marks) {
    const isColoured = mark === 'text' && element.attribs.style !== undefined;
    if (!ALLOWED_MARKS.has(mark) && !isColoured) nodes = dropMark(element, mark, []);
  }
  if (marks.includes('img')) return filterImage(element, context);
  if (marks.includes('inline-math')) mendFormula(element);
  const href = ownAddress(element.attribs['data-href'] ?? '', context);
  if (marks.includes('a')) element.attribs['data-href'] = href;
  if (marks.includes('a') && !isSafeLink(href) && !isExistingPath(href, context)) {
    context.count('link-neutralised');
    nodes = dropMark(element, 'a', ['data-href', 'data-title']);
  }
  if (marks.includes('block-ref') && !context.known.has(element.attribs['data-id'] ?? '')) {
    context.count('unknown-reference');
    nodes = dropMark(element, 'block-ref', ['data-id', 'data-subtype']);
  }
  // The name of a tag is shown in docks and menus, where only plain text is safe.
  if (marks.includes('tag') && holdsMarkup(textOf(element))) nodes = dropMark(element, 'tag', []);
  if (nodes.length !== 1 || nodes[0] !== element) return nodes;
  // A reference without text gets SiYuan's own short anchor: the kernel would show the id (docs/kernel.md#markdown-is-not-lossless).
  if (marks.includes('block-ref') && textOf(element) === element.attribs['data-id']) {
    element.attribs['data-subtype'] = 's';
    setChildren(element, [new Text('*')]);
  }
  return unmarkSigns(element, marksOf(element.attribs['data-type']));
}

/** An inline formula is stored decoded, a block formula as it is: the space makes both the same. */
function mendFormula(element: Element): void {
  const content = element.attribs['data-content'] ?? '';
  element.attribs['data-content'] = spacedFormula(content);
}

/** Signs that may be Markdown. `<`, `>` and character references are not among them, since titles may not contain them. */
const TITLE_SIGN = /[[\]{}`$\\!*_=~^#]/;

/** A formula in a title is written as its source. */
function titleWords(node: ChildNode): string {
  if (!isTag(node)) return textOf(node);
  const { 'data-content': formula } = node.attribs;
  return formula === undefined ? node.children.map(titleWords).join('') : `$${formula}$`;
}

/** A callout's title, stored as Markdown and parsed at each display: plain text with escaped signs, or without them. */
function filterTitle(element: Element, { titleStays }: InlineContext): ChildNode[] {
  const words = titleWords(element);
  const text = holdsShownMarkup(words) ? plainLabel(words) : words;
  const plain = [new Text(text)];
  const escaped = text
    .split(/([[\]{}`$\\!*_=~^#])/)
    .filter((piece) => piece !== '')
    .map((piece) => (TITLE_SIGN.test(piece) ? new Element('span', { 'data-type': 'backslash' }, [new Text(piece)]) : new Text(piece)));
  for (const children of [plain, escaped]) {
    setChildren(element, children);
    if (!/[<>‸]/.test(text) && titleStays(element)) return [element];
  }
  const stripped = text.replace(/[<>&[\]{}`$\\!*_=~^#‸]/g, ' ').replace(/\s+/g, ' ');
  setChildren(element, [new Text(stripped.trim())]);
  return [element];
}

/** A node as it may be written, or its replacement. */
export function filterNode(node: ChildNode, context: InlineContext): ChildNode[] {
  if (isText(node)) return [node];
  if (!isTag(node)) return [];
  // The note has it, and nothing of it is changed.
  if (isBlockElement(node) && isExisting(node, context.existing)) return [node];
  const classes = (node.attribs.class ?? '').split(' ');
  if (classes.includes('protyle-attr')) {
    // It shows the names and memos of attribute lists, which are removed from the block.
    return [new Element('div', { class: 'protyle-attr', contenteditable: 'false' }, [new Text('\u200b')])];
  }
  if (!ALLOWED_TAGS.has(node.name)) context.refuseElement(node.name);
  filterAttributes(node, context);
  if (classes.includes('callout-title')) return filterTitle(node, context);
  if (isBlockElement(node) && node.attribs['data-type'] === 'NodeMathBlock') mendFormula(node);
  if (node.name === 'img' && !isLocalImage(node.attribs.src ?? '') && !context.existing.has(imageKey(node.attribs.src ?? ''))) {
    context.count('remote-image-linked');
    return [new Text(node.attribs.alt ?? '')];
  }
  if (node.name === 'span' && node.attribs['data-type'] !== undefined) {
    const kept = filterMark(node, context);
    // The replacement of the span is filtered too; it contains no refused mark, so this ends.
    if (kept.length !== 1 || kept[0] !== node) return kept.flatMap((each) => filterNode(each, context));
  }
  setChildren(
    node,
    // A link without its address is a piece of the marks around it.
    mergeTextNodes(mergeTextNodes(node.children).flatMap((child) => filterNode(child, context))),
  );
  return [node];
}
