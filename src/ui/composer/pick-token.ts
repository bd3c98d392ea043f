/** What is being picked: a note after "@", or a prompt after "/" in an otherwise empty composer. */
export interface PickToken {
  readonly kind: 'context' | 'prompt';
  /** The text typed after the character. With spaces it may be the title of a note, or a sentence that continues. */
  readonly words: string;
  /** In the text, including the character; UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Typed on, below a list that is shown. */
  readonly goesOn?: boolean;
}

/** Longer input is not a name that somebody is searching. */
const LONGEST = 80;

/** After a letter the character belongs to an address (a@b.com); after Chinese, which has no spaces, it does not. */
const CONTEXT = new RegExp(String.raw`(?:^|[^\w.@/-])@((?:[^\s@](?:[^\n@]{0,${LONGEST}}[^\s@])? ?)?)$`, 'u');
const PROMPT = new RegExp(String.raw`^/((?:[^\s/][^\n/]{0,${LONGEST}})?)$`, 'u');

/** What is being picked at the caret, if anything. */
export function tokenAt(text: string, caret: number): PickToken | null {
  const before = text.slice(0, caret);
  const [, prompt] = (caret === text.length ? PROMPT.exec(before) : null) ?? [];
  if (prompt !== undefined) return { kind: 'prompt', words: prompt, start: 0, end: caret };
  const [, words] = CONTEXT.exec(before) ?? [];
  return words === undefined ? null : { kind: 'context', words, start: caret - words.length - 1, end: caret };
}
