import { ToolError } from '../../tools/contract/errors.ts';
import { isTooDense } from '../../tools/markdown/dense-text.ts';
import { childBlocks, parseBlock, parseBlocks, serializeBlock, withoutZwsp } from './block-dom.ts';
import { hashOfContent } from './block-hash.ts';
import { printLinkedCode, printMarks } from './inline-marks.ts';
import { parseWithBreaks } from './line-breaks.ts';
import { literalSigns } from './markdown-signs.ts';
import { freeSigns } from './private-signs.ts';
import { printableTables, withoutBackslashes, withSigns } from './sign-text.ts';
import { withoutMerges } from './table-layout.ts';
import { printTasks } from './task-marks.ts';

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
  /** What the editor makes of a block when somebody types in it, which may differ: `$1 and $2` becomes a formula. */
  typed(dom: string): string;
  /** How SiYuan renders a block that was stored from this DOM: it normalizes some forms. Not filtered. */
  stored(dom: string): string;
}

/**
 * Options of SiYuan's own editor (its setLute, 3.7.3); inline syntax is on whatever the user's editor settings are, since a
 * model writes it.
 */
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

/**
 * Parses Markdown as people mean it: signs that Lute would read as formulas, marks and tags although nobody meant any (`$5 and $10`, `x^2`,
 * `a==b==c`) stay text.
 */
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
