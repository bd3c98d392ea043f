import { markerAt, UNDECIDED } from '../scanner/marker.ts';
import { markTailAt, REQUEST_CLOSE, REQUEST_OPEN, valueMarkAt } from './markers.ts';

const CORNER = '「'.charCodeAt(0);
const LESS = 60;
const RETURN = 13;
const BACKSLASH = 92;

/** `wait` for more text; `keep` or `drop` so many characters; or the value ends with a mark, or unclosed at a marker of the block. */
type Step = { readonly kind: 'wait' | 'keep' | 'drop' | 'end' | 'close' | 'open'; readonly length: number };
const WAIT: Step = { kind: 'wait', length: 0 };
const KEEP: Step = { kind: 'keep', length: 1 };
const DROP: Step = { kind: 'drop', length: 1 };

/** Where reading stopped: at what is undecided or the end of the text, or at a mark or marker of so many characters. */
export interface ValueStop {
  readonly kind: 'wait' | 'end' | 'close' | 'open';
  readonly at: number;
  readonly length: number;
}

/** The value of one field, from behind its opening mark. */
export class ValueReader {
  readonly key: string;
  /** A mark in it shows that it was not closed. */
  holdsMark = false;
  /** Between ESCAPE marks. */
  private readonly guarded: boolean;
  /** In the whole answer. */
  readonly start: number;
  private readonly told: (piece: string) => void;
  private readonly pieces: string[] = [];
  /** Before a backslash that may belong to an escaped mark. */
  private inCorner = false;

  constructor(key: string, guarded: boolean, start: number, told: (piece: string) => void) {
    this.key = key;
    this.guarded = guarded;
    this.start = start;
    this.told = told;
  }

  get value(): string {
    return this.pieces.join('');
  }

  read(text: string, from: number, final: boolean): ValueStop {
    let at = from;
    let kept = from;
    const keep = (to: number): void => {
      if (to === kept) return;
      const piece = text.slice(kept, to);
      this.pieces.push(piece);
      this.told(piece);
    };
    while (at < text.length) {
      const { kind, length } = this.step(text, at, final);
      if (kind === 'keep') {
        at += length;
        if (!this.inCorner) at = nextSpecial(text, at);
        continue;
      }
      keep(at);
      if (kind !== 'drop') return { kind, at, length };
      at += length;
      kept = at;
    }
    keep(at);
    return { kind: 'wait', at, length: 0 };
  }

  private step(text: string, at: number, final: boolean): Step {
    const code = text.charCodeAt(at);
    if (this.inCorner) return this.stepCorner(text, at, final);
    if (code === CORNER) return this.stepMark(text, at, final);
    if (code === LESS && !this.guarded) return this.stepMarker(text, at, final);
    if (code !== RETURN) return KEEP;
    const next = text[at + 1];
    if (next === undefined && !final) return WAIT;
    return next === '\n' ? DROP : KEEP;
  }

  private stepMark(text: string, at: number, final: boolean): Step {
    const mark = valueMarkAt(text, at);
    if (typeof mark === 'number') {
      if (mark === UNDECIDED && !final) return WAIT;
      this.inCorner = text.charCodeAt(at + 1) === BACKSLASH;
      return KEEP;
    }
    if (mark.ends && mark.guarded === this.guarded) return { kind: 'end', length: mark.length };
    if (!mark.ends && !this.guarded) this.holdsMark = true;
    return { kind: 'keep', length: mark.length };
  }

  /** Of the backslashes between `「` and the rest of a mark the last one is taken away; whatever else follows, all stay. */
  private stepCorner(text: string, at: number, final: boolean): Step {
    const next = text.charCodeAt(at + 1);
    if (next === BACKSLASH) return KEEP;
    const tail = markTailAt(text, at + 1);
    if (tail === UNDECIDED && !final) return WAIT;
    this.inCorner = false;
    return typeof tail === 'number' ? KEEP : DROP;
  }

  private stepMarker(text: string, at: number, final: boolean): Step {
    const close = markerAt(text, at, REQUEST_CLOSE);
    if (close > 0) return { kind: 'close', length: close };
    const open = markerAt(text, at, REQUEST_OPEN);
    if (open > 0) return { kind: 'open', length: open };
    return (close === UNDECIDED || open === UNDECIDED) && !final ? WAIT : KEEP;
  }
}

function nextSpecial(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === CORNER || code === LESS || code === RETURN) break;
  }
  return at;
}
