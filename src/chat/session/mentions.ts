import type { AttachedContext, ChatContext } from './types.ts';

export interface MentionPart<Context> {
  readonly text: string;
  /** Offset in the text, in UTF-16 units. */
  readonly start: number;
  readonly context?: Context;
}

/** After one of these the sign is part of an address ("a@b.com"), as in the composer's list. */
const BEFORE = /[\w.@/-]$/;
const ENDS_IN_LETTER = /[\w]$/;
const STARTS_WITH_LETTER = /^[\w]/;

function isWhole(text: string, start: number, words: string): boolean {
  const after = text.slice(start + words.length, start + words.length + 1);
  return !BEFORE.test(text.slice(Math.max(0, start - 1), start)) && !(ENDS_IN_LETTER.test(words) && STARTS_WITH_LETTER.test(after));
}

/** The text in parts. If two names begin alike, the longer one matches. */
export function mentionParts<Context extends Pick<ChatContext, 'mention'>>(
  text: string,
  contexts: readonly Context[],
): readonly MentionPart<Context>[] {
  const named = contexts
    // A damaged chat may contain an invalid context; the composer must still work.
    .flatMap((context) => (context?.mention ? [{ words: context.mention, context }] : []))
    .sort((one, other) => other.words.length - one.words.length);
  const parts: MentionPart<Context>[] = [];
  let from = 0;
  const plain = (end: number): void => {
    if (end > from) parts.push({ text: text.slice(from, end), start: from });
  };
  for (let at = text.indexOf('@'); at >= 0 && named.length > 0; at = text.indexOf('@', Math.max(at + 1, from))) {
    const start = at;
    const found = named.find(({ words }) => text.startsWith(words, start) && isWhole(text, start, words));
    if (!found) continue;
    plain(start);
    parts.push({ text: found.words, start, context: found.context });
    from = start + found.words.length;
  }
  plain(text.length);
  return parts;
}

export const namedIn = (text: string, contexts: readonly AttachedContext[]): ReadonlySet<string> =>
  new Set(mentionParts(text, contexts).flatMap(({ context }) => (context ? [context.contextId] : [])));

/** The maximum length of a name in a sentence; a block's first words may be longer. */
const LONGEST = 40;

/** The name in a sentence: the title, plus its place if another attached item has the same title. */
export function mentionFor(title: string, place: string, others: readonly Pick<ChatContext, 'mention'>[]): string {
  const plain = title.replaceAll(/[\s@]+/g, ' ').trim();
  const chars = [...plain];
  const name = chars.length > LONGEST ? `${chars.slice(0, LONGEST).join('').trim()}…` : plain;
  if (name === '') return '';
  const taken = new Set(others.map(({ mention }) => mention));
  const where = place.replaceAll(/[\s@]+/g, ' ').trim();
  const long = where === '' ? name : `${name} (${where})`;
  for (const words of [`@${name}`, `@${long}`]) if (!taken.has(words)) return words;
  let number = 2;
  while (taken.has(`@${long} ${number}`)) number++;
  return `@${long} ${number}`;
}
