import type { Token, TokensList } from 'marked';
import { BlockMaker, isParagraph } from './block-maker.ts';
import type { MarkdownBlock } from './blocks.ts';
import { mayBecomeFormula } from './formulas.ts';
import { type OpenBlock, openBlock } from './open-block.ts';
import { BlockRenderer, type RenderOptions } from './render.ts';
import type { Sanitize } from './sanitize.ts';
import { isUnambiguous } from './unambiguous.ts';

/** Characters that are lexed and rendered at once; a longer text is processed in several slices. */
export const SLICE = 8000;

/** A reference that is still arriving; its id would flash in the text. */
const HALF_CITATION = /\(\((?!.*\)\))(?:\d{0,14}|\d{14}-[0-9a-z]{0,7}(?:#p?\d{0,6})?(?:\s+(?:["'][^\n]{0,200})?)?)\)?$/;
/** No half reference is longer. */
const CITATION_REACH = 240;

function isSilent(token: Token): boolean {
  return token.type === 'space';
}

/**
 * Index of the first token that more text may still change. The last block is always open, and so is the one before it
 * while the last has too little of a first line: `2` may become `2. item` of the list above, `#` a heading or a tag.
 */
function firstOpen(tokens: readonly Token[]): number {
  const formula = openFormula(tokens);
  const solid = tokens.flatMap((token, index) => (isSilent(token) ? [] : [index]));
  const last = solid.at(-1);
  if (last === undefined) return 0;
  return Math.min(formula, isUnambiguous(tokens[last]?.raw ?? '') ? last : (solid.at(-2) ?? last));
}

/** Index of a paragraph that becomes a formula, with all that follows it, once that ends. */
function openFormula(tokens: readonly Token[]): number {
  let behind = tokens.reduce((sum, { raw }) => sum + raw.length, 0);
  for (const [index, { type, raw }] of tokens.entries()) {
    behind -= raw.length;
    if (type === 'paragraph' && mayBecomeFormula(raw, behind)) return index;
  }
  return tokens.length;
}

/**
 * Markdown that arrives in pieces. Only the open tail is lexed and rendered again, in a long block only its end;
 * `finishing` renders the whole text again in its canonical form, since a definition at the end may change a link at the
 * beginning. Pure, except for `sanitize`.
 */
export class MarkdownStream {
  readonly #make: BlockMaker;
  #text = '';
  /** Length of the text whose blocks are finished. */
  #closed = 0;
  #finished: MarkdownBlock[] = [];
  #open: OpenBlock | null = null;
  #blocks: readonly MarkdownBlock[] = [];
  #links: TokensList['links'] = {};
  /** The whole text is lexed, not only what arrived of it. */
  #isWhole = false;

  constructor(options: RenderOptions, sanitize: Sanitize) {
    this.#make = new BlockMaker(new BlockRenderer(options), sanitize);
  }

  get blocks(): readonly MarkdownBlock[] {
    return this.#blocks;
  }

  /** Sets the text so far; it may only grow, anything else starts again. */
  update(source: string): readonly MarkdownBlock[] {
    const text = withoutHalfCitation(unixLines(source));
    if (!text.startsWith(this.#text)) this.#restart();
    this.#text = text;
    this.#blocks = this.#open ? this.#lookOn(this.#open) : this.#lexTail();
    return this.#blocks;
  }

  /** Renders the whole text at once. @param options of the finished answer: its citations are known now */
  finish(source: string, options: RenderOptions): readonly MarkdownBlock[] {
    for (const _ of this.finishing(source, options));
    return this.#blocks;
  }

  /**
   * The whole text in its canonical form, a long one slice by slice: what follows the finished part stays as it was.
   * A page that handles other work between the slices is not blocked.
   */
  *finishing(source: string, options: RenderOptions): Generator<readonly MarkdownBlock[], void> {
    this.#make.renderer.options = options;
    const text = unixLines(source);
    this.#restart();
    if (text.length <= SLICE) {
      const tokens = this.#make.lex(text, {});
      this.#blocks = tokens.filter((token) => !isSilent(token)).map((token, index) => this.#block(token, index, false));
      yield this.#blocks;
      return;
    }
    const known = yield* this.#slices(text);
    // A definition applies from where it is found; the text before it is rendered again with it.
    if (known === Object.keys(this.#links).length) return;
    const links = this.#links;
    this.#restart();
    this.#links = links;
    yield* this.#slices(text);
  }

  /** @returns how many definitions were known when its first slice was rendered */
  *#slices(text: string): Generator<readonly MarkdownBlock[], number> {
    const before = this.#blocks;
    const known = Object.keys(this.#links).length;
    this.#isWhole = true;
    for (let end = 0, closed = -1, size = SLICE; end < text.length; ) {
      // A block that does not end is checked less and less often.
      size = this.#closed === closed ? size * 2 : SLICE;
      closed = this.#closed;
      end = sliceEnd(text, end + size);
      this.#text = text.slice(0, end);
      const blocks = this.#open ? this.#lookOn(this.#open) : this.#lexTail();
      if (end === text.length) this.#blocks = blocks.map(asClosed);
      // What is shown already never gets shorter in between.
      else this.#blocks = before.length < blocks.length ? blocks : [...this.#finished, ...before.slice(this.#finished.length)];
      yield this.#blocks;
    }
    this.#isWhole = false;
    return known;
  }

  #restart(): void {
    this.#text = '';
    this.#closed = 0;
    this.#finished = [];
    this.#open = null;
    this.#links = {};
    this.#isWhole = false;
  }

  #lexTail(): readonly MarkdownBlock[] {
    const tokens = this.#make.lex(this.#text.slice(this.#closed), this.#links);
    this.#links = { ...tokens.links };
    const open = firstOpen(tokens);
    this.#close(tokens.slice(0, open));
    const [first, ...others] = tokens.slice(open);
    if (!first) return this.#finished;
    const at = { make: this.#make, start: this.#closed, key: this.#finished.length };
    // The emphasis of a long paragraph is paired over all of it at the end.
    this.#open = this.#isWhole && isParagraph(first) ? null : openBlock(first, at);
    return this.#withTail([first, ...others]);
  }

  /** A long block continues, or ends. */
  #lookOn(open: OpenBlock): readonly MarkdownBlock[] {
    const look = open.look(this.#text, this.#links);
    if (!look) {
      this.#open = null;
      return this.#lexTail();
    }
    const solid = look.following.filter((token) => !isSilent(token));
    if (!look.closed && solid.length < 2 && !isUnambiguous(solid[0]?.raw ?? ''))
      return [...this.#finished, look.block, ...this.#tail(look.following, this.#finished.length + 1)];
    this.#open = null;
    this.#closed += look.length;
    this.#finished.push(asClosed(look.block));
    return this.#lexTail();
  }

  #close(tokens: readonly Token[]): void {
    for (const token of tokens) {
      this.#closed += token.raw.length;
      if (!isSilent(token)) this.#finished.push(this.#block(token, this.#finished.length, false));
    }
  }

  #withTail(tokens: readonly Token[]): readonly MarkdownBlock[] {
    return [...this.#finished, ...this.#tail(tokens, this.#finished.length)];
  }

  #tail(tokens: readonly Token[], from: number): MarkdownBlock[] {
    return tokens.filter((token) => !isSilent(token)).map((token, index) => this.#block(token, from + index, true));
  }

  #block(token: Token, key: number, open: boolean): MarkdownBlock {
    return this.#make.make(token, key, this.#blocks[key], open);
  }
}

const asClosed = (block: MarkdownBlock): MarkdownBlock => (block.kind === 'code' && block.open ? { ...block, open: false } : block);

/** After an empty line, else after a line, if one ends near: a definition is not split there. */
function sliceEnd(text: string, from: number): number {
  const near = text.slice(from, from + SLICE);
  for (const sign of ['\n\n', '\n']) {
    const at = near.indexOf(sign);
    if (at >= 0) return from + at + sign.length;
  }
  return Math.min(text.length, from);
}

/** The lexer turns line ends into LF itself; done before, lengths of tokens are lengths of the text. */
function unixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

function withoutHalfCitation(text: string): string {
  const near = Math.max(0, text.length - CITATION_REACH);
  const half = text.slice(near).search(HALF_CITATION);
  return half < 0 ? text : text.slice(0, near + half);
}
