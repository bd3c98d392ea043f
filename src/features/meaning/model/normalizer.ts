/** Replaces signs by SentencePiece's compiled rules: a double-array trie over UTF-8, then the replacements, each ending with 0. */
export class Normalizer {
  private readonly units: Uint32Array;
  private readonly replacements: Uint8Array;

  constructor(rules: Uint8Array) {
    const size = rules.length < 4 ? 0 : new DataView(rules.buffer, rules.byteOffset).getUint32(0, true);
    this.units = new Uint32Array(rules.slice(4, 4 + size).buffer);
    this.replacements = rules.subarray(4 + size);
  }

  /** The text with each run of spaces as one `▁`, and with one before it; '' if there is nothing but space. */
  normalize(text: string): string {
    const bytes = new TextEncoder().encode(text);
    const made: number[] = [];
    let afterSpace = true;
    for (let at = 0; at < bytes.length; ) {
      const { replacement, length } = this.longest(bytes, at);
      at += length;
      for (const byte of replacement) {
        const isSpace = byte === SPACE;
        if (!isSpace) {
          if (afterSpace) made.push(...MARK);
          made.push(byte);
        }
        afterSpace = isSpace;
      }
    }
    return new TextDecoder().decode(new Uint8Array(made));
  }

  /** The longest rule at this place, or the sign itself. */
  private longest(bytes: Uint8Array, from: number): { readonly replacement: Uint8Array; readonly length: number } {
    let length = 0;
    let value = 0;
    let node = offsetOf(this.units[0] ?? 0);
    for (let at = from; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      node ^= byte;
      const unit = this.units[node] ?? 0;
      if ((unit & LABEL) >>> 0 !== byte) break;
      node ^= offsetOf(unit);
      if ((unit & HAS_LEAF) === 0) continue;
      length = at + 1 - from;
      value = (this.units[node] ?? 0) & VALUE;
    }
    if (length > 0) return { replacement: this.replacements.subarray(value, this.replacements.indexOf(0, value)), length };
    const size = sizeOf(bytes[from] ?? 0);
    return { replacement: bytes.subarray(from, from + size), length: size };
  }
}

const SPACE = 0x20;
/** `▁` in UTF-8. */
const MARK = [0xe2, 0x96, 0x81];
const LABEL = 0x80_00_00_ff;
const HAS_LEAF = 0x1_00;
const VALUE = 0x7f_ff_ff_ff;

const offsetOf = (unit: number): number => (unit >>> 10) << ((unit & 0x2_00) >>> 6);

/** Bytes of the sign that begins with this one. */
function sizeOf(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}
