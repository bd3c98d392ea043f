import { expect, it } from 'vitest';
import { BlockForest } from '../tree/block-forest.ts';
import { assertNoneLetOut } from './guarded-sections.ts';

/** A document of headings (`h2`) and paragraphs, the first heading guarded. */
function forestOf(...types: readonly string[]): BlockForest {
  const forest = new BlockForest();
  forest.addDocument('doc');
  for (const [index, subType] of types.entries()) {
    const type = subType === 'p' ? 'p' : 'h';
    const attributes = index === 0 ? { 'custom-ai-access': 'none' } : {};
    forest.addTop('doc', { id: `b${index}`, type, subType, content: '', markdown: '' }, attributes, true, undefined);
  }
  return forest;
}

it('what a guarded heading keeps back is not let out by a heading that comes between, whatever put it there', () => {
  const forest = forestOf('h2', 'p', 'p', 'h2');
  const before = forest.guardedIds();
  expect([...before]).toEqual(['b0', 'b1', 'b2']);
  forest.move('b3', { parentId: 'doc', previousId: 'b2' });
  expect(() => assertNoneLetOut(forest, before)).not.toThrow();
  forest.move('b3', { parentId: 'doc', previousId: 'b1' });
  expect(() => assertNoneLetOut(forest, before)).toThrow(/not be kept from it any more/);
});
