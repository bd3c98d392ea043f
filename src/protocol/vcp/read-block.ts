import { markerAt, UNDECIDED } from '../scanner/marker.ts';
import type { BlockListener, BlockReader, RequestDraft } from '../scanner/syntax.ts';
import { draftsOf, type Field, isNameKey, isReserved } from './drafts.ts';
import { markLength, REQUEST_CLOSE, REQUEST_OPEN, valueMarkAt } from './markers.ts';

const RETURN = 13;
const BACKSLASH = 92;

/** Instead of a number of characters to keep: one to drop, or why parsing stops. */
const DROP = 0;
const WAIT = -1;
const END = -2;
const BROKEN = -3;

/** Where parsing stopped: at undecided text or the end, at the mark that ends the value, or at one that shows it was not closed. */
interface ValueStop {
  readonly kind: 'wait' | 'end' | 'broken';
  readonly at: number;
}

class ValueReader {
  readonly key: string;
  private readonly guarded: boolean;
  readonly start: number;
  private readonly listener: BlockListener | undefined;
  private readonly pieces: string[] = [];
  /** Before a backslash that may belong to an escaped mark. */
  private inCorner = false;

  constructor(key: string, guarded: boolean, start: number, listener: BlockListener | undefined) {
    this.key = key;
    this.guarded = guarded;
    this.start = start;
    this.listener = listener;
  }

  get endLength(): number {
    return markLength(this.guarded);
  }

  get value(): string {
    const [first = ''] = this.pieces;
    return this.pieces.length > 1 ? this.pieces.join('') : first;
  }

  read(text: string, from: number, final: boolean): ValueStop {
    let at = from;
    let kept = from;
    while (at < text.length) {
      const step = this.step(text, at, final);
      if (step > 0) {
        at += step;
        if (!this.inCorner) at = nextSpecial(text, at);
        continue;
      }
      this.keep(text, kept, at);
      if (step === END) return { kind: 'end', at };
      if (step === WAIT) return { kind: 'wait', at };
      if (step !== DROP) return { kind: 'broken', at };
      at++;
      kept = at;
    }
    this.keep(text, kept, at);
    return { kind: 'wait', at };
  }

  private keep(text: string, from: number, to: number): void {
    if (to === from) return;
    const piece = text.slice(from, to);
    this.pieces.push(piece);
    this.listener?.argument(this.key, piece);
  }

  private step(text: string, at: number, final: boolean): number {
    const code = text.charCodeAt(at);
    if (this.inCorner) return this.stepCorner(text, at, final);
    if (code === CORNER) return this.stepMark(text, at, final);
    if (code === LESS && !this.guarded) return stepMarker(text, at, final);
    if (code !== RETURN) return 1;
    const next = text[at + 1];
    if (next === undefined && !final) return WAIT;
    return next === '\n' ? DROP : 1;
  }

  private stepMark(text: string, at: number, final: boolean): number {
    const mark = valueMarkAt(text, at + 1);
    if (typeof mark === 'number') {
      if (mark === UNDECIDED && !final) return WAIT;
      this.inCorner = text.charCodeAt(at + 1) === BACKSLASH;
      return 1;
    }
    if (mark.ends && mark.guarded === this.guarded) return END;
    return mark.ends || this.guarded ? mark.length : BROKEN;
  }

  /** Of the backslashes between `「` and the rest of a mark the last one is removed; before anything else, all stay. */
  private stepCorner(text: string, at: number, final: boolean): number {
    const next = text.charCodeAt(at + 1);
    if (next === BACKSLASH) return 1;
    const tail = valueMarkAt(text, at + 1);
    if (tail === UNDECIDED && !final) return WAIT;
    this.inCorner = false;
    return typeof tail === 'number' ? 1 : DROP;
  }
}

/** A plain value may not contain a marker of a block. */
function stepMarker(text: string, at: number, final: boolean): number {
  const close = markerAt(text, at, REQUEST_CLOSE);
  const open = markerAt(text, at, REQUEST_OPEN);
  if (close > 0 || open > 0) return BROKEN;
  return (close === UNDECIDED || open === UNDECIDED) && !final ? WAIT : 1;
}

function nextSpecial(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === CORNER || code === LESS || code === RETURN) break;
  }
  return at;
}

