import { expect, it } from 'vitest';
import { BlockTree } from '../tree/block-tree.ts';
import { assertNoneLetOut } from './guarded-sections.ts';

/** A document of headings (`h2`) and paragraphs, the first heading guarded. */
function treeOf(...types: readonly string[]): BlockTree {
  const tree = new BlockTree();
  tree.addDocument('doc');
  for (const [index, subType] of types.entries()) {
    const type = subType === 'p' ? 'p' : 'h';
    const attributes: Record<string, string> = index === 0 ? { 'custom-ai-access': 'none' } : {};
    tree.addTop('doc', { id: `b${index}`, type, subType, content: '', markdown: '' }, attributes, true, undefined);
  }
  return tree;
}

it('what a guarded heading keeps back is not let out by a heading that comes between, whatever put it there', () => {
  const tree = treeOf('h2', 'p', 'p', 'h2');
  const before = tree.guardedIds();
  expect([...before]).toEqual(['b0', 'b1', 'b2']);
  tree.move('b3', { parentId: 'doc', previousId: 'b2' });
  expect(() => assertNoneLetOut(tree, before)).not.toThrow();
  tree.move('b3', { parentId: 'doc', previousId: 'b1' });
  expect(() => assertNoneLetOut(tree, before)).toThrow(/would no longer be hidden/);
});
