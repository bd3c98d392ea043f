import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { ToolError } from '../../tools/contract/errors.ts';
import { isTooDense } from '../../tools/markdown/dense-text.ts';
import { PREFIX, withWholeRows } from '../../tools/markdown/table-rows.ts';
import { allBlocks, childBlocks, parseBlock, parseBlocks, serializeBlock, withoutZwsp } from './block-dom.ts';
import { hashOfContent } from './block-hash.ts';
import { eachLine, isSpan, namesOf, printLinkedCode, printMarks } from './inline-marks.ts';
import { partsOf } from './markdown-lines.ts';
import { freeSigns, literalSigns } from './markdown-signs.ts';
import { printableTables, withoutBackslashes, withSigns } from './sign-text.ts';
import { withoutMerges } from './table-layout.ts';

/** Rare white space: next to a mark it works like a line break, and Lute keeps it in the text of marks. */
const SPACES = ['\u1680', '\u205f', '\u2028', '\u2029', '\u2008'];
const OPENS = /[*_~=[<]/;
const LAST_CLOSE = /[*_~=\]>][^*_~=\]>]*$/;
/** Lines that a sign at the end would change: empty items, callouts, headings, super blocks, attribute lists. */
const FIXED = /^(?:$|[-*+]$|\d{1,9}[.)]$|\[!|#{1,6}[ \t]|\{\{\{|\}\}\}|\{:)/;
const RULE = /^[ \t>]*(?:[-*_][ \t]*){3,}$/;
const ITEM = /^[ \t>]*[-*+][ \t]/;
const LINE_TAG = /<br[ \t]*\/?>/gi;
const ENDS_IN_LINE_TAG = /<br[ \t]*\/?>[ \t]*$/i;
/** The alternative text of a picture, of which Lute keeps the first line. */
const LABEL = /!\[(?:[^\]\n]|\n(?![ \t>]*\n))*\](?=\()/g;
/** Marks that contain line breaks themselves, or none. */
const WHOLE = new Set(['code', 'inline-math', 'img', 'block-ref', 'file-annotation-ref']);

interface Piece {
  readonly plain: string;
  readonly signed: string;
}

/** The position for a sign on a line: before the blanks or the backslash that belong to the break. */
function endOf(line: string): number {
  const end = line.trimEnd().length;
  const backslashes = end < line.length ? 0 : (/\\*$/.exec(line)?.[0].length ?? 0);
  return end - (backslashes % 2);
}

const mayEnd = (line: string, next: string): boolean =>
  !RULE.test(line) && !FIXED.test(line.replace(PREFIX, '').trimEnd()) && !ENDS_IN_LINE_TAG.test(line) && !ITEM.test(next);

/** Lines of a paragraph, or of several, with a sign before each break that a mark may hold. */
function withSign(lines: readonly string[], isInTable: (index: number) => boolean, sign: string): string {
  const text = lines.join('\n');
  const [first, last] = [text.search(OPENS), text.search(LAST_CLOSE)];
  let start = 0;
  const signed = lines.map((line, index) => {
    const from = start;
    start += line.length + 1;
    const put = (at: number): string => (first < from + at && from + at <= last ? sign : '');
    const end = endOf(line);
    const next = lines[index + 1];
    const atEnd = next !== undefined && !isInTable(index) && mayEnd(line, next) ? put(end) : '';
    const tagged = (part: string): string => part.replace(LINE_TAG, (tag, at: number) => put(at) + tag);
    return tagged(line.slice(0, end)) + atEnd + line.slice(end);
  });
  return signed.join('\n');
}

/** Markdown split at blank lines, which no mark spans. */
function piecesOf(text: string, sign: string): Piece[] {
  const { rows } = withWholeRows(text, '|');
  const pieces: Piece[] = [];
  let lines: string[] = [];
  let from = 0;
  const flush = (next: number): void => {
    const isInTable = (index: number): boolean => rows.has(from + index) || rows.has(from + index - 1);
    if (lines.length > 0) pieces.push({ plain: lines.join('\n'), signed: withSign(lines, isInTable, sign) });
    [lines, from] = [[], next];
  };
  for (const [index, line] of text.split('\n').entries()) {
    const isBlank = /^[ \t>]*$/.test(line);
    if (isBlank) flush(index);
    lines.push(line);
    if (isBlank) flush(index + 1);
  }
  flush(0);
  return pieces;
}

/** Text and marks split at the signs; undefined marks a sign. */
function cut(node: ChildNode, sign: string): (ChildNode | undefined)[] {
  const [text] = isSpan(node) ? node.children : [node];
  if (!text || !isText(text) || (isSpan(node) && (node.children.length > 1 || namesOf(node).some((name) => WHOLE.has(name)))))
    return [node];
  const parts = text.data.replaceAll(`${sign}\n`, '\n').split(sign);
  if (parts.length === 1) {
    text.data = parts[0] ?? '';
    return [node];
  }
  const trimmed = parts.map((part, index) => {
    const open = index === 0 ? part : part.replace(/^[ \t]+/, '');
    return index === parts.length - 1 ? open : open.replace(/(?<![ \t])[ \t]+$/, '');
  });
  const made = (part: string): ChildNode => (isSpan(node) ? new Element('span', { ...node.attribs }, [new Text(part)]) : new Text(part));
  return trimmed.flatMap((part, index) => [...(index > 0 ? [undefined] : []), ...(part === '' ? [] : [made(part)])]);
}

const startsLine = (node: ChildNode): boolean => (isText(node) ? node.data.startsWith('\n') : isTag(node) && node.name === 'br');
const isEmpty = (node: ChildNode): boolean => isText(node) && withoutZwsp(node.data) === '';

function withBreaks(dom: string, sign: string): string {
  const root = parseDocument(dom);
  eachLine(root, (nodes) => {
    const parent = nodes[0]?.parent;
    const isCell = parent !== null && parent !== undefined && isTag(parent) && /^t[dh]$/.test(parent.name);
    const parts = nodes.flatMap((node) => cut(node, sign));
    return parts.flatMap((part, index) => {
      if (part) return [part];
      const next = parts.slice(index + 1).find((each) => !each || !isEmpty(each));
      return !next || startsLine(next) ? [] : [isCell ? new Element('br', {}) : new Text('\n')];
    });
  });
  return root.children.map(serializeBlock).join('').replaceAll(sign, '');
}

/** The content that two readings of a text share: without ids, times and marks without text. */
const withoutIds = (dom: string): string =>
  dom.replace(/ (?:data-node-id|updated)="[^"]*"/g, '').replace(/<span data-type="[^"]*">\u200b*<\/span>/g, '');

/** Keeps line breaks inside marks, which Lute drops: each mark ends with its line and begins again on the next. */
function parseWithBreaks(markdown: string, parse: (markdown: string) => string): string {
  const sign = SPACES.find((each) => !markdown.includes(each));
  if (sign === undefined || !OPENS.test(markdown) || !/\n|<br/i.test(markdown)) return parse(markdown);
  const pieces = partsOf(markdown, () => false).flatMap(({ text, verbatim }) =>
    verbatim
      ? [{ plain: text, signed: text }]
      : piecesOf(
          text.replace(LABEL, (label) => label.replace(/(?:(?<![ \t])[ \t]+)?\\?\n[ \t>]*/g, ' ')),
          sign,
        ),
  );
  const plain = parse(pieces.map((piece) => piece.plain).join('\n'));
  if (pieces.every((piece) => piece.plain === piece.signed)) return plain;
  // A sign that changes anything else is left out.
  const parseSigned = (text: string, read: string): string | undefined => {
    const dom = parse(text);
    return withoutIds(dom.replaceAll(sign, '')) === withoutIds(read) ? dom : undefined;
  };
  const isSure = (piece: Piece): boolean => {
    try {
      return piece.plain === piece.signed || parseSigned(piece.signed, parse(piece.plain)) !== undefined;
    } catch {
      return false;
    }
  };
  const dom =
    parseSigned(pieces.map((piece) => piece.signed).join('\n'), plain) ??
    parseSigned(pieces.map((piece) => (isSure(piece) ? piece.signed : piece.plain)).join('\n'), plain);
  return dom === undefined ? plain : withBreaks(dom, sign);
}

const OTHER_MARK = /data-task="(?![ xX]?")[^"]*"/;
const WITH_TEXT = new Set(['NodeParagraph', 'NodeHeading']);

const editable = (block: Element): Element | undefined =>
  block.children.filter(isTag).find((child) => child.attribs.contenteditable === 'true');

/** Prints block DOM as Markdown with its task marks: Lute prints every mark except the open one as `[X]`. */
function printTasks(dom: string, print: (dom: string) => string): string {
  if (!OTHER_MARK.test(dom)) return print(dom);
  const blocks = parseBlocks(dom);
  const tasks = blocks.flatMap(allBlocks).filter((block) => /^[^ xX]$/.test(block.attribs['data-task'] ?? ''));
  const marks = [...new Set(tasks.map((task) => task.attribs['data-task'] ?? ''))];
  const signs = freeSigns(dom, marks.length);
  for (const task of tasks) {
    const first = childBlocks(task)[0];
    const line = first && WITH_TEXT.has(first.attribs['data-type'] ?? '') ? editable(first) : undefined;
    const sign = signs[marks.indexOf(task.attribs['data-task'] ?? '')];
    if (!line || sign === undefined) continue;
    const text = new Text(sign);
    text.parent = line;
    line.children.unshift(text);
  }
  const printed = print(blocks.map(serializeBlock).join(''));
  return marks.reduce(
    (text, mark, index) =>
      text.replace(new RegExp(`\\[[xX]\\]((?:(?!\\[[xX]\\]).)*)${signs[index]}`, 'g'), (_all, between: string) => `[${mark}]${between}`),
    printed,
  );
}

/** The part of SiYuan's Lute that is used; `Lute` is a global of the host's page. */
interface LuteInstance {
  Md2BlockDOM(markdown: string): string;
  BlockDOM2StdMd(dom: string): string;
  SpinBlockDOM(dom: string): string;
  CancelSuperBlock(dom: string): string;
}

export interface LuteFactory {
  New(): object;
}

/** Markdown ⇄ block DOM. Pure: the same input gives the same text, apart from ids and times. */
export interface MarkdownEngine {
  /** Top-level blocks as one string of block DOM. Not filtered: see content-filter.ts. */
  toDom(markdown: string): string;
  /** Markdown for reading: no ids, attribute lists or ZWSP. Merged table cells become single cells. */
  toMarkdown(dom: string): string;
  /** Markdown for export: a table with merged cells is HTML. */
  toExport(dom: string): string;
  /** The editor's reading of a block when somebody types in it, which may differ: `$1 and $2` becomes a formula. */
  typed(dom: string): string;
  /** SiYuan's rendering of a block stored from this DOM: it normalizes some forms. Not filtered. */
  stored(dom: string): string;
}

/** Options of SiYuan's own editor (its setLute, 3.7.3), with inline syntax whatever the user's settings are. */
const OPTIONS: Readonly<Record<string, boolean | string>> = {
  SetSpellcheck: false,
  SetProtyleMarkNetImg: false,
  SetFileAnnotationRef: true,
  SetHTMLTag2TextMark: true,
  SetTextMark: true,
  SetHeadingID: false,
  SetYamlFrontMatter: false,
  SetInlineMathAllowDigitAfterOpenMarker: true,
  SetToC: false,
  SetIndentCodeBlock: false,
  SetParagraphBeginningSpace: true,
  SetSetext: false,
  SetFootnotes: false,
  SetLinkRef: false,
  SetSanitize: true,
  SetImgPathAllowSpace: true,
  SetKramdownIAL: true,
  SetSuperBlock: true,
  SetCallout: true,
  SetInlineAsterisk: true,
  SetInlineUnderscore: true,
  SetSup: true,
  SetSub: true,
  SetTag: true,
  SetInlineMath: true,
  SetGFMStrikethrough1: false,
  SetGFMStrikethrough: true,
  SetMark: true,
  SetSpin: true,
  SetProtyleWYSIWYG: true,
  SetBlockRef: true,
  SetUnorderedListMarker: '-',
  SetDataTask: true,
  SetExportNormalizeTaskListMarker: true,
  SetArbitraryTaskListItemMarker: true,
  SetEnsureListItemParagraph: true,
};

const METHODS = ['Md2BlockDOM', 'BlockDOM2StdMd', 'SpinBlockDOM', 'CancelSuperBlock'] as const;

function isLute(value: object): value is LuteInstance {
  return METHODS.every((name) => typeof Reflect.get(value, name) === 'function');
}

function newLute(factory: LuteFactory): LuteInstance {
  const lute = factory.New();
  if (!isLute(lute)) throw new Error(`lute_changed: this Lute lacks one of ${METHODS.join(', ')} → use SiYuan 3.7.3 or newer`);
  for (const [name, value] of Object.entries(OPTIONS)) {
    // A newer Lute may have dropped an option; the rest still parses.
    const set: unknown = Reflect.get(lute, name);
    if (typeof set === 'function') set.call(lute, value);
  }
  return lute;
}

/** Lute panics on some attribute lists, such as {: id="x"}, but can be used again afterwards. */
function parsing(lute: LuteInstance, parse: (lute: LuteInstance) => string): string {
  try {
    return parse(lute);
  } catch (error) {
    const next = 'leave out attribute lists like {: …}, or write them inside code';
    throw new ToolError('unsafe_markdown', 'SiYuan’s Markdown parser breaks on this text', next, String(error));
  }
}

const WRAPPER = 'data-node-id="20000101000000-0000000"';

/** Lute converts block DOM to its tree and back only if there is a wrapper to remove; an item needs a list around it. */
function drawnAgain(lute: LuteInstance, dom: string): string {
  const isItem = parseBlock(dom)?.attribs['data-type'] === 'NodeListItem';
  const subtype = parseBlock(dom)?.attribs['data-subtype'] ?? 'u';
  const inner = isItem ? `<div ${WRAPPER} data-type="NodeList" data-subtype="${subtype}" class="list">${dom}</div>` : dom;
  const drawn = parsing(lute, (each) =>
    each.CancelSuperBlock(`<div ${WRAPPER} data-type="NodeSuperBlock" class="sb" data-sb-layout="row">${inner}</div>`),
  );
  const block = parseBlock(drawn);
  return isItem && block ? childBlocks(block).map(serializeBlock).join('') : drawn;
}

/** Not a reference to a block behind a square bracket. */
const BRACKETS = /\]\(\((?!\d{14}-[0-9a-z]{7}[ )])/g;

/** Lute drops one of two brackets after a square one, also in code: `handlers[i]((e) => e)`. */
function withBrackets(markdown: string, parse: (markdown: string) => string): string {
  if (!markdown.includes(']((')) return parse(markdown);
  const [sign = ''] = freeSigns(markdown, 1);
  return parse(markdown.replaceAll(BRACKETS, `](${sign}(`)).replaceAll(sign, '');
}

/** Parses Markdown as people mean it: signs that nobody meant as formulas, marks and tags (`$5 and $10`, `x^2`) stay text. */
function read(lute: LuteInstance, markdown: string): string {
  if (isTooDense(markdown))
    throw new ToolError('too_large', 'the text opens too many brackets, tags or levels', 'close them, or write less at a time');
  const literal = literalSigns(markdown);
  const parse = (text: string): string => withBrackets(text, (each) => parsing(lute, (parser) => parser.Md2BlockDOM(each)));
  const dom = parseWithBreaks(literal?.markdown ?? markdown, parse);
  return literal ? withSigns(dom, literal.signs, (each) => lute.SpinBlockDOM(each)) : dom;
}

const print = (lute: LuteInstance, dom: string): string =>
  withoutZwsp(
    printTasks(printableTables(dom), (each) =>
      printMarks(each, (marked) => printLinkedCode(marked, (plain) => lute.BlockDOM2StdMd(plain))),
    ),
  ).replace(/\n+$/, '');

const contentOf = (dom: string): string =>
  parseBlocks(dom)
    .flatMap((block) => (block.attribs['data-type'] === 'NodeList' ? childBlocks(block) : [block]))
    .map((block) => hashOfContent(serializeBlock(block)))
    .join();

/** Prints a block without the backslashes that `read` puts before signs: they mean nothing to a reader. */
function printPlain(lute: LuteInstance, dom: string): string {
  const plain = withoutBackslashes(dom);
  const printed = print(lute, dom);
  if (plain === undefined) return printed;
  try {
    const markdown = print(lute, plain);
    return contentOf(read(lute, markdown)) === contentOf(dom) ? markdown : printed;
  } catch (error) {
    if (error instanceof ToolError) return printed;
    throw error;
  }
}

export function createMarkdownEngine(factory: LuteFactory): MarkdownEngine {
  // Created on first use: the plugin's start script must not pay for it.
  let lute: LuteInstance | undefined;
  const engine = (): LuteInstance => {
    lute ??= newLute(factory);
    return lute;
  };
  return {
    toDom: (markdown) => read(engine(), markdown),
    stored: (dom) => drawnAgain(engine(), dom),
    typed: (dom) => parsing(engine(), (parser) => parser.SpinBlockDOM(dom)),
    toMarkdown: (dom) => printPlain(engine(), withoutMerges(dom)),
    toExport: (dom) => printPlain(engine(), dom),
  };
}
