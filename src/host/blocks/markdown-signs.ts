import { formulaAt, isDisplayTex, markAt, tagAt } from '../../tools/markdown/inline-signs.ts';
import { PREFIX, type TableText, withWholeRows } from '../../tools/markdown/table-rows.ts';
import { partsOf } from './markdown-lines.ts';

const FIRST = 0xe000;
const LAST = 0xf8ff;

/** `count` private use characters that the text does not contain; fewer if it contains nearly all of them. */
export function freeSigns(text: string, count: number): string[] {
  const used = new Set(text);
  const free: string[] = [];
  for (let code = FIRST; code <= LAST && free.length < count; code += 1) {
    const sign = String.fromCharCode(code);
    if (!used.has(sign)) free.push(sign);
  }
  return free;
}

/** Signs that SiYuan's Lute reads as Markdown where people mean the sign; '' keeps a word from being read as an emoji name. */
const SIGNS = ['$', '^', '~', '=', '#', '|', ''] as const;
type Sign = (typeof SIGNS)[number];

/** Markdown in which private use characters replace the signs that are meant literally. */
export interface LiteralSigns {
  readonly markdown: string;
  readonly signs: ReadonlyMap<string, Sign>;
}

/** A cheap test that is never false for a text with such signs. */
const MAY_HOLD = /[$^~#]|==|\\[([]|\||\[!|[ \t]\[\d\]/;
/** Literal pieces: tags and addresses in angle brackets, link targets, references, embeds, attribute lists, named references. */
const VERBATIM: Readonly<Record<string, RegExp>> = {
  '<': /<(?:[a-z][\w.+-]*:[^\s<>]*|\/?[a-z][^<>\n]{0,2000})>/iy,
  ']': /\]\((?:[^()\n\\]|\\.|\([^()\n]*\))*\)/y,
  '(': /\(\(\d{14}-[0-9a-z]{7}[^\n]*?\)\)/y,
  '&': /&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/iy,
  '{': /\{\{[^\n]*?\}\}|\{:[^\n}]*\}/y,
};
/** Every sign in an address is literal. */
const ADDRESS = /https?:\/\/(?:(?![<>"'`|$)\]]|(?:~~|==)(?!\w))[!-~])+/iy;
/** The kind of a callout before a first word of its title that Lute may read as an emoji: `x y` becomes `❌ y`. `:x:` means one. */
const CALLOUT = /\[![^\]\n]*\][ \t]*(?=(?!:[\w+-]+:(?:[ \t]|$))[\w+:-]*\w[\w+:-]*(?:[ \t]|$))/my;
const HEADING = /#{1,6}(?=[ \t]|$)/my;
const HEADING_END = /#+[ \t]*$/my;
/** The number of a source at the start of an item, which Lute reads as the mark of a finished task. */
const NUMBER = /(?<=(?:[-*+]|\d[.)])[ \t]+)\[\d\](?=\s|$)/y;
const RUN = /(.)\1*/y;

const matchAt = (pattern: RegExp, text: string, at: number): string => {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
};

class SignReader {
  private readonly text: string;
  private readonly bySign: ReadonlyMap<Sign, string>;
  private at = 0;
  private out = '';
  private readonly ends = new Set<number>();
  /** For each length of a backtick run, the position up to which no other run of that length follows. */
  private readonly unclosed = new Map<number, number>();
  private readonly rows: TableText['rows'];
  private line = 0;
  private inHeading = false;

  constructor({ text, rows }: TableText, bySign: ReadonlyMap<Sign, string>) {
    this.text = text;
    this.rows = rows;
    this.bySign = bySign;
  }

  read(): string {
    while (this.at < this.text.length) {
      if (this.at === 0 || this.text.charAt(this.at - 1) === '\n') this.lineStart();
      if (this.at < this.text.length) this.step(this.text.charAt(this.at));
    }
    return this.out;
  }

  private copy(raw: string): void {
    this.out += raw;
    this.pass(raw);
  }

  private pass(raw: string): void {
    this.at += raw.length;
    this.line += raw.split('\n').length - 1;
  }

  private literal(raw: string): void {
    for (const char of raw) this.out += this.bySign.get(char as Sign) ?? char;
    this.pass(raw);
  }

  private lineStart(): void {
    const end = this.text.indexOf('\n', this.at);
    const prefix = PREFIX.exec(this.text.slice(this.at, end < 0 ? undefined : end))?.[0] ?? '';
    this.copy(prefix.replace(/\[\d\][ \t]+$/, ''));
    if (matchAt(NUMBER, this.text, this.at) !== '') this.out += '\\';
    const callout = prefix.trimEnd().endsWith('>') ? matchAt(CALLOUT, this.text, this.at) : '';
    this.copy(callout);
    if (callout !== '') this.out += this.bySign.get('') ?? '';
    const heading = matchAt(HEADING, this.text, this.at);
    this.inHeading = heading !== '';
    this.copy(heading);
  }

  private step(char: string): void {
    const verbatim = VERBATIM[char];
    const piece = verbatim ? matchAt(verbatim, this.text, this.at) : '';
    if (piece !== '') this.copy(piece);
    else if (char === '\\') this.escape();
    else if (char === '`') this.copy(this.code());
    else if (char === 'h' || char === 'H') this.literal(matchAt(ADDRESS, this.text, this.at) || char);
    else if ('$^~=#'.includes(char)) this.sign(char);
    else this.copy(char);
  }

  private before(): string {
    return this.text.charAt(this.at - 1);
  }

  private near(): string {
    return this.text.slice(this.at, this.at + 5000);
  }

  private escape(): void {
    if (!this.formula()) this.copy(this.text.slice(this.at, this.at + 2));
  }

  /** Inline code with its signs, or a run of backticks that begins none. */
  private code(): string {
    const run = matchAt(RUN, this.text, this.at);
    if (this.at < (this.unclosed.get(run.length) ?? 0)) return run;
    const blank = this.text.slice(this.at).search(/\n[ \t>]*\n/);
    const end = blank < 0 ? this.text.length : this.at + blank;
    for (let from = this.at + run.length; ; ) {
      const start = this.text.indexOf(run, from);
      if (start < 0 || start >= end) break;
      const found = matchAt(RUN, this.text, start);
      if (found.length === run.length) return this.text.slice(this.at, start + run.length);
      from = start + found.length;
    }
    this.unclosed.set(run.length, end);
    return run;
  }

  private formula(): boolean {
    const formula = formulaAt(this.near(), this.before());
    // A bar in a table row still divides cells.
    if (!formula || (this.rows.has(this.line) && /(?<!\\)\|/.test(formula.raw))) return false;
    const { raw, tex } = formula;
    const bar = this.bySign.get('|') ?? '|';
    // In a cell, bars are escaped even inside code and formulas.
    const bars = this.rows.has(this.line) ? /\\?\|/g : /\|/g;
    const inside = tex
      .replace(/\n/g, ' ')
      .replace(/(?<!\\)\$/g, '\\$')
      .replace(bars, bar);
    // Lute reads a sign after a backslash as text.
    this.out += `$${inside.endsWith('\\') ? `${inside} ` : inside}$`;
    this.pass(raw);
    return true;
  }

  private sign(char: string): void {
    const run = matchAt(RUN, this.text, this.at);
    if (char === '$') {
      if (!this.formula()) this.literal(run);
    } else if (char === '^') this.literal(run);
    else if (char === '~') run.length === 2 ? this.copy(run) : this.literal(run);
    else if (char === '#') this.hash(run);
    else this.equals(run);
  }

  private hash(run: string): void {
    const tag = tagAt(this.near(), this.before());
    if (this.inHeading && matchAt(HEADING_END, this.text, this.at) !== '') this.copy(run);
    else if (tag) this.copy(tag.raw);
    else this.literal(run);
  }

  private equals(run: string): void {
    const mark = run.length === 2 ? markAt(this.near(), this.before()) : undefined;
    if (mark) this.ends.add(this.at + mark.raw.length - 2);
    if (mark || this.ends.has(this.at) || run.length === 1) this.copy(run);
    else this.literal(run);
  }
}

/** Undefined if the text has no such signs, or contains all private use characters that could replace them. */
export function literalSigns(markdown: string): LiteralSigns | undefined {
  if (!MAY_HOLD.test(markdown)) return undefined;
  const free = freeSigns(markdown, SIGNS.length);
  if (free.length < SIGNS.length) return undefined;
  const bySign = new Map(SIGNS.map((sign, index) => [sign, free[index] ?? '']));
  const bar = bySign.get('|') ?? '|';
  const shown = partsOf(markdown, isDisplayTex).map(({ text, verbatim }) =>
    verbatim ? text : new SignReader(withWholeRows(text, bar), bySign).read(),
  );
  return { markdown: shown.join('\n'), signs: new Map(SIGNS.map((sign) => [bySign.get(sign) ?? '', sign])) };
}
