import { allBlocks, type BlockElement, blockId, blockType, childBlocks } from './block-dom.ts';
import { KEPT_ATTRIBUTE } from './block-hash.ts';
import { type Comparable, pairBlocks } from './block-pairs.ts';
import { numberOf, setNumber } from './list-numbers.ts';
import { carryTableLayout } from './table-layout.ts';

type MarkdownOf = (block: BlockElement) => string;

interface Unpaired {
  readonly old: BlockElement[];
  readonly fresh: BlockElement[];
}

/** Gives new blocks the ids and attributes of those that they replace, also inside containers. Rejects with `not_markdown_safe`. */
export function adoptIdentity(old: BlockElement, fresh: BlockElement, markdownOf: MarkdownOf): void {
  const unpaired: Unpaired = { old: [], fresh: [] };
  adopt(old, fresh, markdownOf, unpaired);
  adoptMoved(unpaired, markdownOf);
}

function adopt(old: BlockElement, fresh: BlockElement, markdownOf: MarkdownOf, unpaired: Unpaired): void {
  fresh.attribs['data-node-id'] = blockId(old);
  for (const [name, value] of Object.entries(old.attribs)) {
    // A block that is no longer a heading folds nothing.
    const folds = name === 'fold' && blockType(old) === 'h' && blockType(fresh) !== 'h' && old.attribs['heading-fold'] !== '1';
    if (KEPT_ATTRIBUTE.test(name) && !folds) fresh.attribs[name] = value;
  }
  if (blockType(old) === 't' && blockType(fresh) === 't') carryTableLayout(old, fresh);
  const [oldChildren, freshChildren] = [childBlocks(old), childBlocks(fresh)];
  const [before, after] = [oldChildren, freshChildren].map((blocks) => blocks.map((block) => comparable(block, markdownOf)));
  const { same, moved, changed, movedAndChanged } = pairBlocks(before ?? [], after ?? []);
  const paired = { old: new Set<number>(), fresh: new Set<number>() };
  const each = (pairs: readonly (readonly [number, number])[], use: (from: BlockElement, to: BlockElement) => void): void => {
    for (const [oldIndex, freshIndex] of pairs) {
      const [from, to] = [oldChildren[oldIndex], freshChildren[freshIndex]];
      paired.old.add(oldIndex);
      paired.fresh.add(freshIndex);
      if (from && to) use(from, to);
    }
  };
  each([...same, ...moved], replaceElement);
  each([...changed, ...movedAndChanged], (from, to) => adopt(from, to, markdownOf, unpaired));
  unpaired.old.push(...oldChildren.filter((_child, index) => !paired.old.has(index)));
  unpaired.fresh.push(...freshChildren.filter((_child, index) => !paired.fresh.has(index)));
}

/** Pairs blocks that moved from one container to another inside the block. */
function adoptMoved({ old, fresh }: Unpaired, markdownOf: MarkdownOf): void {
  const left = new Map<string, BlockElement[]>();
  for (const block of old.flatMap(allBlocks)) {
    const { key } = comparable(block, markdownOf);
    left.set(key, [...(left.get(key) ?? []), block]);
  }
  const taken = new Set<BlockElement>();
  const visit = (block: BlockElement): void => {
    const source = left.get(comparable(block, markdownOf).key)?.find((each) => !taken.has(each));
    if (!source) {
      for (const child of childBlocks(block)) visit(child);
      return;
    }
    for (const each of allBlocks(source)) taken.add(each);
    replaceElement(source, block);
  };
  for (const block of fresh) visit(block);
}

/** A list item with another number is the same item. */
function comparable(block: BlockElement, markdownOf: MarkdownOf): Comparable {
  const type = blockType(block);
  const own = type === 'i' ? childBlocks(block).map(markdownOf).join('\n\n') : markdownOf(block);
  return { key: `${type} ${block.attribs['data-subtype'] ?? ''} ${block.attribs['data-task'] ?? ''}\n${own}`, type, markdown: own };
}

function replaceElement(source: BlockElement, target: BlockElement): void {
  const number = numberOf(target);
  target.name = source.name;
  target.attribs = { ...source.attribs };
  target.children = source.children;
  for (const child of target.children) child.parent = target;
  if (number !== undefined) setNumber(target, number);
}
