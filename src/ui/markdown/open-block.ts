import type { Token, Tokens, TokensList } from 'marked';
import { type BlockMaker, isCode, isList, isParagraph, isTable, languageOf } from './block-maker.ts';
import type { MarkdownBlock, PartList } from './blocks.ts';
import { isUnambiguous } from './unambiguous.ts';

interface Look {
  readonly block: MarkdownBlock;
  /** Length of the block in the text, as far as it goes now. */
  readonly length: number;
  /** What follows the block in the text. */
  readonly following: readonly Token[];
  /** The block ends here whatever follows. */
  readonly closed: boolean;
}

/**
 * A long block whose end is still arriving: the part that cannot change any more is kept, and only the rest is lexed and rendered.
 * `look` returns null if the text turned into something else; the block is then lexed as a whole.
 */
export interface OpenBlock {
  look(text: string, links: TokensList['links']): Look | null;
}

export interface OpenBlockParts {
  readonly make: BlockMaker;
  readonly start: number;
  readonly key: number;
}

/** Below this length a block is lexed whole each time, which is cheap enough. */
const LONG = 600;
const LONG_PARAGRAPH = 3000;

export function openBlock(token: Token, parts: OpenBlockParts): OpenBlock | null {
  if (token.raw.length < LONG) return null;
  if (isList(token)) return new OpenList(parts);
  if (isTable(token)) return new OpenTable(parts);
  if (isCode(token)) return OpenFence.of(token.raw, parts);
  return isParagraph(token) && token.raw.length >= LONG_PARAGRAPH ? new OpenParagraph(parts) : null;
}

class OpenList implements OpenBlock {
  readonly #at: OpenBlockParts;
  #parts: PartList;
  #settled = 0;
  #first: Tokens.List | undefined;
  /** One empty line between two items turns all of them into paragraphs. */
  #loose = false;

  constructor(at: OpenBlockParts) {
    this.#at = at;
    this.#parts = at.make.listParts(undefined);
  }