/** Longer runs of letters are not a key. */
const MAX_KEY = 128;
const WORD = /^[\p{L}\p{N}\p{M}_.-]$/u;

function isKeyLetter(letter: string, code: number): boolean {
  if (code >= 128) return WORD.test(letter);
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 45 || code === 46
  );
}

/** Quotes and asterisks that models put around keys. */
const WRAPPING = new Set(['"', "'", '*', '`']);

/** The possible key before a value: a word, then a colon, with white space around it. */
class KeyCandidate {
  private word = '';
  private state: 'none' | 'word' | 'behind' | 'colon' = 'none';

  private readonly dropped: (key: string) => void;

  /** `dropped` gets a key whose value has no marks. */
  constructor(dropped: (key: string) => void) {
    this.dropped = dropped;
  }

  get key(): string | undefined {
    return this.state === 'colon' ? this.word : undefined;
  }

  reset(): void {
    this.state = 'none';
    this.word = '';
  }

  /** Consumes the character at `at` and returns its length; UNDECIDED if the text ends inside one. */
  take(text: string, at: number, final: boolean): number {
    const code = text.charCodeAt(at);
    // A character of two units. codePointAt, as V8 13 compiles it, now and then misreads a joined string here.
    const wide = code >= 0xd800 && code <= 0xdbff;
    if (wide && !final && at + 1 === text.length) return UNDECIDED;
    const letter = text.slice(at, at + (wide ? 2 : 1));
    if (isKeyLetter(letter, code)) this.takeWord(letter);
    else this.takeOther(letter, code);
    return letter.length;
  }

  private takeWord(letter: string): void {
    if (this.state === 'colon') this.dropped(this.word);
    if (this.state !== 'word') this.word = '';
    this.state = 'word';
    if (this.word.length < MAX_KEY) this.word += letter;
  }

  private takeOther(letter: string, code: number): void {
    if (code <= 32 || letter === '\u00a0' || letter === '\u3000' || WRAPPING.has(letter)) {
      if (this.state === 'word') this.state = 'behind';
    } else if ((letter === ':' || letter === '：') && (this.state === 'word' || this.state === 'behind')) {
      this.state = this.word.length < MAX_KEY ? 'colon' : 'none';
    } else {
      this.reset();
    }
  }
}

const CORNER = '「'.charCodeAt(0);
const LESS = 60;
/** `T`, of `<<<[TOOL_REQUEST]>>>`, at the first place where the two markers differ. */
const OPENS = 84;
const MAX_WARNINGS = 8;

/** One VCP request. A marker in a plain value means that it was not closed: the request is invalid, and only the end is searched. */
export class VcpBlock implements BlockReader {
  readonly closer = REQUEST_CLOSE;
  closed = false;
  leavesDoubt = false;
  private readonly listener: BlockListener | undefined;
  private readonly candidate = new KeyCandidate((key) => this.warn(unmarked(key)));
  private readonly fields: Field[] = [];
  private readonly warnings: string[] = [];
  private value: ValueReader | undefined;
  /** In the whole answer, so far. */
  private valueEnd = 0;
  private invalid: string | undefined;
  /** Requests that began after an unclosed value and have not ended: they may be part of it. */
  private depth = 0;

  constructor(listener: BlockListener | undefined) {
    this.listener = listener;
  }

  read(text: string, from: number, offset: number, final: boolean): number {
    let at = from;
    while (at < text.length && !this.closed) {
      const { value } = this;
      let next: number;
      if (value) next = this.readValue(value, text, at, offset, final);
      else if (this.leavesDoubt) next = this.readDoubtful(text, at, final);
      else next = this.readFields(text, at, offset, final);
      if (next === at && value === this.value) break;
      at = next;
    }
    return at;
  }

  finish(interrupted: boolean): readonly RequestDraft[] {
    if (this.value !== undefined) this.endValue(this.value, this.value.value.trim());
    if (interrupted) this.invalid ??= 'the answer broke off before the end of the request; send the whole request again';
    return draftsOf(this.fields, this.invalid, this.warnings);
  }

