import { describe, expect, it } from 'vitest';
import { Checks, type Picture } from './edit-program-checks.ts';

const picture = (...attributes: string[]): Picture => {
  const block = { id: 'b', type: 'NodeHeading', parent: 'd', attributes, text: 'head', folded: false, hidden: false, level: 1 };
  return { doms: [attributes.join()], blocks: new Map([['b', block]]), twice: [], buried: [] };
};
const undone =
  (checks: Checks, last: Picture, before: Picture, now: Picture, names: readonly string[] = []) =>
  () =>
    checks.undone({ now, last, before, exact: false, conflicts: [], names: new Map([['b', names]]) });

describe('the check of an undo that came out of order', () => {
  const checks = () => new Checks({ seed: 1, steps: [], typing: true });

  it('finds an attribute that the undo took off although its write had not set it', () => {
    const both = picture('memo=mine', 'name=n');
    expect(undone(checks(), both, both, picture('name=n'))).toThrow('undo took memo=mine off block b');
    expect(undone(checks(), both, both, picture('name=n'), ['name'])).toThrow('undo took memo=mine off block b');
  });

  it('finds an attribute that did not come back with its block', () => {
    const gone = { ...picture(), blocks: new Map() };
    expect(undone(checks(), gone, picture('memo=mine'), picture())).toThrow('block b came back without memo=mine');
  });

  it('expects nothing back that the undo of an older write took off', () => {
    const [older, newer] = [picture(), picture('memo=ours')];
    const own = checks();
    undone(own, newer, older, picture(), ['memo'])();
    expect(undone(own, picture(), newer, picture())).not.toThrow();
    expect(undone(checks(), picture(), newer, picture())).toThrow('block b came back without memo=ours');
  });
});
