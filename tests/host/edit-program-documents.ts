// Random documents for the property test: Markdown of every kind of block, literals put in by DOM, attributes on anything.
import { paragraph } from './block-support.ts';
import type { TestBench } from './support.ts';

/** A source of choices: the same numbers make the same choices. */
export class Choices {
  private state: number;

  constructor(seed: number) {
    this.state = (seed ^ 0x9e3779b9) >>> 0;
  }

  /** 0 … bound - 1. */
  below(bound: number): number {
    this.state = (Math.imul(this.state ^ (this.state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 12), 0x297a2d39);
    mixed = (mixed ^ (mixed >>> 15)) >>> 0;
    return bound <= 0 ? 0 : mixed % bound;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  some<T>(items: readonly T[], most: number): T[] {
    const rest = [...items];
    const taken: T[] = [];
    for (let count = 1 + this.below(most); count > 0 && rest.length > 0; count -= 1) taken.push(...rest.splice(this.below(rest.length), 1));
    return taken;
  }
}

const WORDS = ['moon', 'apollo', 'fuel', '月球', 'crew', 'engine', 'log', 'plan', 'orbit', 'äöü', 'x_y', '3.14'];
const LITERALS = [
  '- dash',
  '((x)) #x#',
  '**b** $x$ ==m==',
  '&lt;br&gt; &amp;amp;',
  '{: custom-x=&quot;y&quot;}',
  'a\\b \\*c\\*',
  '```',
  '{{{row',
  '---',
  '[a](b) ![a](b)',
  '1. one',
  'red <span data-type="strong text" style="color: red;">word</span>',
  '<span data-type="code">c</span> and <span data-type="tag">t</span>',
];

const words = (choices: Choices, most: number): string =>
  Array.from({ length: 1 + choices.below(most) }, () => choices.pick(WORDS) ?? '').join(' ');

/** One block's Markdown. */
export function randomMarkdown(choices: Choices): string {
  switch (choices.below(13)) {
    case 0:
      return `${'#'.repeat(1 + choices.below(3))} ${words(choices, 3)}`;
    case 1:
      return `- ${words(choices, 3)}\n- ${words(choices, 2)}`;
    case 2:
      return `- ${words(choices, 2)}\n  - ${words(choices, 2)}\n    - ${words(choices, 2)}\n- ${words(choices, 2)}`;
    case 3:
      return `1. ${words(choices, 2)}\n2. ${words(choices, 2)}`;
    case 4:
      return `- [ ] ${words(choices, 2)}\n- [x] ${words(choices, 2)}`;
    case 5:
      return `> ${words(choices, 3)}\n>\n> ${words(choices, 2)}`;
    case 6:
      return `\`\`\`js\nlet ${words(choices, 1)};\n\nend\n\`\`\``;
    case 7:
      return `| ${words(choices, 1)} | b |\n| - | - |\n| ${words(choices, 2)} | 2 |`;
    case 8:
      return `$$\n${choices.below(9)}x\n$$`;
    case 9:
      return `${words(choices, 4)} **${words(choices, 1)}** \`c\` #tag#`;
    default:
      return words(choices, 8);
  }
}

export const randomText = (choices: Choices, blocks: number): string =>
  Array.from({ length: 1 + choices.below(blocks) }, () => randomMarkdown(choices)).join('\n\n');

let counter = 0;

/** An id that no kernel would make at this moment. */
export function testId(): string {
  counter += 1;
  return `20250101${String(process.pid % 1_000_000).padStart(6, '0')}-${counter.toString(36).padStart(7, 'q')}`;
}

const idsIn = (dom: string): string[] => [...dom.matchAll(/data-node-id="([^"]+)"/g)].map((match) => match[1] ?? '');

/** Literals and attributes, as editors and plugins leave them. */
async function dress(bench: TestBench, document: string, choices: Choices): Promise<void> {
  for (let count = choices.below(3); count > 0; count -= 1) {
    const id = testId();
    const previousID = choices.pick(await bench.blocks(document));
    await bench.transact([{ action: 'insert', id, data: paragraph(id, choices.pick(LITERALS) ?? ''), previousID }]);
  }
  const ids = idsIn(await bench.dom(document));
  for (let count = choices.below(4); count > 0; count -= 1) {
    const attrs = { 'custom-kept': `v${choices.below(99)} "q" <b>`, ...(choices.chance(30) ? { memo: 'm', name: `n${testId()}` } : {}) };
    await bench.api('/api/attr/setBlockAttrs', { id: choices.pick(ids), attrs });
  }
  if (choices.chance(30)) {
    const headings = await bench.api<{ id: string; type: string }[]>('/api/block/getChildBlocks', { id: document });
    const folded = choices.pick(headings.filter((block) => block.type === 'h'));
    if (folded) await bench.transact([{ action: 'foldHeading', id: folded.id }]);
  }
}

/** Two documents to write in: blocks move between them. */
export async function makeDocuments(bench: TestBench, choices: Choices, text?: string): Promise<string[]> {
  counter += 1;
  const first = await bench.document(`/Program ${process.pid} ${counter} a`, text ?? randomText(choices, 9));
  const second = await bench.document(`/Program ${process.pid} ${counter} b`, randomText(choices, 4));
  for (const id of [first, second]) await dress(bench, id, choices);
  // What was done here must not look like somebody writing while the program runs.
  await bench.delivered(first);
  return [first, second];
}
