import { type ChildNode, type Element, isTag, isText, Text } from 'domhandler';
import { decodeHTML } from 'entities/decode';
import { ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { type FormulaCheck, type Refusal, spacedFormula } from '../../tools/safe-content/formulas.ts';
import { normaliseText } from '../../tools/safe-content/normal-text.ts';
import {
  allBlocks,
  childBlocks,
  freshId,
  isBlockElement,
  isBlockId,
  parseBlocks,
  type Random,
  serializeBlock,
  setChildren,
  textOf,
  timestamp,
} from '../blocks/block-dom.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { type MarkdownPart, partsOf } from '../blocks/markdown-lines.ts';
import { freeSigns } from '../blocks/markdown-signs.ts';
import { codeOf, formulaKey, formulasIn, holdsLiveText, isExisting, refusalOf, refuseBlock } from './active-content.ts';
import { filterNode, type InlineContext, type NoticeCode } from './content-inline.ts';
import { marksOf } from './content-rules.ts';
import { keepText, TYPED } from './typed-text.ts';

/** Hides signs that Lute writes unescaped into its DOM behind private use characters, and restores them as text in the parsed DOM. */
interface LiteralText {
  readonly markdown: string;
  restore(node: ChildNode): void;
}

/** Bare tags that are Markdown themselves, and addresses in angle brackets. */
const MARKDOWN_TAG = /^<(?:\/?(?:u|kbd|sup|sub|b|strong|i|em|s|del|mark)>|br\s*\/?>|(?:https?:\/\/|mailto:)[^\s<>]*>)/i;
const REFERENCE = /&(?=#\d|#x[\da-f]|[a-z])/gi;
const IMAGE_LABEL = /!\[[^\]\n]*\]/g;

const INLINE_CODE = /(?<!`)(`+)(?!`)([\s\S]*?[^`])\1(?!`)/g;

/** Lute empties inline code of Markdown's bare tags. Undefined without such code, or if all replacement signs occur. */
function literalCode(markdown: string): LiteralText | undefined {
  const [less] = freeSigns(markdown, 1);
  if (less === undefined) return undefined;
  const hide = (code: string): string =>
    code.replace(/</g, (sign, at: number) => (MARKDOWN_TAG.test(code.slice(at, at + 2000)) ? less : sign));
  const shown = markdown.replace(INLINE_CODE, hide);
  return shown === markdown ? undefined : { markdown: shown, restore: restorer((text) => text.replaceAll(less, '<')) };
}

/** Restores texts and attributes in a node and its descendants; `verbatim` for literal text, as in code. */
function restorer(put: (text: string, verbatim: boolean) => string): LiteralText['restore'] {
  const restore = (node: ChildNode, verbatim: boolean): void => {
    if (isText(node)) node.data = put(node.data, verbatim);
    if (!isTag(node)) return;
    for (const [name, value] of Object.entries(node.attribs)) node.attribs[name] = put(value, name === 'data-content');
    const isCode = marksOf(node.attribs['data-type']).includes('code') || node.attribs['data-type'] === 'NodeCodeBlock';
    for (const child of node.children) restore(child, verbatim || isCode);
  };
  return (node) => restore(node, false);
}

/** `strict`: the bare tags of Markdown are text too. Undefined if the text contains all replacement signs itself. */
function literalText(markdown: string, strict: boolean): LiteralText | undefined {
  const [less, escaped, ampersand, quote] = freeSigns(markdown, 4);
  if (less === undefined || escaped === undefined || ampersand === undefined || quote === undefined) return undefined;
  const shown = markdown
    .replace(IMAGE_LABEL, (label) => label.replaceAll('"', quote))
    .replaceAll('\\<', escaped)
    .replace(INLINE_CODE, (code) => code.replaceAll('<', less))
    .replace(/</g, (sign, at: number, whole: string) => (!strict && MARKDOWN_TAG.test(whole.slice(at, at + 2000)) ? sign : less))
    .replace(REFERENCE, ampersand);
  const put = (text: string, verbatim: boolean): string => {
    const signs = text
      .replaceAll(less, '<')
      .replaceAll(quote, '"')
      .replaceAll(escaped, verbatim ? '\\<' : '<');
    if (verbatim) return signs.replaceAll(ampersand, '&');
    return signs.replace(new RegExp(`${ampersand}(#?\\w+;?)`, 'g'), (_, name: string) => decodeHTML(`&${name}`)).replaceAll(ampersand, '&');
  };
  return { markdown: shown, restore: restorer(put) };
}

