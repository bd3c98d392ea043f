// Random documents for the property test: blocks of every kind, as Markdown and as the editor stores them, and attributes on anything.
import { paragraph } from './block-support.ts';
import { type BlockWorld, editorBlock, randomText } from './edit-program-blocks.ts';
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

let counter = 0;

/** An id that no kernel would make at this moment. */
export function testId(): string {
  counter += 1;
  return `20250101${String(process.pid % 1_000_000).padStart(6, '0')}-${counter.toString(36).padStart(7, 'q')}`;
}

const idsIn = (dom: string): string[] => [...dom.matchAll(/data-node-id="([^"]+)"/g)].map((match) => match[1] ?? '');

const ATTRIBUTES: readonly Readonly<Record<string, string>>[] = [
  { 'custom-kept': 'v1 "q" <b>' },
  { memo: 'a memo\nof two lines' },
  { bookmark: 'important' },
  { alias: 'one, two' },
  { style: 'color: var(--b3-font-color5); text-align: center;' },
  { 'custom-kept': '&lt; 注 {: x="y"}', memo: 'm' },
];

/** Blocks as the editor stores them, literals, attributes, references and folds. */
async function dress(bench: TestBench, document: string, choices: Choices, world: BlockWorld): Promise<void> {
  for (let count = choices.below(5); count > 0; count -= 1) {
    const previousID = choices.pick(await bench.blocks(document));
    const id = testId();
    const literal = { id, dom: paragraph(id, choices.pick(LITERALS) ?? '') };
    const block = choices.chance(25) ? literal : editorBlock(choices, world);
    await bench.transact([{ action: 'insert', id: block.id, data: block.dom, previousID }]);
  }
  const ids = idsIn(await bench.dom(document));
  for (let count = choices.below(4); count > 0; count -= 1) {
    const attrs = { ...choices.pick(ATTRIBUTES), ...(choices.chance(20) ? { name: `n${testId()}` } : {}) };
    await bench.api('/api/attr/setBlockAttrs', { id: choices.pick(ids), attrs });
  }
  if (choices.chance(30)) {
    const headings = await bench.api<{ id: string; type: string }[]>('/api/block/getChildBlocks', { id: document });
    const folded = choices.pick(headings.filter((block) => block.type === 'h'));
    if (folded) await bench.transact([{ action: 'foldHeading', id: folded.id }]);
  }
}

/** A folder of documents to write in, the first two of which are there from the start: blocks move between them. */
export interface ProgramDocuments {
  readonly folder: string;
  /** What is in the folder now; what was made in it comes last. */
  list(): Promise<string[]>;
  readonly path: string;
  readonly world: BlockWorld;
}

export async function makeDocuments(bench: TestBench, choices: Choices, text?: string): Promise<ProgramDocuments> {
  counter += 1;
  const path = `/Program ${process.pid} ${counter}`;
  const folder = await bench.document(path, 'folder');
  const world = { ids: await bench.blocks(folder), tag: `tag${process.pid}n${counter}` };
  const first = await bench.document(`${path}/a`, text ?? randomText(choices, world, 5));
  const second = await bench.document(`${path}/b`, randomText(choices, world, 3));
  for (const id of [first, second]) {
    await dress(bench, id, choices, { ...world, ids: [...world.ids, ...(await bench.blocks(first))] });
  }
  // What was done here must not look like somebody writing while the program runs.
  await bench.delivered(first);
  type Branch = { readonly id: string; readonly children?: readonly Branch[] };
  const idsOf = (tree: readonly Branch[]): string[] => tree.flatMap(({ id, children = [] }) => [id, ...idsOf(children)]);
  const list = async (): Promise<string[]> => {
    const { tree } = await bench.api<{ tree: readonly Branch[] }>('/api/filetree/listDocTree', {
      notebook: bench.notebook,
      path: `/${folder}`,
    });
    return [
      first,
      second,
      ...idsOf(tree)
        .filter((id) => id !== first && id !== second)
        .sort(),
    ];
  };
  return {
    folder,
    path,
    world: { ...world, ids: [...world.ids, ...(await bench.blocks(first)), ...(await bench.blocks(second))] },
    list,
  };
}
