/** Levels of lists and objects: more is never meant, and would exhaust the stack of whatever walks the value. */
export const MAX_DEPTH = 64;

export type LenientResult =
  | { readonly kind: 'value'; readonly value: unknown }
  /** The text is truncated: completing it could run half of what was meant. */
  | { readonly kind: 'cut' }
  | { readonly kind: 'wrong'; readonly reason: string };

/** Parses JSON as models write it: only spelling is forgiven, never a missing end, so a text and its prefix never give two values. */
export function parseLenient(text: string): LenientResult {
  const reader = new Reader(text, 0);
  return resultOf(() => {
    reader.skipOpening();
    const value = reader.value(0);
    reader.skipClosing();
    return value;
  });
}

/** One value beginning at `at`, and its end: the text after it is not inspected. */
export function parseLenientAt(text: string, at: number): LenientResult & { readonly end: number } {
  const reader = new Reader(text, at);
  return { ...resultOf(() => reader.value(0)), end: reader.at };
}

function resultOf(read: () => unknown): LenientResult {
  try {
    return { kind: 'value', value: read() };
  } catch (error) {
    if (error instanceof Cut) return { kind: 'cut' };
    if (error instanceof Wrong) return { kind: 'wrong', reason: error.message };
    throw error;
  }
}

class Cut extends Error {}
class Wrong extends Error {}

const SPACE = /\s+/uy;
const LINE_COMMENT = /(?:\/\/|#)[^\n]*/uy;
const FENCE_OPEN = /```[\w+-]*/uy;
/** `write(`, `tools.write(`, `(`, `args =`. */
const CALL_OPEN = /(?:[\p{L}_$][\p{L}\p{N}_$.-]*\s*)?[(=]/uy;
const TAG_OPEN = /<[\p{L}_][\p{L}\p{N}_:-]*>/uy;
const CLOSING = /[)\]};,]|```|<\/[\p{L}_][\p{L}\p{N}_:-]*>/uy;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\p{L}\p{N}_$.+-])/uy;
const NAME = /[\p{L}_$][\p{L}\p{N}_$-]*/uy;
/** Text up to an end or an escape. */
const PLAIN = { '"': /[^"\\]+/uy, "'": /[^'\\]+/uy } as const;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null, True: true, False: false, None: null };

class Reader {
  private readonly text: string;
  at: number;

  constructor(text: string, at: number) {
    this.text = text;
    this.at = at;
  }

  skipOpening(): void {
    do this.skipSpace();
    while (this.take(FENCE_OPEN) !== undefined || this.take(CALL_OPEN) !== undefined || this.take(TAG_OPEN) !== undefined);
  }

  skipClosing(): void {
    do this.skipSpace();
    while (this.take(CLOSING) !== undefined);
    if (this.at < this.text.length) throw this.wrong('something else follows the object');
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) throw new Wrong(`more than ${MAX_DEPTH} levels`);
    const first = this.peek();
    if (first === '{') return this.object(depth);
    if (first === '[') return this.list(depth);
    if (first === '"' || first === "'") return this.string(first);
    const number = this.take(NUMBER);
    if (number !== undefined) return Number(number);
    const word = this.take(NAME);
    if (word === undefined) throw this.wrong('a value is missing');
    return Object.hasOwn(WORDS, word) ? WORDS[word] : word;
  }

  private object(depth: number): unknown {
    const entries: (readonly [string, unknown])[] = [];
    this.at++;
    for (this.skipSpace(); this.peek() !== '}'; this.separate('}')) {
      const first = this.peek();
      const key = first === '"' || first === "'" ? this.string(first) : (this.take(NAME) ?? this.take(NUMBER));
      if (key === undefined) throw this.wrong('a name is missing');
      this.skipSpace();
      if (this.peek() !== ':') throw this.wrong('a colon is missing');
      this.at++;
      this.skipSpace();
      entries.push([key, this.value(depth + 1)]);
    }
    this.at++;
    // Makes `__proto__` a name like any other.
    return Object.fromEntries(entries);
  }

  private list(depth: number): unknown {
    const items: unknown[] = [];
    this.at++;
    for (this.skipSpace(); this.peek() !== ']'; this.separate(']')) items.push(this.value(depth + 1));
    this.at++;
    return items;
  }

  /** A comma between two values; one behind the last is forgiven, a missing one is not: it may be a quote inside a text. */
  private separate(end: string): void {
    this.skipSpace();
    const next = this.peek();
    if (next === end) return;
    if (next !== ',') throw this.wrong('a comma is missing');
    this.at++;
    this.skipSpace();
  }

  private string(quote: '"' | "'"): string {
    const parts: string[] = [];
    for (this.at++; this.peek() !== quote; ) parts.push(this.take(PLAIN[quote]) ?? this.escape());
    this.at++;
    return parts.join('');
  }

  /** An escape that JSON does not know is literal, as in a pattern: `\d`. */
  private escape(): string {
    this.at++;
    const letter = this.peek();
    this.at++;
    if (letter === 'u') {
      const code = this.text.slice(this.at, this.at + 4);
      if (code.length < 4) throw new Cut();
      if (!/^[\da-f]{4}$/iu.test(code)) throw this.wrong('an escape is wrong');
      this.at += 4;
      return String.fromCharCode(Number.parseInt(code, 16));
    }
    return ESCAPES[letter] ?? `\\${letter}`;
  }

  private skipSpace(): void {
    while (this.take(SPACE) !== undefined || this.take(LINE_COMMENT) !== undefined || this.skipComment());
  }

  private skipComment(): boolean {
    if (!this.text.startsWith('/*', this.at)) return false;
    const end = this.text.indexOf('*/', this.at + 2);
    if (end < 0) throw new Cut();
    this.at = end + 2;
    return true;
  }

  private take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined || found === '') return undefined;
    this.at += found.length;
    return found;
  }

  /** The next character; throws Cut where there is none. */
  private peek(): string {
    const next = this.text[this.at];
    if (next === undefined) throw new Cut();
    return next;
  }

  private wrong(what: string): Error {
    return this.at >= this.text.length ? new Cut() : new Wrong(`${what} at character ${this.at}`);
  }
}