  look(text: string, links: TokensList['links']): Look | null {
    const { make, start, key } = this.#at;
    const stand = this.#standIn();
    const tokens = make.lex(stand + text.slice(start + this.#settled), links);
    const [list, ...following] = tokens;
    if (!isList(list) || (stand !== '' && list.items[0]?.raw !== stand)) return null;
    if (list.loose && !this.#loose && this.#settled > 0) return this.#again(text, links);
    this.#loose ||= list.loose;
    this.#first ??= list;
    const length = this.#settled + list.raw.length - stand.length;
    const items = stand === '' ? list.items : list.items.slice(1);
    const last = items.at(-1);
    const kept = items.slice(0, last && isUnambiguous(last.raw) ? -1 : -2);
    for (const item of kept) {
      this.#parts.push(make.renderer.item(item));
      this.#settled += item.raw.length;
    }
    const rest = items.slice(kept.length).map((item) => make.renderer.item(item));
    return { block: make.list(key, this.#first, this.#parts.with(rest), undefined), length, following, closed: false };
  }

  /** An item that replaces the settled ones: the rest continues as an item of the same list. */
  #standIn(): string {
    if (this.#settled === 0 || !this.#first) return '';
    const marker = /^ {0,3}([*+-]|\d{1,9}[.)])/.exec(this.#first.raw)?.[1] ?? '-';
    return `${marker} x\n${this.#loose ? '\n' : ''}`;
  }

  #again(text: string, links: TokensList['links']): Look | null {
    this.#parts = this.#at.make.listParts(undefined);
    this.#settled = 0;
    this.#first = undefined;
    this.#loose = true;
    return this.look(text, links);
  }
}

class OpenTable implements OpenBlock {
  readonly #at: OpenBlockParts;
  readonly #parts: PartList;
  #settled = 0;
  /** The header with its line of dashes. */
  #header = '';
  #old: MarkdownBlock | undefined;

  constructor(at: OpenBlockParts) {
    this.#at = at;
    this.#parts = at.make.tableParts(undefined);
  }

  look(text: string, links: TokensList['links']): Look | null {
    const { make, start, key } = this.#at;
    const source = this.#header + text.slice(start + this.#settled);
    const [table, ...following] = make.lex(source, links);
    if (!isTable(table)) return null;
    const length = this.#settled + table.raw.length - this.#header.length;
    const [header = '', dashes = '', ...lines] = table.raw.split('\n');
    if (lines.length !== table.rows.length) return null;
    if (this.#header === '') {
      this.#header = `${header}\n${dashes}\n`;
      this.#settled = this.#header.length;
    }
    // A finished line stays a row.
    const complete = source[table.raw.length] === '\n' ? lines.length : Math.max(0, lines.length - 1);
    for (const row of table.rows.slice(0, complete)) this.#parts.push(make.renderer.row(row, 'td'));
    for (const line of lines.slice(0, complete)) this.#settled += line.length + 1;
    const rest = table.rows.slice(complete).map((row) => make.renderer.row(row, 'td'));
    this.#old = make.table(key, table, this.#parts.with(rest), this.#old);
    return { block: this.#old, length, following, closed: false };
  }
}

/** Lines of code need no lexer, only their fence. */
class OpenFence implements OpenBlock {
  readonly #at: OpenBlockParts;
  readonly #parts: PartList;
  readonly #closing: RegExp;
  readonly #language: string;
  #settled: number;

  static of(raw: string, at: OpenBlockParts): OpenFence | null {
    // An indented fence takes its indentation from every line: rare enough to be lexed whole.
    const found = /^(`{3,}|~{3,})([^\n]*)\n/.exec(raw);
    const [line, fence, info] = found ?? [];
    return line && fence ? new OpenFence(at, line, fence, info ?? '') : null;
  }

  private constructor(at: OpenBlockParts, line: string, fence: string, info: string) {
    this.#at = at;
    this.#parts = at.make.codeParts(undefined);
    this.#closing = new RegExp(`^ {0,3}${fence}${fence[0]}* *$`);
    this.#language = languageOf(info.trim());
    this.#settled = line.length;
  }

  look(text: string): Look {
    const { start } = this.#at;
    for (let end = text.indexOf('\n', start + this.#settled); end >= 0; end = text.indexOf('\n', start + this.#settled)) {
      const line = text.slice(start + this.#settled, end);
      if (this.#closing.test(line)) return this.#look([], this.#settled + line.length, true);
      this.#parts.push(line);
      this.#settled += line.length + 1;
    }
    const last = text.slice(start + this.#settled);
    const closed = this.#closing.test(last);
    return this.#look(closed || last === '' ? [] : [last], this.#settled + last.length, false);
  }

  #look(rest: readonly string[], length: number, closed: boolean): Look {
    const block = this.#at.make.codeOf(this.#at.key, this.#language, this.#parts.with(rest), undefined, !closed);
    return { block, length, following: [], closed };
  }
}

/** Keeps the rest a paragraph, whatever it begins with; never shown. */
const STAND_IN = '⸱';
/** Characters at the end that may still change: a word in bold, a link that is not closed yet. */
const UNSETTLED = 600;

class OpenParagraph implements OpenBlock {
  readonly #at: OpenBlockParts;
  readonly #parts: PartList;
  #settled = 0;

  constructor(at: OpenBlockParts) {
    this.#at = at;
    this.#parts = at.make.paragraphParts();
  }

  look(text: string, links: TokensList['links']): Look | null {
    const { make, start, key } = this.#at;
    const stand = this.#settled > 0 ? STAND_IN : '';
    const [paragraph, ...following] = make.lex(stand + text.slice(start + this.#settled), links);
    if (!isParagraph(paragraph) || !paragraph.raw.startsWith(stand)) return null;
    const length = this.#settled + paragraph.raw.length - stand.length;
    const rest = paragraph.raw.slice(stand.length);
    const cut = settledEnd(paragraph.tokens, stand.length);
    if (cut > 0) {
      this.#parts.push(make.renderer.inline(rest.slice(0, cut), links));
      this.#settled += cut;
    }
    const parts = this.#parts.with([make.renderer.inline(rest.slice(cut).replace(/\n$/, ''), links)]);
    return { block: { key, kind: 'paragraph', parts }, length, following, closed: false };
  }
}

/** Up to where the inline text is settled: after a whole token, or between two words of plain text; 0 if nowhere. */
function settledEnd(tokens: readonly Token[], skipped: number): number {
  const total = tokens.reduce((sum, token) => sum + token.raw.length, 0);
  let end = 0;
  let cut = 0;
  for (const token of tokens) {
    const limit = total - UNSETTLED;
    if (end + token.raw.length <= limit) cut = end + token.raw.length;
    else if (token.type === 'text') {
      const space = /[\s。，！？；][^\s。，！？；]*$/.exec(token.raw.slice(0, Math.max(0, limit - end)));
      if (space) cut = end + space.index + 1;
    }
    end += token.raw.length;
    if (end > limit) break;
  }
  return cut <= UNSETTLED ? 0 : cut - skipped;
}
