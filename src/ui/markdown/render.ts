import { Marked, type Parser, type RendererObject, type Token, type Tokens, type TokensList } from 'marked';
import { gapAfter } from '../labels/format.ts';
import { type CitationState, citationExtension, isCitation } from './citations.ts';
import { escapeHtml } from './escape.ts';
import { formulaExtensions } from './formulas.ts';
import { linkTarget } from './links.ts';
import { siyuanMarks } from './siyuan-marks.ts';

/** Texts that the rendered Markdown itself shows. */
interface RenderWords {
  readonly unverified: string;
  /** Why it is: shown on hover. */
  readonly unread: string;
  /** Stands for a citation that came without words. */
  readonly source: string;
  /** Put before the description of an image that was not loaded. */
  readonly image: string;
}

export interface RenderOptions {
  readonly citation: (id: string) => CitationState;
  readonly words: RenderWords;
}

/** A line whose quotes and lists are nested deeper than anybody writes: each level costs the lexer and the page a call. */
const DEEP = /^[ \t]{0,3}(?:(?:>[ \t]?|(?:[*+-]|\d{1,9}[.)])[ \t]+)[ \t]{0,3}){100}/m;

/** A text with more marks of emphasis, and more of them than a third of it, is shown as written: each looks for its partner in all the rest. */
const MOST_MARKS = 2000;

/** The lexer asks again and again about one text. */
let counted = { text: '', isOver: false };

function isMostlyMarks(text: string): boolean {
  if (counted.text !== text) {
    const marks = text.length > MOST_MARKS ? text.split(/[*_]/).length - 1 : 0;
    counted = { text, isOver: marks > Math.max(MOST_MARKS, text.length / 3) };
  }
  return counted.isOver;
}

/** Bare tags that people write in Markdown; with an attribute, or any other tag, HTML is shown as text. */
const PLAIN_TAG = /^<(\/?(?:sub|sup|kbd|mark|u|b|i)|br\s*\/?)>$/i;

function citationHtml(id: string, anchor: string, options: RenderOptions): string {
  const text = escapeHtml(anchor || options.words.source);
  const state = options.citation(id);
  if (state === 'verified')
    return `<a class="mg-cite" data-block-id="${escapeHtml(id)}" href="siyuan://blocks/${escapeHtml(id)}">${text}</a>`;
  if (state === 'pending') return `<span class="mg-cite-pending">${text}</span>`;
  return `<span class="mg-cite-unverified">${text} <small title="${escapeHtml(options.words.unread)}">${escapeHtml(options.words.unverified)}</small></span>`;
}

function linkHtml(href: string, inner: string, options: RenderOptions): string {
  const target = linkTarget(href);
  if (target.kind === 'none') return inner;
  if (target.kind === 'block')
    return citationHtml(target.id, inner.replace(/<[^>]*>/g, '').replace(/&(?:amp|lt|gt|quot|#39);/g, ' '), options);
  return `<a href="${escapeHtml(target.href)}" title="${escapeHtml(target.href)}" target="_blank" rel="noopener noreferrer nofollow">${inner}</a>`;
}

type InlineParser = { parseInline(tokens: Token[]): string };

function rowHtml(parser: InlineParser, cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string {
  const cell = (each: Tokens.TableCell): string =>
    `<${tag}${each.align ? ` align="${each.align}"` : ''}>${parser.parseInline(each.tokens)}</${tag}>`;
  return `<tr>${cells.map(cell).join('')}</tr>`;
}

function renderer(options: () => RenderOptions): RendererObject {
  return {
    html({ text }) {
      return PLAIN_TAG.test(text.trim()) ? text : escapeHtml(text);
    },
    link({ href, tokens }) {
      return linkHtml(href, this.parser.parseInline(tokens), options());
    },
    // A remote image is fetched the moment it is shown, and its address may carry what the notes say: it becomes a link.
    image({ href, text }) {
      const target = linkTarget(href);
      if (target.kind === 'asset') return `<img src="${escapeHtml(target.href)}" alt="${escapeHtml(text)}" loading="lazy">`;
      const { image } = options().words;
      const label = image + gapAfter(image) + (text || href);
      return linkHtml(href, escapeHtml(label), options());
    },
    table(token) {
      const body = token.rows.map((cells) => rowHtml(this.parser, cells, 'td')).join('');
      return `<div class="mg-table"><table><thead>${rowHtml(this.parser, token.header, 'th')}</thead><tbody>${body}</tbody></table></div>`;
    },
  };
}

/** Markdown of one answer, lexed and rendered block by block. One instance holds the options of one answer. */
export class BlockRenderer {
  options: RenderOptions;
  readonly #marked: Marked;
  readonly #parser: Parser;

  constructor(options: RenderOptions) {
    this.options = options;
    this.#marked = new Marked({ gfm: true });
    this.#marked.use({
      tokenizer: { emStrong: (_source, masked) => (isMostlyMarks(masked) ? undefined : false) },
      renderer: renderer(() => this.options),
      extensions: [
        ...formulaExtensions,
        ...siyuanMarks,
        { ...citationExtension, renderer: (token) => (isCitation(token) ? citationHtml(token.id, token.anchor, this.options) : false) },
      ],
    });
    this.#parser = new this.#marked.Parser(this.#marked.defaults);
  }

  /** @param links Definitions of earlier blocks, so that a later block can refer to them. */
  lex(source: string, links: TokensList['links']): TokensList {
    const lexer = new this.#marked.Lexer(this.#marked.defaults);
    Object.assign(lexer.tokens.links, links);
    // As it is written, then, as a listing.
    if (DEEP.test(source)) return Object.assign([{ type: 'code', raw: source, text: source }], { links });
    return lexer.lex(source);
  }

  /** HTML that still has to be sanitised, here and below. */
  html(token: Token): string {
    return this.#parser.parse([token]);
  }

  item(item: Tokens.ListItem): string {
    return this.#parser.renderer.listitem(item);
  }

  row(cells: readonly Tokens.TableCell[], tag: 'th' | 'td'): string {
    return rowHtml(this.#parser, cells, tag);
  }

  /** A piece of a paragraph. */
  inline(source: string, links: TokensList['links']): string {
    const lexer = new this.#marked.Lexer(this.#marked.defaults);
    Object.assign(lexer.tokens.links, links);
    return this.#parser.parseInline(lexer.inlineTokens(source));
  }
}
