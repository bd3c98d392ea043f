import type { CheckedClaim } from '../../chat/session/types.ts';
import { withoutThoughts } from '../../model/answer/thoughts.ts';

const MOST_WORDS = 400;
const ANSWER = /^[\s*_`"“]*(supported|not supported|not said)[\s*_`"”.:]*(?:\n([\s\S]*))?$/iu;
const VERDICTS: Readonly<Record<string, CheckedClaim['verdict']>> = {
  ...{ supported: 'supported', 'not supported': 'otherwise', 'not said': 'unsaid' },
};

/** Without the signs of Markdown and on one line: what a model copies of it. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/[*_`~\\]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();

const hasWords = (source: string, words: string): boolean =>
  /[\p{L}\p{N}]{2}|\p{Script=Han}/u.test(words) && plainText(source).includes(words);

/** The verdict of an answer in the fixed form; `unclear` for any other, and where the words are not in the text. */
export function readVerdict(answer: string, source: string): Pick<CheckedClaim, 'verdict' | 'words'> {
  const [, said = '', quoted = ''] = withoutThoughts(answer).trim().match(ANSWER) ?? [];
  const verdict = VERDICTS[said.toLowerCase()] ?? 'unclear';
  if (verdict === 'unsaid') return { verdict, words: '' };
  const words = plainText(quoted).replace(/^["“”„«「『]+|["“”»」』]+$/gu, '');
  return words.length <= MOST_WORDS && hasWords(source, words) ? { verdict, words } : { verdict: 'unclear', words: '' };
}
