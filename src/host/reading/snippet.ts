import { findAlike } from '../../tools/equal-text/equal-text.ts';
import { ceilGrapheme, floorGrapheme } from '../../tools/util/graphemes.ts';

export const SNIPPET_CHARS = 240;
const LEAD_CHARS = 80;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** At most `limit` UTF-16 units of a text on one line, around `[start, end)`, in whole graphemes, with `…` where something was cut off. */
export function snippetAt(text: string, start: number, end: number, limit = SNIPPET_CHARS): string {
  const before = text.slice(0, start).replace(/\s+/g, ' ').trimStart();
  const whole = oneLine(text);
  if (whole.length <= limit) return whole;
  const room = limit - 2;
  const match = Math.min(before.length, whole.length);
  const length = Math.min(end - start, room);
  const lead = Math.min(LEAD_CHARS, room - length);
  const from = ceilGrapheme(whole, Math.max(0, Math.min(match - lead, whole.length - room)));
  const to = floorGrapheme(whole, Math.min(whole.length, from + room));
  return `${from > 0 ? '…' : ''}${whole.slice(from, to)}${to < whole.length ? '…' : ''}`;
}

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

const escaped = (term: string): string => term.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const longestFirst = (terms: readonly string[]): string[] =>
  terms.filter((term) => term !== '').sort((one, other) => other.length - one.length);

/** The first occurrence of any of the terms, ignoring case, and its spelling where that differs. */
export function findTerm(text: string, terms: readonly string[]): TextRange | undefined {
  const patterns = longestFirst(terms).map(escaped);
  if (patterns.length === 0) return undefined;
  const found = new RegExp(patterns.join('|'), 'iu').exec(text);
  if (found) return { start: found.index, end: found.index + found[0].length };
  const alike = longestFirst(terms).flatMap((term) => findAlike(text, term) ?? []);
  return alike.sort((one, other) => one.start - other.start)[0];
}

const ALPHABETIC = '[\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}\\p{N}]';
const EDGE = new RegExp(ALPHABETIC, 'u');

/** Like findTerm, but `it` is not found in `item`: in scripts that separate words, only whole words count. */
export function findName(text: string, terms: readonly string[]): TextRange | undefined {
  const patterns = longestFirst(terms).map((term) => {
    const [first = ''] = term;
    const last = [...term].at(-1) ?? '';
    return `${EDGE.test(first) ? `(?:^|[^${ALPHABETIC.slice(1)})` : '()'}(${escaped(term)})${EDGE.test(last) ? `(?!${ALPHABETIC})` : ''}`;
  });
  for (const pattern of patterns) {
    const found = new RegExp(pattern, 'iu').exec(text);
    const name = found?.at(-1);
    if (found && name !== undefined) return { start: found.index + found[0].length - name.length, end: found.index + found[0].length };
  }
  return undefined;
}
