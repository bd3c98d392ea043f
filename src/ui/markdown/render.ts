import {
  Marked,
  type Parser,
  type RendererObject,
  type Token,
  Tokenizer,
  type TokenizerObject,
  type Tokens,
  type TokensList,
} from 'marked';
import { isTableHead, withWholeRows } from '../../tools/markdown/table-rows.ts';
import { gapAfter } from '../labels/format.ts';
import { bareAddresses } from './bare-addresses.ts';
import { callouts, quoteAt } from './callouts.ts';
import { bareId, type CitationState, citationExtension, isBareId, isCitation } from './citations.ts';
import { EmphasisLexer, emphasisRuns } from './emphasis.ts';
import { escapeHtml } from './escape.ts';
import { footnotes } from './footnotes.ts';
import { formulaExtensions } from './formulas.ts';
import { linkTarget } from './links.ts';
import { siyuanBlocks } from './siyuan-blocks.ts';
import { siyuanMarks } from './siyuan-marks.ts';

interface RenderWords {
  readonly unverified: string;
  /** Why it is: shown on hover. */
  readonly unread: string;
  /** Replaces a citation without text. */
  readonly source: string;
  /** Put before the description of an image that was not loaded. */
  readonly image: string;
}

export interface RenderOptions {
  readonly citation: (id: string) => CitationState;
  readonly words: RenderWords;
}

/** Lines with more nested quotes and lists: each level costs the lexer and the page a call. */
const DEEP = /^[ \t]{0,3}(?:>[ \t]{0,4}|(?:[*+-]|\d{1,9}[.)])[ \t]+){100}/m;

/** A task that is neither open nor done: `[-]` cancelled, `[>]` postponed. */
const TASK_STATE = /^<li>(<p>)?\[([-/?!~*+]|&gt;|&lt;)\] /;

/** Bare tags that people write in Markdown; with an attribute, or any other tag, HTML is shown as text. */
const PLAIN_TAG = /^<(\/?(?:sub|sup|kbd|mark|u|b|i)|br\s*\/?)>$/i;

function citationHtml(id: string, anchor: string, options: RenderOptions): string {
  const text = escapeHtml(anchor || options.words.source);
  const state = options.citation(id);
  if (state === 'verified') {
    const [block = '', page] = id.split('#p').map(escapeHtml);
    return `<a class="mg-cite" data-block-id="${block}"${page ? ` data-page="${page}"` : ''} href="siyuan://blocks/${block}">${text}</a>`;
  }
  if (state === 'pending') return `<span class="mg-cite-pending">${text}</span>`;
  return `<span class="mg-cite-unverified">${text} <small title="${escapeHtml(options.words.unread)}">${escapeHtml(options.words.unverified)}</small></span>`;
}

/** The panel replaces the word by the title of its block. */
const bareIdHtml = (id: string, options: RenderOptions): string =>
  options.citation(id) === 'verified' ? citationHtml(id, '', options) : id;

