// What a person does in another window while we write or undo: types, puts attributes on, deletes, moves, folds.

import { forKernel } from '../../src/host/content/marked-text.ts';
import { paragraph } from './block-support.ts';
import { type Picture, parentsIn, type Typed } from './edit-program-checks.ts';
import { type Choices, testId } from './edit-program-documents.ts';
import type { TestBench } from './support.ts';

export interface PersonScene {
  readonly before: Picture;
  /** Blocks that our write is about. */
  readonly touched: ReadonlySet<string>;
  readonly choices: Choices;
}

/** Does one thing, mostly near to what we write; nothing where what was chosen is not there any more. */
export async function personActs(bench: TestBench, scene: PersonScene): Promise<Typed | undefined> {
  const { before, touched, choices } = scene;
  const isTouched = (id: string): boolean => [id, ...parentsIn(before, id)].some((each) => touched.has(each));
  const leaves = [...before.blocks.values()].filter((block) => block.type === 'NodeParagraph');
  const near = leaves.filter((block) => isTouched(block.id));
  const leaf = choices.pick(near.length > 0 && choices.chance(70) ? near : leaves);
  const mark = `typed${testId().slice(15)}`;
  // It may be another kind of block by now.
  if (!leaf || !/^<div[^>]*data-type="NodeParagraph"/.test(await bench.dom(leaf.id))) return undefined;
  const { id } = leaf;
  // An editor leaves no container empty: the last block of one takes it along.
  const isLast = leaves.filter((block) => block.parent === leaf.parent).length < 2;
  const how = choices.below(20);
  if (how < 4) {
    const all = [...before.blocks.values()].filter((block) => isTouched(block.id) && block.type !== 'NodeDocument');
    return putAttribute(bench, choices.pick(all)?.id ?? id, mark);
  }
  if (how < 10) {
    const dom = (await bench.dom(id)).replace(/(<div contenteditable="true"[^>]*>)[\s\S]*?(<\/div>)/, `$1${mark}$2`);
    // SiYuan's own editor would cost an attribute a level of its escapes here; that is none of ours to undo.
    await bench.transact([{ action: 'update', id, data: forKernel(dom) }]);
    return { kind: 'update', id, text: mark };
  }
  if (how < 16) return insertAfter(bench, id, mark);
  if (how < 19 && isLast) return undefined;
  if (how < 17) {
    await bench.transact([{ action: 'delete', id }]);
    return { kind: 'delete', id, text: '' };
  }
  if (how < 19) {
    // Into a block that goes in this very moment it could not be followed: pushes of moves do not say what was moved.
    const places = leaves.filter((block) => block.id !== id && !block.hidden && !isTouched(block.id) && !leaf.hidden);
    const previousID = choices.pick(places)?.id;
    if (previousID === undefined) return undefined;
    await bench.transact([{ action: 'move', id, previousID }]);
    return { kind: 'move', id, text: '' };
  }
  return fold(bench, scene);
}

async function putAttribute(bench: TestBench, id: string, mark: string): Promise<Typed | undefined> {
  if (!(await bench.dom(id))) return undefined;
  await bench.api('/api/attr/setBlockAttrs', { id, attrs: { [`custom-${mark}`]: mark } });
  return { kind: 'attribute', id, text: mark };
}

async function insertAfter(bench: TestBench, previousID: string, mark: string): Promise<Typed | undefined> {
  const id = testId();
  await bench.transact([{ action: 'insert', id, data: paragraph(id, mark), previousID }]);
  return (await bench.dom(id)) ? { kind: 'insert', id, text: mark } : undefined;
}

async function fold(bench: TestBench, { before, choices }: PersonScene): Promise<Typed | undefined> {
  const heading = choices.pick([...before.blocks.values()].filter((block) => block.level < 7 && !block.hidden));
  if (!heading || !/data-type="NodeHeading"/.test(await bench.dom(heading.id))) return undefined;
  await bench.transact([{ action: heading.folded ? 'unfoldHeading' : 'foldHeading', id: heading.id }]);
  return { kind: 'fold', id: heading.id, text: '' };
}
