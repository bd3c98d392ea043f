import type { Token, Tokens, TokensList } from 'marked';
import { BlockRenderer, type RenderOptions } from './render.ts';
import type { Sanitize } from './sanitize.ts';

/** A top-level block of an answer. A finished block keeps its object, so that nothing of it renders again. */
export type MarkdownBlock =
  | { readonly key: number; readonly kind: 'html'; readonly raw: string; readonly html: string }
  | { readonly key: number; readonly kind: 'code'; readonly raw: string; readonly language: string; readonly text: string };

/** Enough of a first line to tell what it is: a list marker, a fence and a heading show themselves earlier. */
const TELLING = 16;

/** A reference that is still arriving; its id would flash in the text. */
const HALF_CITATION = /\(\((?:\d{0,14}|\d{14}-[0-9a-z]{0,7}(?:\s+(?:["'][^\n]{0,200})?)?)\)?$/;

function isSilent(token: Token): boolean {
  return token.type === 'space' || token.type === 'def';
}

/**
 * Index of the first token that more text may still change. The last block is always open, and so is the one before it
 * while the last has too little of a first line: `2` may become `2. item` of the list above, `#` a heading or a tag.
 */
function firstOpen(tokens: readonly Token[]): number {
  const solid = tokens.flatMap((token, index) => (isSilent(token) ? [] : [index]));
  const last = solid.at(-1);
  if (last === undefined) return 0;
  const raw = tokens[last]?.raw ?? '';
  return raw.includes('\n') || raw.length > TELLING ? last : (solid.at(-2) ?? last);
}

/**
 * Markdown that arrives in pieces. Only the open tail is lexed and rendered again; `finish` renders the whole text once
 * in its canonical form, since a definition at the end may change a link at the beginning. Pure but for `sanitize`.
 */
export class MarkdownStream {
  readonly #renderer: BlockRenderer;
  readonly #sanitize: Sanitize;
  #text = '';
  /** Length of the text whose blocks are finished. */
  #closed = 0;
  #finished: MarkdownBlock[] = [];
  #blocks: readonly MarkdownBlock[] = [];
  #links: TokensList['links'] = {};

  constructor(options: RenderOptions, sanitize: Sanitize) {
    this.#renderer = new BlockRenderer(options);
    this.#sanitize = sanitize;
  }

  get blocks(): readonly MarkdownBlock[] {
    return this.#blocks;
  }

  /** Takes the text so far; it may only grow, anything else starts again. */
  update(source: string): readonly MarkdownBlock[] {
    const text = unixLines(source).replace(HALF_CITATION, '');
    if (!text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    const tokens = this.#renderer.lex(text.slice(this.#closed), this.#links);
    this.#links = { ...tokens.links };
    const open = firstOpen(tokens);
    for (const token of tokens.slice(0, open)) {
      this.#closed += token.raw.length;
      if (!isSilent(token)) this.#finished.push(this.#block(token, this.#finished.length));
    }
    const tail = tokens.slice(open).filter((token) => !isSilent(token));
    this.#blocks = [...this.#finished, ...tail.map((token, index) => this.#block(token, this.#finished.length + index))];
    return this.#blocks;
  }

  /** The whole text at once. @param options of the finished answer: what was cited is known now */
  finish(source: string, options: RenderOptions): readonly MarkdownBlock[] {
    this.#renderer.options = options;
    this.#restart();
    const tokens = this.#renderer.lex(unixLines(source), {});
    this.#blocks = tokens.filter((token) => !isSilent(token)).map((token, index) => this.#block(token, index));
    return this.#blocks;
  }

  #restart(): void {
    this.#text = '';
    this.#closed = 0;
    this.#finished = [];
    this.#links = {};
  }

  /** Reuses the block that stood at this place when it looks the same. */
  #block(token: Token, key: number): MarkdownBlock {
    const old = this.#blocks[key];
    if (isCode(token)) {
      const language = /^[\w+#.-]*/.exec(token.lang ?? '')?.[0] ?? '';
      if (old?.kind === 'code' && old.raw === token.raw) return old;
      return { key, kind: 'code', raw: token.raw, language, text: token.text };
    }
    const html = this.#sanitize(this.#renderer.html(token));
    return old?.kind === 'html' && old.html === html ? old : { key, kind: 'html', raw: token.raw, html };
  }
}

/** The lexer turns line ends into LF itself; done before, lengths of tokens are lengths of the text. */
function unixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === 'code';
}
