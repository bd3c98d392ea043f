import { expect, it } from 'vitest';
import { allows, both, existsFor, isListed, isSeen, NOTEBOOK_RIGHTS, type NotebookRight } from './notebook-right.ts';

it.each<[NotebookRight, readonly NotebookRight[]]>([
  ['none', ['none']],
  ['create', ['none', 'create']],
  ['read', ['none', 'read']],
  ['write', ['none', 'create', 'read', 'write']],
  ['delete', [...NOTEBOOK_RIGHTS]],
])('the right %s includes %j', (has, includes) => {
  expect(NOTEBOOK_RIGHTS.filter((needs) => allows(has, needs))).toEqual(includes);
  expect(isSeen(has)).toBe(includes.includes('read'));
  expect(existsFor(has, 'read')).toBe(isSeen(has));
  expect(existsFor(has, 'create')).toBe(has !== 'none');
  expect(isListed(has)).toBe(has !== 'none');
});

it('two rights together let nothing pass that either keeps back', () => {
  for (const one of NOTEBOOK_RIGHTS)
    for (const other of NOTEBOOK_RIGHTS)
      for (const needs of NOTEBOOK_RIGHTS)
        expect([one, other, needs, allows(both(one, other), needs)]).toEqual([
          one,
          other,
          needs,
          allows(one, needs) && allows(other, needs),
        ]);
  expect(both('create', 'read')).toBe('none');
});
