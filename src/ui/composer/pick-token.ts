/** What is being picked: a note behind "@", or a prompt behind "/" in an otherwise empty composer. */
export interface PickToken {
  readonly kind: 'context' | 'prompt';
  /** What is typed behind the sign. */
  readonly words: string;
  /** In the text, the sign included; UTF-16 units. */
  readonly start: number;
  readonly end: number;
}

/** Longer words are no name that somebody looks for. */
const LONGEST = 40;

/** A sign behind a letter belongs to an address (a@b.com); behind Chinese, which has no spaces, it does not. */
const CONTEXT = new RegExp(String.raw`(?:^|[^\w.@/-])@([^\s@]{0,${LONGEST}})$`, 'u');
const PROMPT = new RegExp(String.raw`^/([^\s/]{0,${LONGEST}})$`, 'u');

/** What stands before the caret, where that is something to pick. */
export function tokenAt(text: string, caret: number): PickToken | null {
  const before = text.slice(0, caret);
  const [, prompt] = (caret === text.length ? PROMPT.exec(before) : null) ?? [];
  if (prompt !== undefined) return { kind: 'prompt', words: prompt, start: 0, end: caret };
  const [, words] = CONTEXT.exec(before) ?? [];
  return words === undefined ? null : { kind: 'context', words, start: caret - words.length - 1, end: caret };
}
