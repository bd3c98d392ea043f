import type { Random } from './random.ts';
import { seededRandom } from './random.ts';

/** Answers to read, at least `length` characters long. */
export type MakeAnswer = (length: number) => string;

const WORDS =
  'the launch of apollo was planned for may and the budget is tight 笔记 预算 很紧 if a < b or x <= y then `code` is é Zoë'.split(' ');

function sentence(random: Random): string {
  return Array.from({ length: 8 + random.below(20) }, () => random.pick(WORDS) ?? '').join(' ');
}

function paragraph(random: Random): string {
  const dice = random.below(10);
  if (dice === 0) return `\`\`\`js\n${sentence(random)}\nif (a < b) {}\n\`\`\``;
  if (dice === 1) return `- ${sentence(random)}\n- ${sentence(random)}`;
  return sentence(random);
}

function fill(length: number, next: (random: Random) => string): string {
  const random = seededRandom(3);
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const part = next(random);
    parts.push(part);
    size += part.length;
  }
  return parts.join('');
}

/** A text around what opens and what closes, nested as deeply as fits. */
const nest = (length: number, open: string, middle: string, close: string): string => {
  const levels = Math.ceil(length / (open.length + close.length));
  return open.repeat(levels) + middle + close.repeat(levels);
};

const OPEN = '<<<[TOOL_REQUEST]>>>';
const CLOSE = '<<<[END_TOOL_REQUEST]>>>';

const vcpRequest = (random: Random): string =>
  `${OPEN}\ntool_name:「始」edit_block「末」\nid:「始」20240131120000-abc1234「末」\nmarkdown:「始」${sentence(random)}「末」\n${CLOSE}\n`;

const jsonRequest = (random: Random): string =>
  `<tool_call>\n${JSON.stringify({ name: 'edit_block', arguments: { id: '20240131120000-abc1234', markdown: sentence(random) } })}\n</tool_call>\n`;

/** With a request now and then, so that the whole has to be read. */
const prose = (request: (random: Random) => string): MakeAnswer => {
  return (length) => fill(length, (random) => (random.below(200) === 0 ? request(random) : `${paragraph(random)}\n\n`));
};

export const ANSWERS: Readonly<Record<'vcp' | 'json', Readonly<Record<string, MakeAnswer>>>> = {
  vcp: {
    prose: prose(vcpRequest),
    'dense requests': (length) => fill(length, vcpRequest),
    'deep nesting': (length) => nest(length, `${OPEN}\ntext:「始」`, 'x', `「末」\n${CLOSE}\n`),
    'unclosed markers': (length) => fill(length, (random) => `${OPEN}\ntext:「始」${sentence(random)}\n`),
  },
  json: {
    prose: prose(jsonRequest),
    'dense requests': (length) => fill(length, jsonRequest),
    'deep nesting': (length) => `<tool_call>${nest(length, '{"a":[', '1', ']}')}</tool_call>`,
    'unclosed markers': (length) => fill(length, (random) => `<tool_call>{"text": "${sentence(random)}\n`),
  },
};
