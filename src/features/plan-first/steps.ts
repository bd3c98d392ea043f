import type { ToolArguments } from '../../tools/contract/types.ts';
import { textListArgument } from '../../tools/util/define.ts';

/** The steps of a call, each on one line. */
export const stepsOf = (args: ToolArguments): readonly string[] =>
  (textListArgument(args, 'steps') ?? []).map((step) => step.replaceAll(/\s+/gu, ' ').trim()).filter((step) => step !== '');

interface Named {
  readonly id: string | null;
  readonly title: string;
}

const even = (text: string): string => text.normalize('NFKC').toLowerCase();

const LETTER = /^[\p{L}\p{N}]/u;
/** Of languages that put no space between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Tells if a step names a note by its id, or by its title as whole words. */
export function names(step: string, { id, title }: Named): boolean {
  if (id !== null && id !== '' && step.includes(id)) return true;
  const [text, wanted] = [even(step), even(title).trim()];
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const around = [[...text.slice(0, at)].at(-1) ?? '', [...text.slice(at + wanted.length)][0] ?? ''];
    if (UNSPACED.test(wanted) || !around.some((sign) => LETTER.test(sign))) return true;
  }
  return false;
}
