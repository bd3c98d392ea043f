import { Lexer, type Token, type TokenizerAndRendererExtension, type Tokens } from 'marked';

/** Consecutive signs of emphasis, which may begin or end it. */
interface Run extends Tokens.Generic {
  readonly type: 'emphasisRun';
  readonly sign: string;
  readonly opens: boolean;
  readonly closes: boolean;
}

interface Opener {
  readonly closes: boolean;
  /** Index in what is put out. */
  readonly at: number;
  readonly size: number;
  left: number;
}

const RUN = /^(?:\*+|_+|~+)/;
/** An underscore inside a word is not emphasis, and may be part of an address. */
const START = /[*~]|(?:^|\s)_|_(?=\s|$)/;
const SPACE = /^\s$/;
/** A text with more emphasis signs than this, and more than a third of its length, is shown as written. */
const MOST_MARKS = 2000;
const DEEPEST = 100;
/** Openers that are checked for one closer: a malicious text must not be slow. */
const FARTHEST = 50;

const isRun = (token: Token): token is Run => token.type === 'emphasisRun';
const textOf = (raw: string): Token => ({ type: 'text', raw, text: raw });

/**
 * Runs of `*`, `_` and `~~`, parsed like SiYuan's Lute: only blanks keep a run from opening or closing, not punctuation, since
 * Chinese has no blanks (`**注意：**请`). A single `~` is a range.
 */
export const emphasisRuns: TokenizerAndRendererExtension = {
  name: 'emphasisRun',
  level: 'inline',
  start: (source) => {
    const found = START.exec(source);
    return found ? found.index + found[0].length - 1 : undefined;
  },
  tokenizer(source, tokens): Run | undefined {
    const raw = RUN.exec(source)?.[0];
    if (raw === undefined) return undefined;
    const sign = raw.charAt(0);
    // The brackets around the words of a link.
    const edge = this.lexer.state.inLink ? '[' : ' ';
    const left = !SPACE.test(source.charAt(raw.length) || edge);
    const right = !SPACE.test(tokens.at(-1)?.raw.slice(-1) ?? edge);
    const isUnderscore = sign === '_';
    const isMark = sign !== '~' || raw.length === 2;
    return {
      type: 'emphasisRun',
      raw,
      sign,
      opens: isMark && left && !(isUnderscore && right),
      closes: isMark && right && !(isUnderscore && left),
    };
  },
};

class Pairing {
  private readonly out: Token[] = [];
  private readonly openers = new Map<string, Opener[]>();
  private readonly depths = new Map<Token, number>();

  pair(tokens: readonly Token[]): readonly Token[] {
    for (const token of tokens) {
      if (isRun(token)) this.run(token);
      else this.out.push(token);
    }
    return this.out;
  }

  private run(run: Run): void {
    const size = run.raw.length;
    let left = size;
    for (let used = 1; used > 0 && left > 0; left -= used) {
      const opener = this.openerOf(run, size);
      used = opener ? this.close(opener, run.sign, left) : 0;
    }
    if (left === 0) return;
    this.out.push(textOf(run.sign.repeat(left)));
    if (!run.opens) return;
    const list = this.openers.get(run.sign) ?? [];
    this.openers.set(run.sign, list);
    list.push({ closes: run.closes, at: this.out.length - 1, size, left });
  }

  /** The nearest opener, by CommonMark's rule of three. */
  private openerOf(closer: Run, size: number): Opener | undefined {
    if (!closer.closes) return undefined;
    const list = this.openers.get(closer.sign) ?? [];
    for (let index = list.length - 1; index >= Math.max(0, list.length - FARTHEST); index -= 1) {
      const opener = list[index];
      const isOdd = opener && (closer.opens || opener.closes) && size % 3 !== 0 && (opener.size + size) % 3 === 0;
      if (opener && !isOdd) return opener;
    }
    return undefined;
  }

  /** @returns how many signs of each side are used */
  private close(opener: Opener, sign: string, left: number): number {
    const inner = this.out.slice(opener.at + 1);
    const depth = 1 + Math.max(0, ...depthsOf(inner, this.depths));
    if (depth > DEEPEST) return 0;
    const used = opener.left >= 2 && left >= 2 ? 2 : 1;
    const marks = sign.repeat(used);
    const text = inner.map(({ raw }) => raw).join('');
    const emphasis = used === 2 ? 'strong' : 'em';
    const type = sign === '~' ? 'del' : emphasis;
    const token: Token = { type, raw: marks + text + marks, text, tokens: inner };
    this.depths.set(token, depth);
    opener.left -= used;
    this.out.length = opener.at;
    if (opener.left > 0) this.out.push(textOf(sign.repeat(opener.left)));
    this.out.push(token);
    // Unmatched openers in between are text now.
    for (const list of this.openers.values()) while ((list.at(-1)?.at ?? -1) > opener.at || list.at(-1)?.left === 0) list.pop();
    return used;
  }
}

function* depthsOf(tokens: readonly Token[], depths: ReadonlyMap<Token, number>): Generator<number> {
  for (const token of tokens) {
    const depth = depths.get(token);
    if (depth !== undefined) yield depth;
  }
}

function isMostlyMarks(tokens: readonly Token[], length: number): boolean {
  const marks = tokens.reduce((sum, token) => sum + (isRun(token) ? token.raw.length : 0), 0);
  return marks > Math.max(MOST_MARKS, length / 3);
}

/** Pairs the runs of each inline text once all of it is lexed: code, links and citations bind more tightly. */
export class EmphasisLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    super.inlineTokens(source, tokens);
    if (!tokens.some(isRun)) return tokens;
    const paired = isMostlyMarks(tokens, source.length)
      ? tokens.map((token) => (isRun(token) ? textOf(token.raw) : token))
      : new Pairing().pair(tokens);
    tokens.length = 0;
    for (const token of paired) tokens.push(token);
    return tokens;
  }
}
