import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { ToolError } from '../../tools/contract/errors.ts';
import { isLocalImage, isSafeLink } from '../../tools/safe-content/addresses.ts';
import { refuseCode } from '../../tools/safe-content/diagrams.ts';
import { type Refusal, refuseFormula } from '../../tools/safe-content/formulas.ts';
import { holdsMarkup, holdsShownMarkup, normaliseText, withoutInvisible } from '../../tools/safe-content/normal-text.ts';
import { compareTexts } from '../../tools/util/plain-value.ts';
import { isRichTable } from '../blocks/beyond-markdown.ts';
import { textOf, withoutZwsp } from '../blocks/block-dom.ts';
import { parseSql } from '../sql/sql-parser.ts';
import { writeSql } from '../sql/sql-writer.ts';
import {
  ALLOWED_ATTRIBUTES,
  ALLOWED_BLOCKS,
  ALLOWED_CLASS,
  ALLOWED_MARKS,
  ALLOWED_TAGS,
  BLOCK_NAMES,
  isPlainValue,
  isUnescaped,
  LISTING_STYLE,
  marksOf,
} from './content-rules.ts';

/** A tag as Lute writes it: names, and values in double quotes. */
const TAG = /<(?:\/[a-z][a-z0-9-]*|[a-z][a-z0-9-]*(?:\s+[a-zA-Z][\w:.-]*(?:="[^"]*")?)*\s*\/?)>/y;
const HARMLESS = /<(?![a-zA-Z/!?])/y;
/** More pieces say nothing new. */
const MOST = 50;
const SNIPPET = 60;

/** Pieces of block DOM that Lute did not write as tags. Without any, every parser reads the DOM in the same way. */
function looseMarkup(dom: string): readonly string[] {
  const found: string[] = [];
  for (let at = dom.indexOf('<'); at >= 0 && found.length < MOST; ) {
    TAG.lastIndex = at;
    HARMLESS.lastIndex = at;
    const end = TAG.test(dom) ? TAG.lastIndex : at + 1;
    if (end === at + 1 && !HARMLESS.test(dom)) found.push(dom.slice(at, at + SNIPPET));
    at = dom.indexOf('<', end);
  }
  return found;
}

export interface Finding {
  /** Equal for the same finding, wherever it is and whatever ids it has. */
  readonly key: string;
  readonly refusal: Refusal;
}

/** Attributes that SiYuan adds to blocks, and that people set in its menus: words and numbers. */
const KEPT_NAMES = /^(?:custom-[a-z0-9-]+|fold|heading-fold|parent-heading|refcount|scroll|linewrap|linenumber|ligatures|breadcrumb)$/;
/** Shown by SiYuan in menus, docks and on hover. */
const SHOWN_NAMES: ReadonlySet<string> = new Set(['name', 'alias', 'memo', 'bookmark', 'title', 'aria-label', 'av-names', 'alt']);
const MORE_CLASSES = /^(?:popover__block|img__net|callout-img|protyle-attr.*)$/;
/** Attributes that differ in each copy of a block, or change by themselves. */
const OWN_ATTRIBUTES = /^(?:data-node-id|data-node-index|updated|refcount|parent-heading|custom-.*)$/;
const IDS = / (?:data-node-id|data-node-index|updated|refcount)="[^"]*"/g;

const plain = (what: string, instead = 'write plain Markdown'): Refusal => ({ what, instead });

const html = (what: string): Refusal =>
  plain(`${what} would be HTML in SiYuan`, 'put the tag into `code`, or leave a space after each < in it');

const REMOTE_IMAGE = plain('an image from elsewhere is fetched when it is shown', 'link to it: [text](address)');

const FOREIGN_LINK = plain('a link leads to an address that is not allowed', 'link to the web or to a block');

export const imageKey = (source: string, stored = source): string => `image ${source} ${stored}`;

export const linkKey = (address: string): string => `link ${address}`;

export const attributeKey = (name: string, value: string): string => `attribute ${name}=${value}`;

function refuseEmbed(content: string): Refusal | undefined {
  const query = normaliseText(content).trim();
  const instead = 'embed with {{SELECT * FROM blocks WHERE …}}, or cite blocks as ((id "anchor"))';
  if (!/^select\s/i.test(query) || query.includes(';') || query.includes('//!js'))
    return { what: 'an embed that is not one plain SELECT may run code', instead };
  try {
    // Runs each time the note is opened, and nothing stops it: it may do no more work than a statement of query_sql.
    writeSql(parseSql(query), 1, { hideDangling: false });
    return undefined;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { what: `the statement of the embed is not run: ${error.message}`, instead: error.next };
  }
}

/** Language and text of a code block; `drawn`: SiYuan shows it as a picture. */
export function codeOf(block: Element): { readonly language: string; readonly content: string; readonly drawn: boolean } {
  const subtype = block.attribs['data-subtype'];
  if (subtype !== undefined) return { language: subtype, content: block.attribs['data-content'] ?? '', drawn: true };
  let language = '';
  const visit = (node: ChildNode): void => {
    if (!isTag(node)) return;
    if ((node.attribs.class ?? '').includes('protyle-action__language')) language = withoutZwsp(textOf(node));
    node.children.forEach(visit);
  };
  visit(block);
  return { language, content: textOf(block), drawn: (block.attribs.class ?? '').split(' ').includes('render-node') };
}

/** The refusal of a block, by its kind and by its rendering; its inline content is checked separately. */
export function refuseBlock(block: Element): Refusal | undefined {
  const type = block.attribs['data-type'] ?? '';
  const content = block.attribs['data-content'] ?? '';
  if (!ALLOWED_BLOCKS.has(type)) {
    const what = `${BLOCK_NAMES[type] ?? 'a block of an unknown kind'} cannot be written by tools`;
    return plain(what, 'write plain Markdown, show HTML in a ```html fence, and `:::` or `;;;` as `code`');
  }
  if (isRichTable(block)) return plain('a table cell of several blocks cannot be written by tools', 'write one line of text in each cell');
  if (type === 'NodeMathBlock') return refuseFormula(content);
  if (type === 'NodeBlockQueryEmbed') return refuseEmbed(content);
  if (type !== 'NodeCodeBlock') return undefined;
  const code = codeOf(block);
  return refuseCode(code.language, code.content, code.drawn);
}

/** The kernel reads code from the editable part; without it (a tag in the language swallowed it), it rejects the whole write. */
const hasListing = (node: ChildNode): boolean => isTag(node) && (node.attribs.contenteditable === 'true' || node.children.some(hasListing));

/** True if the language of a code block, which SiYuan shows unescaped, became HTML. */
function languageTurned(block: Element): boolean {
  if (block.attribs['data-type'] !== 'NodeCodeBlock') return false;
  const { language, drawn } = codeOf(block);
  return holdsMarkup(language) || !(drawn || hasListing(block));
}

/** Equal for two copies of the same thing. */
function canonical(node: ChildNode): string {
  if (isText(node)) return JSON.stringify(withoutInvisible(node.data));
  if (!isTag(node)) return node.type;
  const attributes = Object.entries(node.attribs).filter(([name]) => !OWN_ATTRIBUTES.test(name));
  return JSON.stringify([node.name, attributes.sort(([one], [other]) => compareTexts(one, other)), node.children.map(canonical)]);
}

const blockKey = (block: Element): string => `block ${canonical(block)}`;

/** True if a block that may not be written is one that the note has. */
export const isExisting = (block: Element, existing: ReadonlySet<string>): boolean =>
  existing.size > 0 && refuseBlock(block) !== undefined && existing.has(blockKey(block));

/** The text of a mark and of the marks directly after it: the kernel joins marks of one kind. */
function joinedText(span: Element): string {
  let text = textOf(span);
  for (let next = span.next; next; next = next.next) {
    const isMark = isTag(next) && isUnescaped(marksOf(next.attribs['data-type']));
    if (!isMark && withoutInvisible(textOf(next)) !== '') break;
    if (isMark) text += textOf(next);
  }
  return text;
}

const isEmoji = ({ name, attribs }: Element): boolean => name === 'img' && /\b(?:emoji|callout-img)\b/.test(attribs.class ?? '');

type NodeKind = 'block' | 'mark' | 'image' | 'icon';

function kindWithin({ name }: Element, marks: readonly string[], inside: NodeKind): NodeKind {
  if (name === 'svg') return 'icon';
  if (inside === 'image' || marks.includes('img')) return 'image';
  return marks.length > 0 ? 'mark' : 'block';
}

class Judge {
  readonly findings: Finding[] = [];

  add(kind: string, value: string, refusal: Refusal): void {
    this.findings.push({ key: `${kind} ${value}`, refusal });
  }

  node(node: ChildNode, inside: NodeKind): void {
    if (isText(node)) return;
    if (isTag(node)) this.element(node, inside);
    else this.add('node', node.type, html('a comment'));
  }

  private element(node: Element, inside: NodeKind): void {
    const outer = (): string => canonical(node);
    const isForeign = inside === 'mark' ? node.name !== 'br' && !isEmoji(node) : !ALLOWED_TAGS.has(node.name);
    if (isForeign || (inside === 'icon' && node.name !== 'use')) {
      this.add('element', outer(), html(`<${node.name}>`));
      return;
    }
    this.attributes(node);
    const type = node.attribs['data-type'] ?? '';
    if (node.attribs['data-node-id'] !== undefined || type.startsWith('Node')) {
      const refusal = refuseBlock(node);
      if (refusal) {
        this.findings.push({ key: blockKey(node), refusal });
        return;
      }
      if (languageTurned(node)) {
        this.add('html', outer(), html('the language of this code'));
        return;
      }
    }
    if (node.name === 'img') this.image(node, inside);
    const marks = node.name === 'span' ? marksOf(type) : [];
    if (marks.length > 0) this.marks(node, marks);
    for (const child of node.children) this.node(child, kindWithin(node, marks, inside));
  }

  private image(image: Element, inside: NodeKind): void {
    const { src = '', 'data-src': stored = src } = image.attribs;
    if ((inside === 'image' || isEmoji(image)) && isLocalImage(src) && isLocalImage(stored)) return;
    this.findings.push({ key: imageKey(src, stored), refusal: REMOTE_IMAGE });
  }

  private marks(span: Element, marks: readonly string[]): void {
    const { 'data-href': href = '', 'data-title': title = '', 'data-inline-memo-content': memo = '' } = span.attribs;
    const text = isUnescaped(marks) ? joinedText(span) : textOf(span);
    for (const mark of marks) {
      // Coloured text is identified by its style.
      const words = mark === 'text' ? '' : text;
      if (!ALLOWED_MARKS.has(mark)) this.add('mark', `${mark} ${words}`, plain(`a mark of the kind ${mark} cannot be written by tools`));
    }
    if ((isUnescaped(marks) || marks.includes('tag')) && holdsMarkup(text)) this.add('text', normaliseText(text), html('the marked text'));
    if (marks.includes('inline-math')) {
      const refusal = refuseFormula(span.attribs['data-content'] ?? '');
      if (refusal) this.add('formula', span.attribs['data-content'] ?? '', refusal);
    }
    if (marks.includes('a') && !isSafeLink(href)) this.findings.push({ key: linkKey(href), refusal: FOREIGN_LINK });
    if (holdsShownMarkup(title)) this.add('title', title, html('the title of a link'));
    if (holdsShownMarkup(memo)) this.add('memo', memo, html('a memo'));
  }

  private attributes(element: Element): void {
    for (const [name, value] of Object.entries(element.attribs)) {
      const refusal = refuseAttribute(element, name, value);
      if (refusal) this.findings.push({ key: attributeKey(name, value), refusal });
    }
  }
}

function refuseAttribute(element: Element, name: string, value: string): Refusal | undefined {
  if (name === 'class') {
    const foreign = value.split(/\s+/).find((token) => token !== '' && !ALLOWED_CLASS.test(token) && !MORE_CLASSES.test(token));
    return foreign === undefined ? undefined : plain(`the class ${foreign} cannot be written by tools`);
  }
  if (name === 'style') {
    const isListing = element.attribs.contenteditable === 'true' && value === LISTING_STYLE;
    return isListing ? undefined : plain('a style cannot be written by tools');
  }
  if (SHOWN_NAMES.has(name)) return holdsShownMarkup(value) ? html(`the attribute ${name}`) : undefined;
  if (KEPT_NAMES.test(name)) return undefined;
  if (!ALLOWED_ATTRIBUTES.has(name)) return plain(`the attribute ${name} cannot be written by tools`);
  return !isPlainValue(element.attribs, name) ? plain(`the attribute ${name} has a value that is not allowed`) : undefined;
}

/** True if the text of a mark, a reference or a language is HTML in the DOM. */
export const holdsLiveText = (dom: string): boolean => judgeDom(dom).some(({ key }) => /^(?:html|element) /.test(key));

/** Finds everything in block DOM that SiYuan's page would run, fetch or show as HTML, by allow lists; before and after storing. */
export function judgeDom(dom: string): readonly Finding[] {
  const judge = new Judge();
  for (const piece of looseMarkup(dom)) judge.add('html', piece.replace(IDS, ''), html('a part of the text'));
  for (const node of parseDocument(dom).children) judge.node(node, 'block');
  return judge.findings;
}

export function formulasIn(node: ChildNode): { readonly content: string; readonly display: boolean }[] {
  if (!isTag(node)) return [];
  const display = node.attribs['data-type'] === 'NodeMathBlock';
  const isFormula = display || marksOf(node.attribs['data-type']).includes('inline-math');
  return [...(isFormula ? [{ content: node.attribs['data-content'] ?? '', display }] : []), ...node.children.flatMap(formulasIn)];
}

/** The key of an address in the note: it stays as it is spelled there. */
export const addressKey = (address: string): string => `address ${address}`;

const addressesIn = (node: ChildNode): readonly string[] =>
  isTag(node)
    ? [...['data-href', 'data-src', 'src'].flatMap((name) => node.attribs[name] ?? []), ...node.children.flatMap(addressesIn)]
    : [];

export const formulaKey = (content: string): string => `drawn ${normaliseText(content)}`;

/** Keys of the note's existing content, formulas included: it is the user's own, and stays. */
export const existingContent = (...doms: readonly string[]): ReadonlySet<string> =>
  new Set(
    doms.flatMap((dom) => [
      ...judgeDom(dom).map((finding) => finding.key),
      ...parseDocument(dom).children.flatMap((node) => [
        ...formulasIn(node).map(({ content }) => formulaKey(content)),
        ...addressesIn(node).map(addressKey),
      ]),
    ]),
  );

/** The first thing that may not be written, if any. */
export const refusalOf = (dom: string, existing: ReadonlySet<string>): Refusal | undefined =>
  judgeDom(dom).find((finding) => !existing.has(finding.key))?.refusal;
