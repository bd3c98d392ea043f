import { looseMarkerAt, markerAt, UNDECIDED } from './marker.ts';
import type { BlockSyntax, OtherForms } from './syntax.ts';

const LINE_FEED = 10;
const LESS = 60;
const GREATER = 62;
const TICK = 96;
const TILDE = 126;
const BRACE = 123;
const BRACKET = 91;
const SIGNS = ['\n', '<', '`'];
const THOUGHTS = [
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
] as const;

/** Where scanning stopped: at a block, at a stray closing marker, at undecided characters, or at the end. */
export type ProseStop =
  | { readonly kind: 'end' | 'undecided'; readonly at: number }
  | { readonly kind: 'open' | 'stray' | 'other'; readonly at: number; readonly length: number };

/** Only these may precede a fence on its line: white space, quote marks, bullets, numbers. */
function mayPrecedeFence(code: number): boolean {
  return code <= 32 || code === GREATER || (code >= 41 && code <= 46 && code !== 44) || (code >= 48 && code <= 57);
}

/** The text around requests as Markdown: none begins in code or thoughts; a code span ends with its line, against stray backticks. */
export class Prose {
  private readonly syntax: BlockSyntax;
  private mode: 'text' | 'run' | 'span' | 'info' | 'fence' | 'thought' = 'text';
  /** Only what may precede a fence precedes this on its line. */
  private lineStart = true;
  /** Only white space precedes this on its line. */
  private lineBlank = true;
  /** The sign of the open span, fence or run, and its length. */
  private mark = TICK;
  private size = 0;
  /** The current run of marks, which may close it. */
  private run = 0;
  /** In a fence: the state of a line that may still close it. */
  private line: 'start' | 'run' | 'behind' | 'code' = 'start';
  private thought = '';
  /** The next position of each of SIGNS; before the current position if unknown. */
  private readonly next: number[];
  private readonly signs: readonly string[];
  private readonly seconds: ReadonlySet<number>;
  private others: OtherForms | undefined;

  constructor(syntax: BlockSyntax, others?: OtherForms) {
    this.syntax = syntax;
    this.others = others;
    this.signs = others === undefined ? SIGNS : [...SIGNS, '['];
    this.next = this.signs.map(() => -1);
    this.seconds = new Set([syntax.opener, ...syntax.strays, '<think', '<THINK'].map((marker) => marker.charCodeAt(1)));
  }

  resume(): void {
    this.lineStart = false;
    this.lineBlank = false;
  }

  /** From now on calls of other families are not parsed. */
  withoutOthers(): void {
    this.others = undefined;
  }

  read(text: string, from: number, final: boolean): ProseStop {
    let at = from;
    while (at < text.length) {
      const stop = this.mode === 'text' ? this.readText(text, at, final) : this.readMarked(text, at, final);
      if (typeof stop !== 'number') return stop;
      at = stop;
    }
    return { kind: 'end', at };
  }

  private readMarked(text: string, at: number, final: boolean): number | ProseStop {
    if (this.mode === 'run') return this.readRun(text, at);
    if (this.mode === 'span') return this.readSpan(text, at);
    if (this.mode === 'info') return this.readInfo(text, at);
    if (this.mode === 'fence') return this.readFence(text, at);
    return this.readThought(text, at, final);
  }

  private readText(text: string, from: number, final: boolean): number | ProseStop {
    let at = from;
    while (at < text.length) {
      if (!this.lineStart) at = this.nextSign(text, at);
      const code = text.charCodeAt(at);
      const other = this.atOther(text, at, code, final);
      if (other !== undefined) return other;
      if (code === LINE_FEED) {
        this.lineStart = true;
        this.lineBlank = true;
      } else if (code === LESS) {
        const stop = this.atLess(text, at, final);
        if (stop !== undefined) return stop;
        this.lineStart = false;
      } else if (code === TICK || (code === TILDE && this.lineStart)) {
        return this.atMark(text, at, code, final);
      } else if (this.lineStart && !mayPrecedeFence(code)) {
        this.lineStart = false;
      }
      if (code > 32) this.lineBlank = false;
      at++;
    }
    return text.length;
  }

  private atOther(text: string, at: number, code: number, final: boolean): ProseStop | undefined {
    if (this.others === undefined) return undefined;
    const isLine = this.lineBlank && (code === BRACE || code === BRACKET || code === TICK);
    if (!isLine && code !== LESS && code !== BRACKET) return undefined;
    // A block of the protocol itself comes first.
    if (code === TICK && (this.syntax.fenceAt?.(text, at) ?? 0) !== 0) return undefined;
    const length = this.others.openingAt(text, at, isLine);
    if (length > 0) return { kind: 'other', at, length };
    return length === UNDECIDED && !final ? { kind: 'undecided', at } : undefined;
  }

