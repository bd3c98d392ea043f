import { seededRandom } from './random.ts';

const WORDS = (
  'heat island street trees shade asphalt roof summer night measured trial note budget kernel block database the of and a is that ' +
  '地面 树木 空调 笔记 测量 夏天 outline chapter draft source **bold** `code` *often* [link](https://a.example/x)'
).split(' ');

export type TextKind = 'mixed' | 'table' | 'list' | 'paragraph' | 'listing';
export const TEXT_KINDS: readonly TextKind[] = ['mixed', 'table', 'list', 'paragraph', 'listing'];

/** Markdown of exactly this many characters: an answer with everything in it, or one single block. */
export function makeText(kind: TextKind, length: number, seed = 4): string {
  const random = seededRandom(seed);
  const words = (count: number): string => Array.from({ length: count }, () => random.pick(WORDS) ?? 'x').join(' ');
  const plain = (count: number): string => words(count).replaceAll(/[|*`]/g, '');
  const units: Readonly<Record<TextKind, (index: number) => string>> = {
    mixed: (index) => mixedUnit(index, words, plain),
    table: (index) => (index === 0 ? '| a | b | c |\n| :-- | --: | - |\n' : `| ${plain(4)} | ${plain(2)} | ${plain(3)} |\n`),
    list: () => `- ${words(9)}\n`,
    paragraph: () => `${words(14)}. `,
    listing: (index) => (index === 0 ? '```js\n' : `const value${index} = "${plain(5)}";\n`),
  };
  let text = '';
  for (let index = 0; text.length < length; index += 1) text += units[kind](index);
  return text.slice(0, length);
}

function mixedUnit(index: number, words: (count: number) => string, plain: (count: number) => string): string {
  const rows = Array.from({ length: 4 }, () => `| ${plain(3)} | ${plain(2)} |\n`).join('');
  const items = Array.from({ length: 5 }, () => `- ${words(10)}\n`).join('');
  const units = [
    `## ${plain(4)}\n\n`,
    `${words(60)}\n\n`,
    `${items}\n`,
    `${words(40)}\n\n`,
    `| a | b |\n| - | - |\n${rows}\n`,
    `\`\`\`js\nconst a = "${plain(6)}";\nreturn a;\n\`\`\`\n\n`,
    `> ${words(20)}\n\n`,
  ];
  return units[index % units.length] ?? '';
}

/** Cut into so many pieces of nearly one size. */
export function cutText(text: string, pieces: number): string[] {
  return Array.from({ length: pieces }, (_, index) =>
    text.slice(Math.round((index * text.length) / pieces), Math.round(((index + 1) * text.length) / pieces)),
  );
}
