import { markerAt, UNDECIDED } from '../scanner/marker.ts';
import type { BlockListener, BlockReader, RequestDraft } from '../scanner/syntax.ts';
import { draftsOf, type Field, isNameKey, isReserved } from './drafts.ts';
import { KeyCandidate } from './key-candidate.ts';
import { REQUEST_CLOSE, REQUEST_OPEN, valueMarkAt } from './markers.ts';
import { ValueReader } from './value.ts';

const CORNER = '「'.charCodeAt(0);
const LESS = 60;
/** `T`, of `<<<[TOOL_REQUEST]>>>`. */
const OPENS = 84;
const MAX_WARNINGS = 8;

/**
 * One VCP request. A marker in a plain value is a sign that it was not closed: it is kept up to there, the request becomes invalid, and
 * of what follows, which may be a part of the value, only the end is looked for. In an ESCAPE value only `「末ESCAPE」` means something.
 */
export class VcpBlock implements BlockReader {
  readonly closer = REQUEST_CLOSE;
  closed = false;
  leavesDoubt = false;
  private readonly listener: BlockListener;
  private readonly candidate = new KeyCandidate((key) => this.warn(unmarked(key)));
  private readonly fields: Field[] = [];
  private readonly warnings: string[] = [];
  private value: ValueReader | undefined;
  /** In the whole answer, so far. */
  private valueEnd = 0;
  private invalid: string | undefined;
  /** Requests that began behind a value that was not closed, and have not ended: they may be a part of it. */
  private depth = 0;

  constructor(listener: BlockListener) {
    this.listener = listener;
  }

  read(text: string, from: number, offset: number, final: boolean): number {
    let at = from;
    while (at < text.length && !this.closed) {
      const { value } = this;
      const next = value ? this.readValue(value, text, at, offset, final) : this.readFields(text, at, offset, final);
      if (next === at && value === this.value) break;
      at = next;
    }
    return at;
  }

  finish(interrupted: boolean): readonly RequestDraft[] {
    if (this.value !== undefined) this.endValue(this.value, this.value.value.trim());
    if (interrupted) this.invalid ??= 'the answer broke off before the end of the request; send it again, whole';
    return draftsOf(this.fields, this.invalid, this.warnings);
  }

  /** Up to the next value, the end of the block, or what is undecided. */
  private readFields(text: string, from: number, offset: number, final: boolean): number {
    let at = from;
    while (at < text.length && this.value === undefined && !this.closed) {
      if (this.leavesDoubt) at = nextLess(text, at);
      const code = text.charCodeAt(at);
      let length = 0;
      if (code === LESS) length = this.takeMarker(text, at, final);
      else if (code === CORNER) length = this.takeMark(text, at, offset, final);
      if (length === 0 && !this.closed) length = this.candidate.take(text, at, final);
      if (length === UNDECIDED) return at;
      at += length;
    }
    return Math.min(at, text.length);
  }

  /** Between fields, or behind a value that was not closed: the end, or another request though this one has not ended. */
  private takeMarker(text: string, at: number, final: boolean): number {
    // The first character in which the two differ; NaN at the end of the text.
    const letter = text.charCodeAt(at + '<<<['.length);
    const close = letter === OPENS ? 0 : markerAt(text, at, REQUEST_CLOSE);
    if (close > 0) {
      this.closed = this.depth === 0;
      this.depth--;
      return close;
    }
    const open = markerAt(text, at, REQUEST_OPEN);
    if (open > 0 && !this.leavesDoubt) {
      this.invalid ??= 'it has no END_TOOL_REQUEST marker; send it again, whole';
      this.closed = true;
      return 0;
    }
    // What may stand in a value never runs.
    if (open > 0) this.depth++;
    return (close === UNDECIDED || open === UNDECIDED) && !final ? UNDECIDED : Math.max(open, 0);
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
    const isArgument = key !== undefined && !isReserved(key);
    const told = (piece: string): void => {
      if (isArgument) this.listener.argument(key, piece);
    };
    this.valueEnd = offset + at + mark.length;
    this.value = new ValueReader(key ?? '', mark.guarded, this.valueEnd, told);
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

  /** The first few say enough. */
  private warn(warning: string): void {
    if (this.warnings.length < MAX_WARNINGS) this.warnings.push(warning);
  }

  private endValue({ key, start }: ValueReader, value: string): void {
    this.value = undefined;
    if (isNameKey(key)) this.listener.name(value.trim());
    if (key !== '') this.fields.push({ key, value, span: { start, end: this.valueEnd } });
  }
}

function nextLess(text: string, from: number): number {
  const found = text.indexOf('<', from);
  return found < 0 ? text.length : found;
}

function unclosed(key: string): string {
  return `the value of "${key}" is not closed with 「末」; a value that holds markers stands between 「始ESCAPE」 and 「末ESCAPE」`;
}

function unmarked(key: string): string {
  return `what follows "${key}:" is not between 「始」 and 「末」 and was ignored`;
}
