import { ToolError } from '../../tools/contract/errors.ts';
import type { NewCard } from '../../tools/contract/note-planner.ts';

/** How the cards of an answer are written: the easiest form for small models, in which answers of several lines need no indentation. */
export const CARD_FORM = [
  'Answer with cards only, without greeting or comment. Each card is two parts, with an empty line between two cards:',
  'Q: the question',
  'A: the answer, Markdown',
].join('\n');

/** Beginning of a question or an answer, as models write them: with a bullet, a number, bold, or in Chinese. */
const BEGINNING =
  /^[ \t]*(?:[-*+][ \t]+)?(?:\*\*|__)?(?:(Q(?:uestion)?|问题?|問題?)|(A(?:nswer)?|答案?))[ \t]*\d*(?:\*\*|__)?[ \t]*[:：](?:\*\*|__)?[ \t]*/iu;
const DIVIDER = /^[ \t]*(?:-{3,}|={3,}|\*{3,})[ \t]*$/u;

const joined = (lines: readonly string[]): string => lines.join('\n').trim();

/** The cards of an answer, the last one without its answer while the model writes. What is before the first question is left out. */
export function cardsIn(text: string): readonly NewCard[] {
  const cards: { question: string[]; answer: string[] | undefined }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    const found = isCode ? null : BEGINNING.exec(line);
    const rest = found ? line.slice(found[0].length) : line;
    if (/^[ \t]*(?:`{3,}|~{3,})/u.test(rest)) isCode = !isCode;
    const last = cards.at(-1);
    if (found?.[1] !== undefined) cards.push({ question: [rest], answer: undefined });
    else if (!last) continue;
    else if (found && last.answer === undefined) last.answer = [rest];
    else if (isCode || !DIVIDER.test(line)) (last.answer ?? last.question).push(line);
  }
  return cards.map(({ question, answer }) => ({ question: joined(question), answer: joined(answer ?? []) }));
}

/** Those that have both; rejects an answer without any. */
export function wholeCards(text: string): readonly NewCard[] {
  const cards = cardsIn(text).filter(({ question, answer }) => question !== '' && answer !== '');
  if (cards.length === 0)
    throw new ToolError('model_bad_answer', 'the model gave no questions with answers', 'try again, or choose another model');
  return cards;
}

const indented = (text: string): string => text.replaceAll('\n', '\n    ');

export const cardsAsMarkdown = (text: string): string =>
  cardsIn(text)
    .map(({ question, answer }) => `- ${question.replaceAll('\n', '\n  ')}${answer === '' ? '' : `\n  - ${indented(answer)}`}`)
    .join('\n');
