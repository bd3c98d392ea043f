import { Normalizer } from './normalizer.ts';

const UNKNOWN = 0;
const BEGIN = 1;
const END = 2;
/** How much worse than the worst piece a sign is that no piece holds. */
const PENALTY = 10;

interface Field {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/** The fields of a message of Protocol Buffers that have a length or four bytes; numbers are skipped. */
function* fieldsOf(bytes: Uint8Array): Generator<Field, void> {
  let at = 0;
  const number = (): number => {
    for (let value = 0, shift = 1; ; shift *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = number();
    const kind = tag & 7;
    if (kind === 0) number();
    else {
      const fixed = kind === 5 ? 4 : 8;
      const length = kind === 2 ? number() : fixed;
      yield { number: tag >>> 3, bytes: bytes.subarray(at, at + length) };
      at += length;
    }
  }
}

/** Cuts a text into the pieces of a SentencePiece model whose sum of scores is the greatest. */
export class Tokenizer {
  private readonly normalizer: Normalizer;
  /** The number of a piece; -1 for the beginning of one. */
  private readonly pieces = new Map<string, number>();
  private readonly scores: number[] = [];
  private readonly unknownScore: number;

  constructor(model: Uint8Array) {
    const decoder = new TextDecoder();
    let rules = new Uint8Array();
    for (const { number, bytes } of fieldsOf(model)) {
      if (number === 1) this.addPiece(bytes, decoder);
      if (number === 3) for (const field of fieldsOf(bytes)) if (field.number === 2) rules = field.bytes.slice();
    }
    this.normalizer = new Normalizer(rules);
    this.unknownScore = this.scores.reduce((least, score) => Math.min(least, score), 0) - PENALTY;
  }

  private addPiece(message: Uint8Array, decoder: TextDecoder): void {
    let text = '';
    let score = 0;
    for (const { number, bytes } of fieldsOf(message)) {
      if (number === 1) text = decoder.decode(bytes);
      if (number === 2) score = new DataView(bytes.buffer, bytes.byteOffset).getFloat32(0, true);
    }
    let start = '';
    for (const sign of text) {
      start += sign;
      if (!this.pieces.has(start)) this.pieces.set(start, -1);
    }
    this.pieces.set(text, this.scores.length);
    this.scores.push(score);
  }

  /** Numbers of the pieces, between those that mark the begin and the end. */
  encode(text: string): number[] {
    const signs = Array.from(this.normalizer.normalize(text));
    const best = new Float64Array(signs.length + 1).fill(Number.NEGATIVE_INFINITY);
    const from = new Int32Array(signs.length + 1);
    const piece = new Int32Array(signs.length + 1);
    best[0] = 0;
    const offer = (start: number, end: number, id: number, score: number): void => {
      const sum = (best[start] ?? 0) + score;
      if (sum <= (best[end] ?? 0)) return;
      best[end] = sum;
      from[end] = start;
      piece[end] = id;
    };
    for (let start = 0; start < signs.length; start += 1) {
      let text = '';
      let isKnown = false;
      for (let end = start + 1; end <= signs.length; end += 1) {
        text += signs[end - 1];
        const id = this.pieces.get(text);
        if (id === undefined) break;
        if (id < 0) continue;
        isKnown ||= end === start + 1;
        offer(start, end, id, this.scores[id] ?? 0);
      }
      if (!isKnown) offer(start, start + 1, UNKNOWN, this.unknownScore);
    }
    const ids: number[] = [END];
    for (let end = signs.length; end > 0; end = from[end] ?? 0) ids.push(piece[end] ?? UNKNOWN);
    if (signs.length === 0) ids.push(UNKNOWN);
    return [...ids, BEGIN].reverse();
  }
}