export interface FilteredContent {
  readonly blocks: readonly string[];
  readonly notices: readonly { readonly code: NoticeCode; readonly count: number }[];
}

export interface ContentFilterDeps {
  readonly engine: MarkdownEngine;
  readonly clock: Clock;
  readonly random: Random;
  readonly checkFormula?: FormulaCheck;
}

export interface FilterRequest {
  readonly markdown: string;
  /** Those of the ids that exist and may be referred to; references to others become text. */
  readonly knownReferences: (ids: readonly string[]) => Promise<ReadonlySet<string>>;
  /** The note's existing content, by the keys of active-content.ts: an edit must not remove it. */
  readonly existing?: ReadonlySet<string>;
}

/** A longer text is a mistake, not a note. */
export const MAX_MARKDOWN_CHARS = 400_000;
/** Levels of nested blocks, two for a list: with 600, SiYuan was busy for minutes at each change of the note. */
const MAX_DEPTH = 64;
const EMPTY = /^[\s\u200b\ufeff]*$/;
const IAL_LINE = /^\s*\{:[^\n]*\}\s*$/;
/** Lute writes the name of a language into its DOM as it is. */
const PLAIN_LANGUAGE = /^[\p{L}\p{N}+#._{},:=/-]*$/u;

type Count = (code: NoticeCode) => void;

const isDeeper = (blocks: readonly Element[], most: number): boolean =>
  blocks.some((block) => most === 0 || isDeeper(childBlocks(block), most - 1));

function refuse(refusal: Refusal): never {
  throw new ToolError('unsafe_markdown', refusal.what, refusal.instead);
}

const refuseElement = (name: string): never => refuse({ what: `<${name}> cannot be written by tools`, instead: 'write plain Markdown' });

const titleIn = (element: Element): Element | undefined =>
  (element.attribs.class ?? '').split(' ').includes('callout-title')
    ? element
    : element.children
        .filter(isTag)
        .map(titleIn)
        .find((found) => found !== undefined);

/** Tells if a title is parsed as the same words after it was stored with a callout. */
function staysAsTitle(engine: MarkdownEngine, title: Element): boolean {
  const id = 'data-node-id="20000101000000-0000000"';
  const body = `<div ${id} data-type="NodeParagraph" class="p"><div contenteditable="true"></div></div>`;
  const info = `<div class="callout-info"><span class="callout-icon"></span>${serializeBlock(title)}</div>`;
  const callout = `<div ${id} data-type="NodeCallout" data-subtype="x" class="callout">${info}<div class="callout-content">${body}</div></div>`;
  const [stored] = parseBlocks(engine.stored(callout));
  const found = stored ? titleIn(stored) : undefined;
  const isWord = (child: ChildNode): boolean => isText(child) || (isTag(child) && child.attribs['data-type'] === 'backslash');
  return found?.children.every(isWord) === true && textOf(found) === textOf(title);
}

/** A callout kind that may not be in SiYuan's page (content-rules.ts) is moved into the title. */
const UNSAFE_KIND = /^((?:[ \t]*>)+[ \t]*)\[!([^\]\n]*["<>&][^\]\n]*|[^\]\n]{81,})\]/gm;

/** Obsidian's sign for a folded or unfolded callout, before its title. */
const FOLD_SIGN = /^((?:[ \t]*>)+[ \t]*\[![^\]\n]*\])[-+](?=[ \t]|$)/gm;

const withPlainCallouts = ({ text, verbatim }: MarkdownPart): string =>
  verbatim ? text : text.replace(FOLD_SIGN, '$1').replace(UNSAFE_KIND, '$1[!NOTE] $2');

/** An address in angle brackets, which SiYuan reads only where nothing is beside it; code in backticks is none. */
const BRACKETED = /(?<!`)(`+)(?!`)[\s\S]*?[^`]\1(?!`)|\]\(<([^<>\n]*)>(?=\s*[)"'])/g;

const withPlainAddresses = ({ text, verbatim }: MarkdownPart): string =>
  verbatim
    ? text
    : text.replace(BRACKETED, (all, _ticks, address?: string) =>
        address === undefined
          ? all
          : `](${address.replace(/[ ()\\]/g, (sign) => `%${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase()}`)}`,
      );

/** Text that Lute would misread during parsing: attribute lists at the start swallow the first block, YAML becomes dividers. */
function prepareMarkdown(markdown: string, count: Count): string {
  let text = markdown
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .replaceAll('\u0000', '\ufffd')
    .replaceAll('‸', '');
  if (text.includes('[!'))
    text = partsOf(text, () => false)
      .map(withPlainCallouts)
      .join('\n');
  if (text.includes('](<'))
    text = partsOf(text, () => false)
      .map(withPlainAddresses)
      .join('\n');
  while (IAL_LINE.test(text.split('\n', 1)[0] ?? '')) {
    count('attribute-dropped');
    text = text.slice((text.split('\n', 1)[0] ?? '').length + 1);
  }
  const frontMatter = /^---\n((?:[\w-]+:.*\n|[ \t].*\n|- .*\n)+)---(?:\n|$)/.exec(text);
  if (frontMatter) {
    count('front-matter-fenced');
    text = `\`\`\`yaml\n${frontMatter[1] ?? ''}\`\`\`\n${text.slice(frontMatter[0].length)}`;
  }
  return text;
}

/** Code keeps its text if the name of its language cannot be kept. */
function plainLanguage(block: Element): void {
  const visit = (node: ChildNode): void => {
    if (!isTag(node)) return;
    const isName = (node.attribs.class ?? '').includes('protyle-action__language');
    if (isName && !PLAIN_LANGUAGE.test(codeOf(block).language)) setChildren(node, [new Text('')]);
    else node.children.forEach(visit);
  };
  visit(block);
}

/** Own content of another program's text: it is written as code. */
const SHOWN_AS_CODE = ['NodeHTMLBlock', 'NodeIFrame', 'NodeVideo', 'NodeAudio', 'NodeWidget', 'NodeBlockQueryEmbed'];

/** A block that may not be written, whose source is text all the same. */
const isShownAsCode = (block: Element): boolean =>
  SHOWN_AS_CODE.includes(block.attribs['data-type'] ?? '') && refuseBlock(block) !== undefined;

/** Throws for a block that would run, fetch or embed something. The `<` of formulas is checked later: it can be repaired. */
function checkBlock(block: Element): void {
  if (block.attribs['data-type'] === 'NodeMathBlock') return;
  if (block.attribs['data-type'] === 'NodeCodeBlock' && block.attribs['data-subtype'] === undefined) {
    const isPlain = PLAIN_LANGUAGE.test(codeOf(block).language);
    if (!isPlain) plainLanguage(block);
  }
  const refusal = refuseBlock(block);
  if (refusal) refuse(refusal);
}

function referencesIn(node: ChildNode): string[] {
  if (!isTag(node)) return [];
  const own = marksOf(node.attribs['data-type']).includes('block-ref') ? [node.attribs['data-id'] ?? ''] : [];
  return [...own, ...node.children.flatMap(referencesIn)];
}

/** Parses a text so that its literal signs stay where Lute puts them. */
function readBlocks(engine: MarkdownEngine, markdown: string): Element[] {
  const inCode = literalCode(markdown);
  const dom = engine.toDom(inCode?.markdown ?? markdown);
  const blocks = parseBlocks(dom);
  if (!holdsLiveText(dom)) {
    if (inCode) for (const block of blocks) inCode.restore(block);
    return blocks;
  }
  // What is never allowed is reported as such and not parsed as text.
  for (const block of blocks.flatMap(allBlocks)) if (!isShownAsCode(block)) checkBlock(block);
  for (const strict of [false, true]) {
    const literal = literalText(markdown, strict);
    const again = literal ? engine.toDom(literal.markdown) : dom;
    if (!literal || holdsLiveText(again)) continue;
    const read = parseBlocks(again);
    for (const block of read) literal.restore(block);
    return read;
  }
  return refuse({ what: 'SiYuan would read a part of this text as HTML', instead: 'put tags and quoted addresses into `code`' });
}

/** SiYuan refuses an empty super block, together with everything that is written with it. */
function withoutEmptySuperBlocks(blocks: readonly Element[]): Element[] {
  const isEmpty = (block: Element): boolean => {
    const within = childBlocks(block);
    const left = withoutEmptySuperBlocks(within);
    if (left.length < within.length)
      setChildren(
        block,
        block.children.filter((child) => !(isTag(child) && isBlockElement(child)) || left.some((each) => each === child)),
      );
    return block.attribs['data-type'] === 'NodeSuperBlock' && left.length === 0;
  };
  return blocks.filter((block) => !isEmpty(block));
}

export interface ContentFilter {
  /** Rejects with ToolError `empty_text`, `too_large` or `unsafe_markdown`; nothing is fetched or run. */
  filter(request: FilterRequest): Promise<FilteredContent>;
}

class CheckedContentFilter implements ContentFilter {
  private readonly deps: ContentFilterDeps;

  constructor(deps: ContentFilterDeps) {
    this.deps = deps;
  }

  async filter(request: FilterRequest): Promise<FilteredContent> {
    const counts = new Map<NoticeCode, number>();
    const count: Count = (code) => counts.set(code, (counts.get(code) ?? 0) + 1);
    const existing = request.existing ?? new Set<string>();
    const blocks = this.read(request.markdown, count).map((block) => this.shownAsCode(block, existing, count));
    for (const block of blocks.flatMap(allBlocks)) if (!isExisting(block, existing)) checkBlock(block);
    await this.checkFormulas(blocks, existing);
    const references = [...new Set(blocks.flatMap(referencesIn))].filter(isBlockId);
    const known = references.length > 0 ? await request.knownReferences(references) : new Set<string>();
    const titleStays = (title: Element): boolean => staysAsTitle(this.deps.engine, title);
    const context: InlineContext = { known, existing, count, titleStays, refuseElement };
    for (const block of blocks) this.own(block, context);
    for (const block of blocks) {
      if (!keepText(this.deps.engine, block, existing)) refuse(TYPED);
    }
    const written = blocks.filter(isBlockElement).map(serializeBlock);
    for (const dom of written) {
      const refusal = refusalOf(dom, existing);
      if (refusal) refuse(refusal);
    }
    return { blocks: written, notices: [...counts].map(([code, total]) => ({ code, count: total })) };
  }

  private read(markdown: string, count: Count): Element[] {
    if (EMPTY.test(markdown)) throw new ToolError('empty_text', 'there is no text to write', 'give the Markdown to write');
    if (markdown.length > MAX_MARKDOWN_CHARS) {
      throw new ToolError('too_large', `${markdown.length} characters are too many`, `write at most ${MAX_MARKDOWN_CHARS} at a time`);
    }
    const blocks = withoutEmptySuperBlocks(readBlocks(this.deps.engine, prepareMarkdown(markdown, count)));
    if (blocks.length === 0) throw new ToolError('empty_text', 'the Markdown produces no blocks', 'give text, not only attribute lists');
    if (isDeeper(blocks, MAX_DEPTH))
      throw new ToolError('too_large', `blocks are nested more than ${MAX_DEPTH} levels deep`, 'write fewer levels');
    return blocks;
  }

  private shownAsCode(block: Element, existing: ReadonlySet<string>, count: Count): Element {
    if (!isShownAsCode(block)) {
      for (const child of childBlocks(block)) {
        const shown = this.shownAsCode(child, existing, count);
        if (shown !== child)
          setChildren(
            block,
            block.children.map((each) => (each === child ? shown : each)),
          );
      }
      return block;
    }
    if (isExisting(block, existing)) return block;
    count('shown-as-code');
    const source = this.deps.engine.toMarkdown(serializeBlock(block)).trim();
    const fence = '`'.repeat(Math.max(3, ...[...source.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    const isEmbed = block.attribs['data-type'] === 'NodeBlockQueryEmbed';
    const [code] = parseBlocks(this.deps.engine.toDom(`${fence}${isEmbed ? '' : 'html'}\n${source}\n${fence}`));
    return code ?? refuse(refuseBlock(block) ?? TYPED);
  }

  private async checkFormulas(blocks: readonly Element[], existing: ReadonlySet<string>): Promise<void> {
    const { checkFormula } = this.deps;
    if (!checkFormula) return;
    for (const { content, display } of blocks.flatMap(formulasIn)) {
      if (existing.has(formulaKey(content))) continue;
      const tex = normaliseText(spacedFormula(content));
      const problem = await checkFormula(tex, display);
      if (problem !== null)
        refuse({ what: `SiYuan cannot render the formula ${tex}: ${problem}`, instead: 'correct the formula, or write it as `code`' });
    }
  }

  private own(block: Element, context: InlineContext): void {
    const { clock, random } = this.deps;
    const updated = timestamp(clock);
    filterNode(block, context);
    for (const each of allBlocks(block)) {
      each.attribs['data-node-id'] = freshId(clock, random);
      each.attribs.updated = updated;
      delete each.attribs['data-node-index'];
    }
  }
}

export function createContentFilter(deps: ContentFilterDeps): ContentFilter {
  return new CheckedContentFilter(deps);
}