  /** To the next value, the end of the block, or undecided text. */
  private readFields(text: string, from: number, offset: number, final: boolean): number {
    let at = from;
    while (at < text.length && this.value === undefined && !this.closed) {
      const code = text.charCodeAt(at);
      let length = 0;
      if (code === LESS) length = this.takeMarker(text, at, final);
      else if (code === CORNER) length = this.takeMark(text, at, offset, final);
      if (length === 0 && !this.closed) length = this.candidate.take(text, at, final);
      if (length === UNDECIDED) return at;
      at += length;
    }
    return at;
  }

  private takeMarker(text: string, at: number, final: boolean): number {
    // NaN at the end of the text.
    const letter = text.charCodeAt(at + '<<<['.length);
    const close = letter === OPENS ? 0 : markerAt(text, at, REQUEST_CLOSE);
    if (close > 0) {
      this.closed = true;
      return close;
    }
    const open = markerAt(text, at, REQUEST_OPEN);
    if (open > 0) {
      this.invalid ??= 'it has no END_TOOL_REQUEST marker; send the whole request again';
      this.closed = true;
      return 0;
    }
    return (close === UNDECIDED || open === UNDECIDED) && !final ? UNDECIDED : 0;
  }

  /** After an unclosed value: to the end of the block, across whole requests, which may be part of the value and never run. */
  private readDoubtful(text: string, from: number, final: boolean): number {
    let at = from;
    let open = -1;
    let close = -1;
    while (!this.closed) {
      // Each is searched once, and kept until it is passed.
      if (open < at) open = find(text, REQUEST_OPEN, at);
      if (close < at) close = find(text, REQUEST_CLOSE, at);
      if (open < close) {
        this.depth++;
        at = open + REQUEST_OPEN.length;
      } else if (close < text.length) {
        this.closed = this.depth-- === 0;
        at = close + REQUEST_CLOSE.length;
      } else {
        return final ? text.length : pieceAt(text, at);
      }
    }
    return at;
  }

  private takeMark(text: string, at: number, offset: number, final: boolean): number {
    const mark = valueMarkAt(text, at + 1);
    if (typeof mark === 'number') return mark === UNDECIDED && final ? 0 : mark;
    const { key } = this.candidate;
    this.candidate.reset();
    if (mark.ends) {
      this.warn('「末」 without 「始」 was ignored');
      return mark.length;
    }
    if (key === undefined) this.invalid ??= 'a value has no key; write key:「始」value「末」';
    this.valueEnd = offset + at + mark.length;
    const listener = key === undefined || isReserved(key) ? undefined : this.listener;
    this.value = new ValueReader(key ?? '', mark.guarded, this.valueEnd, listener);
    return mark.length;
  }

  private readValue(value: ValueReader, text: string, from: number, offset: number, final: boolean): number {
    const { kind, at } = value.read(text, from, final);
    this.valueEnd = offset + at;
    if (kind === 'wait') return at;
    if (kind === 'end') {
      this.endValue(value, value.value);
      return at + value.endLength;
    }
    this.invalid ??= unclosed(value.key);
    this.leavesDoubt = true;
    this.endValue(value, value.value.trim());
    return at;
  }

  /** The first few are enough. */
  private warn(warning: string): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push(warning);
  }

  private endValue({ key, start }: ValueReader, value: string): void {
    this.value = undefined;
    if (isNameKey(key)) this.listener?.name(value.trim());
    if (key !== '') this.fields.push({ key, value, span: { start, end: this.valueEnd } });
  }
}

/** The end of the text if it is not found. */
function find(text: string, marker: string, from: number): number {
  const found = text.indexOf(marker, from);
  return found < 0 ? text.length : found;
}

/** The start of a marker at the end of the text. */
function pieceAt(text: string, from: number): number {
  let at = Math.max(from, text.length - REQUEST_CLOSE.length);
  while (at < text.length && markerAt(text, at, REQUEST_CLOSE) !== UNDECIDED && markerAt(text, at, REQUEST_OPEN) !== UNDECIDED) at++;
  return at;
}

function unclosed(key: string): string {
  return `the value of "${key}" is not closed with 「末」; a value that holds markers stands between 「始ESCAPE」 and 「末ESCAPE」`;
}

function unmarked(key: string): string {
  return `what follows "${key}:" is not between 「始」 and 「末」 and was ignored`;
}