function linkHtml(href: string, inner: string, options: RenderOptions): string {
  const target = linkTarget(href);
  if (target.kind === 'none') return inner;
  if (target.kind === 'block')
    return citationHtml(target.id, inner.replace(/<[^>]*>/g, '').replace(/&(?:amp|lt|gt|quot|#39);/g, ' '), options);
  return `<a href="${escapeHtml(target.href)}" title="${escapeHtml(target.href)}" target="_blank" rel="noopener noreferrer nofollow">${inner}</a>`;
}

/** Represents a bar that divides no cells, while a table is parsed. */
const BAR = '\uf8fe';

/** A table as in SiYuan's notes: no bar in code or a formula divides cells, and no cell is lost. */
function tableAt(tokenizer: Tokenizer, source: string): Tokens.Table | undefined {
  const [head = '', dashes = ''] = source.split('\n', 2);
  if (!isTableHead(head, dashes) || source.includes(BAR)) return Tokenizer.prototype.table.call(tokenizer, source);
  const blank = source.indexOf('\n\n');
  const end = blank < 0 ? source.length : blank;
  const whole = withWholeRows(source.slice(0, end), BAR).text + source.slice(end);
  const table = Tokenizer.prototype.table.call(tokenizer, whole);
  return table && { ...table, raw: source.slice(0, table.raw.length) };
}

/** A file of the workspace whose name has blanks, which SiYuan allows. */
const SPACED_ASSET = /^(!?)\[([^\]\n]*)\]\((assets\/[^()<>"\n]* [^()<>"\n]*)\)/;

function assetAt(tokenizer: Tokenizer, source: string): Tokens.Link | Tokens.Image | undefined {
  const [raw, isImage, text = '', href = ''] = SPACED_ASSET.exec(source) ?? [];
  if (raw === undefined) return undefined;
  const tokens = tokenizer.lexer.inlineTokens(text);
  return isImage ? { type: 'image', raw, href, title: null, text, tokens } : { type: 'link', raw, href, title: null, text, tokens };
}

type InlineParser = { parseInline(tokens: Token[]): string };

function rowHtml(parser: InlineParser, cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string {
  const cell = (each: Tokens.TableCell): string =>
    `<${tag}${each.align ? ` align="${each.align}"` : ''}>${parser.parseInline(each.tokens).replaceAll(BAR, '|')}</${tag}>`;
  return `<tr>${cells.map(cell).join('')}</tr>`;
}

function renderer(options: () => RenderOptions): RendererObject {
  return {
    html(token) {
      const { text } = token;
      if (PLAIN_TAG.test(text.trim())) return text;
      return token.block ? `<p class="mg-html">${escapeHtml(text.trimEnd())}</p>\n` : escapeHtml(text);
    },
    // Shown as in a note: it may be the only mention of a claim's source.
    def({ raw, href, title }) {
      const [label = ''] = /\[(?:\\.|[^\]\\])*\]/s.exec(raw) ?? [];
      return `<p>${escapeHtml(label)}: ${linkHtml(href, escapeHtml(href), options())}${title ? ` &quot;${escapeHtml(title)}&quot;` : ''}</p>\n`;
    },
    link({ href, tokens }) {
      return linkHtml(href, this.parser.parseInline(tokens), options());
    },
    // A remote image is fetched as soon as it is shown, and its address may contain text of the notes: it becomes a link.
    image({ href, text }) {
      const target = linkTarget(href);
      if (target.kind === 'asset') return `<img src="${escapeHtml(target.href)}" alt="${escapeHtml(text)}" loading="lazy">`;
      const { image } = options().words;
      const label = image + gapAfter(image) + (text || href);
      return linkHtml(href, escapeHtml(label), options());
    },
    listitem({ tokens }) {
      return `<li>${this.parser.parse(tokens)}</li>\n`.replace(TASK_STATE, '<li class="mg-task">$1<span class="mg-task__state">$2</span> ');
    },
    table(token) {
      const body = token.rows.map((cells) => rowHtml(this.parser, cells, 'td')).join('');
      return `<div class="mg-table"><table><thead>${rowHtml(this.parser, token.header, 'th')}</thead><tbody>${body}</tbody></table></div>`;
    },
  };
}

/** SiYuan's differences from GitHub Markdown: no headings by underlines, no code by indentation, its own addresses. */
const dialect: TokenizerObject = {
  blockquote(source) {
    return quoteAt(this, source);
  },
  code: () => undefined,
  def(source) {
    // `[^1]: text` is a footnote, even if it is nested too deeply to be one.
    return /^ {0,3}\[\^/.test(source) ? undefined : false;
  },
  lheading: () => undefined,
  link(source) {
    return assetAt(this, source) ?? false;
  },
  table(source) {
    return tableAt(this, source);
  },
  url: (source) => (/^(?:https?:|ftp:|www\.)/i.test(source) ? undefined : false),
};

/** Markdown of one answer, lexed and rendered block by block. One instance has the options of one answer. */
export class BlockRenderer {
  options: RenderOptions;
  readonly #marked: Marked;
  readonly #parser: Parser;

  constructor(options: RenderOptions) {
    this.options = options;
    this.#marked = new Marked({ gfm: true });
    this.#marked.use({
      tokenizer: dialect,
      renderer: renderer(() => this.options),
      extensions: [
        ...formulaExtensions,
        ...siyuanMarks,
        ...siyuanBlocks,
        ...footnotes,
        callouts,
        bareAddresses,
        emphasisRuns,
        { ...bareId, renderer: (token) => (isBareId(token) ? bareIdHtml(token.id, this.options) : false) },
        { ...citationExtension, renderer: (token) => (isCitation(token) ? citationHtml(token.id, token.anchor, this.options) : false) },
      ],
    });
    this.#parser = new this.#marked.Parser(this.#marked.defaults);
  }

  /** @param links Definitions of earlier blocks, so that a later block can refer to them. */
  lex(source: string, links: TokensList['links']): TokensList {
    const lexer = new EmphasisLexer(this.#marked.defaults);
    Object.assign(lexer.tokens.links, links);
    // Shown as written, as code.
    if (DEEP.test(source)) return Object.assign([{ type: 'code', raw: source, text: source }], { links });
    return lexer.lex(source);
  }

  /** HTML that must still be sanitised, here and below. */
  html(token: Token): string {
    return this.#parser.parse([token]);
  }

  item(item: Tokens.ListItem): string {
    return this.#parser.renderer.listitem(item);
  }

  row(cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string {
    return rowHtml(this.#parser, cells, tag);
  }

  inline(source: string, links: TokensList['links']): string {
    const lexer = new EmphasisLexer(this.#marked.defaults);
    Object.assign(lexer.tokens.links, links);
    return this.#parser.parseInline(lexer.inlineTokens(source));
  }
}
