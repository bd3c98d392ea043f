import { markerAt, UNDECIDED } from '../scanner/marker.ts';
import type { BlockListener } from '../scanner/syntax.ts';
import { markLength, REQUEST_CLOSE, REQUEST_OPEN, valueMarkAt } from './markers.ts';

const CORNER = '「'.charCodeAt(0);
const LESS = 60;
const RETURN = 13;
const BACKSLASH = 92;

/** Instead of a number of characters to keep: one to drop, or why parsing stops. */
const DROP = 0;
const WAIT = -1;
const END = -2;
const BROKEN = -3;

/** Where parsing stopped: at undecided text or the end, at the mark that ends the value, or at one that shows it was not closed. */
export interface ValueStop {
  readonly kind: 'wait' | 'end' | 'broken';
  readonly at: number;
}

/** The value of one field, from directly after its opening mark. */
export class ValueReader {
  readonly key: string;
  /** Between ESCAPE marks. */
  private readonly guarded: boolean;
  /** In the whole answer. */
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

  /** Length of the mark that ends it. */
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
