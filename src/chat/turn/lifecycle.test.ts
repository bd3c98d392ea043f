import { expect, it } from 'vitest';
import { TreeModel } from '../session/tree-model.ts';
import { hintLengthOf } from '../session/visible-text.ts';
import { counter } from '../testing/samples.ts';
import { createMessageLifecycle } from './lifecycle.ts';

it('an answer that ends without a hint keeps nothing of the slice that it had while it was written', () => {
  const tree = new TreeModel({ newId: counter('n'), now: () => 1, device: 'd' });
  const lifecycle = createMessageLifecycle({ tree, newId: counter('v'), now: () => 1 });
  const node = lifecycle.prepareSlot('append', 'm');
  lifecycle.stream(node, { content: 'hint: what was said', hintSize: 6 });
  lifecycle.withhold(node, ['a']);
  expect(hintLengthOf(tree.payload(node))).toBe(6);
  lifecycle.finalize(node, { content: 'what was said', status: 'error' });
  expect(tree.payload(node)).not.toHaveProperty('userPromptSlice');
});
