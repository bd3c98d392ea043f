import { type BlockElement, blockId, blockType, childBlocks, serializeBlock } from './block-dom.ts';
import { hashOfContent, KEPT_ATTRIBUTE } from './block-hash.ts';
import { carryTableLayout } from './table-layout.ts';

/**
 * Gives a block made from new Markdown the identity of the one it replaces: its id, and the attributes that people and plugins put on it.
 * Inside a container, children that did not change are the old ones themselves, and changed ones keep their ids, so that references to
 * them stay alive.
 */
export function adoptIdentity(old: BlockElement, fresh: BlockElement): void {
  fresh.attribs['data-node-id'] = blockId(old);
  for (const [name, value] of Object.entries(old.attribs)) {
    // What is no heading any more folds nothing.
    const folds = name === 'fold' && blockType(old) === 'h' && blockType(fresh) !== 'h' && old.attribs['heading-fold'] !== '1';
    if (KEPT_ATTRIBUTE.test(name) && !folds) fresh.attribs[name] = value;
  }
  if (blockType(old) === 't' && blockType(fresh) === 't') carryTableLayout(old, fresh);
  const oldChildren = childBlocks(old);
  const freshChildren = childBlocks(fresh);
  if (oldChildren.length === 0 || freshChildren.length === 0) return;
  const pairs = matchUnchanged(oldChildren, freshChildren);
  for (const [oldIndex, freshIndex] of pairs) {
    const [from, to] = [oldChildren[oldIndex], freshChildren[freshIndex]];
    if (from && to) replaceElement(to, from);
  }
  for (const [from, to] of pairGaps(oldChildren, freshChildren, pairs)) adoptIdentity(from, to);
}

function replaceElement(target: BlockElement, source: BlockElement): void {
  target.name = source.name;
  target.attribs = { ...source.attribs };
  target.children = source.children;
  for (const child of target.children) child.parent = target;
}

/** Longest common sequence of children with the same content; index pairs in order. */
function matchUnchanged(old: readonly BlockElement[], fresh: readonly BlockElement[]): [number, number][] {
  const oldHashes = old.map((block) => hashOfContent(serializeBlock(block)));
  const freshHashes = fresh.map((block) => hashOfContent(serializeBlock(block)));
  const lengths = Array.from({ length: old.length + 1 }, () => new Array<number>(fresh.length + 1).fill(0));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = old.length - 1; row >= 0; row -= 1) {
    for (let column = fresh.length - 1; column >= 0; column -= 1) {
      const line = lengths[row];
      if (!line) continue;
      line[column] =
        oldHashes[row] === freshHashes[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let [row, column] = [0, 0];
  while (row < old.length && column < fresh.length) {
    if (oldHashes[row] === freshHashes[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1;
    else column += 1;
  }
  return pairs;
}

/** Between two unchanged children, changed ones of one type are the same block, in order. */
function pairGaps(
  old: readonly BlockElement[],
  fresh: readonly BlockElement[],
  pairs: readonly (readonly [number, number])[],
): [BlockElement, BlockElement][] {
  const result: [BlockElement, BlockElement][] = [];
  let [oldStart, freshStart] = [0, 0];
  for (const [oldEnd, freshEnd] of [...pairs, [old.length, fresh.length] as const]) {
    const candidates = old.slice(oldStart, oldEnd);
    for (const block of fresh.slice(freshStart, freshEnd)) {
      const index = candidates.findIndex((each) => blockType(each) === blockType(block));
      const match = candidates[index];
      if (!match) continue;
      result.push([match, block]);
      candidates.splice(0, index + 1);
    }
    [oldStart, freshStart] = [oldEnd + 1, freshEnd + 1];
  }
  return result;
}
