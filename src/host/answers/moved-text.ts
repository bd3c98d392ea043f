/** Characters in a row that must be the same for a text to be another's where one block lost it and another gained it in one step. */
export const AT_ONCE = 8;
/** The same where it was cut or copied before: then chance must be ruled out. */
export const LATER = 20;

const LETTER = /[\p{L}\p{N}]/u;
const SIGNS = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
/** A text is compared as far as this; a block is rarely as long. */
const MOST = 20_000;

export const evenly = (text: string): string => text.replaceAll('\u200b', '').replaceAll(/\s+/g, ' ').trim().slice(0, MOST);
export const saysSomething = (text: string): boolean => LETTER.test(text);

/** The part that `after` has beyond `before`: without their common begin and end. */
export function gainOf(before: string, after: string): string {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.slice(start, after.length - end);
}

/** Every run of that many characters, and of half as many where each is a whole syllable or word, as in Chinese. */
function runsOf(text: string, length: number): ReadonlySet<string> {
  const runs = new Set<string>();
  const signs = [...text].map((sign) => SIGNS.test(sign));
  const all = [...text];
  for (let at = 0; at < all.length; at += 1) {
    const run = all.slice(at, at + length);
    if (run.length === length && run.filter((sign) => LETTER.test(sign)).length * 2 >= length) runs.add(run.join(''));
    const half = signs.slice(at, at + length / 2);
    if (half.length === length / 2 && half.every(Boolean)) runs.add(all.slice(at, at + length / 2).join(''));
  }
  return runs;
}

/** Tells if both have a run of that length; `none`: a run of it does not count. */
export function sharesRun(one: string, other: string, length: number, none = ''): boolean {
  const theirs = runsOf(evenly(other), length);
  const never = runsOf(evenly(none), length);
  for (const run of runsOf(evenly(one), length)) if (theirs.has(run) && !never.has(run)) return true;
  return false;
}

/** Words with a meaning by themselves: of four letters or more, and each pair of signs in writing without blanks. */
export function wordsOf(text: string): ReadonlySet<string> {
  const even = evenly(text).toLowerCase();
  const pairs = [...even].map((sign, at, all) => (SIGNS.test(sign) && SIGNS.test(all[at + 1] ?? '') ? sign + all[at + 1] : ''));
  return new Set([...(even.match(/[\p{L}\p{N}]{4,}/gu) ?? []), ...pairs.filter((pair) => pair !== '')]);
}