  /** A new text is scanned: positions in the last one are dropped. */
  begin(): void {
    this.next.fill(-1);
  }

  /** The next sign that matters within a line, or the end of the text. Each is searched once, and kept until it is passed. */
  private nextSign(text: string, from: number): number {
    let nearest = text.length;
    for (let kind = 0; kind < this.signs.length; kind++) {
      let found = this.next[kind] ?? -1;
      if (found < from) {
        found = text.indexOf(this.signs[kind] ?? '', from);
        if (found < 0) found = text.length;
        this.next[kind] = found;
      }
      if (found < nearest) nearest = found;
    }
    return nearest;
  }

  /** Undefined if it is ordinary text. */
  private atLess(text: string, at: number, final: boolean): number | ProseStop | undefined {
    // Most of these signs are not markers; NaN at the end of the text.
    const next = text.charCodeAt(at + 1);
    if (next >= 0 && !this.seconds.has(next)) return undefined;
    const opener = markerAt(text, at, this.syntax.opener);
    if (opener > 0) return { kind: 'open', at, length: opener };
    let undecided = opener === UNDECIDED;
    for (const stray of this.syntax.strays) {
      const length = markerAt(text, at, stray);
      if (length > 0) return { kind: 'stray', at, length };
      undecided ||= length === UNDECIDED;
    }
    for (const [begin, end] of THOUGHTS) {
      const length = looseMarkerAt(text, at, begin);
      if (length > 0) {
        this.mode = 'thought';
        this.thought = end;
        return at + length;
      }
      undecided ||= length === UNDECIDED;
    }
    return undecided && !final ? { kind: 'undecided', at } : undefined;
  }

  private atMark(text: string, at: number, code: number, final: boolean): number | ProseStop {
    if (code === TICK && this.lineStart && this.syntax.fenceAt !== undefined) {
      const opener = this.syntax.fenceAt(text, at);
      if (opener > 0) return { kind: 'open', at, length: opener };
      if (opener === UNDECIDED && !final) return { kind: 'undecided', at };
    }
    this.mode = 'run';
    this.mark = code;
    this.size = 0;
    return at;
  }

  private readRun(text: string, from: number): number {
    let at = from;
    while (at < text.length && text.charCodeAt(at) === this.mark) at++;
    this.size += at - from;
    if (at === text.length) return at;
    this.run = 0;
    if (this.lineStart && this.size >= 3) this.mode = 'info';
    else this.mode = this.mark === TICK ? 'span' : 'text';
    this.resume();
    return at;
  }

  private readSpan(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === TICK) {
        this.run++;
        continue;
      }
      if (this.run === this.size || code === LINE_FEED) {
        this.mode = 'text';
        return at;
      }
      this.run = 0;
    }
    return text.length;
  }

  /** The line that opens a fence. A backtick in it makes it a code span. */
  private readInfo(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === LINE_FEED) {
        this.mode = 'fence';
        this.line = 'start';
        return at + 1;
      }
      if (code === TICK && this.mark === TICK) {
        this.mode = 'span';
        return at;
      }
    }
    return text.length;
  }

  private readFence(text: string, from: number): number {
    let at = from;
    while (at < text.length) {
      if (this.line === 'code') {
        const end = text.indexOf('\n', at);
        if (end < 0) return text.length;
        at = end;
      }
      const code = text.charCodeAt(at++);
      if (code !== LINE_FEED) {
        this.readFenceLine(code);
        continue;
      }
      if ((this.line === 'run' || this.line === 'behind') && this.run >= this.size) {
        this.mode = 'text';
        this.lineStart = true;
        this.lineBlank = true;
        return at;
      }
      this.line = 'start';
      this.run = 0;
    }
    return at;
  }

  private readFenceLine(code: number): void {
    const blank = code <= 32;
    if (this.line === 'start' && (blank || code === GREATER)) return;
    if ((this.line === 'start' || this.line === 'run') && code === this.mark) {
      this.line = 'run';
      this.run++;
    } else {
      this.line = blank && this.line !== 'start' ? 'behind' : 'code';
    }
  }

  private readThought(text: string, from: number, final: boolean): number | ProseStop {
    for (let at = text.indexOf('<', from); at >= 0; at = text.indexOf('<', at + 1)) {
      const length = looseMarkerAt(text, at, this.thought);
      if (length > 0) {
        this.mode = 'text';
        this.resume();
        return at + length;
      }
      if (length === UNDECIDED && !final) return { kind: 'undecided', at };
    }
    return text.length;
  }
}
