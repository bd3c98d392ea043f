import { UNDECIDED } from '../scanner/marker.ts';

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
export class KeyCandidate {
  private word = '';
  private state: 'none' | 'word' | 'behind' | 'colon' = 'none';

  private readonly dropped: (key: string) => void;

  /** `dropped` gets a key whose value has no marks. */
  constructor(dropped: (key: string) => void) {
    this.dropped = dropped;
  }

  /** The key, if a value may begin now. */
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
