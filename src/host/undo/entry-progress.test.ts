import { expect, it } from 'vitest';
import { entryProgress } from './entry-progress.ts';

it('is counted over all writes, and never goes back', () => {
  const seen: string[] = [];
  const [first, second, empty] = entryProgress([4, 6, 0], (done, total) => seen.push(`${done}/${total}`));
  first?.(0, 1);
  first?.(1, 2);
  // Tried again, with fewer tasks.
  first?.(0, 1);
  first?.(1, 1);
  second?.(0, 1);
  second?.(31, 62);
  second?.(0, 0);
  empty?.(1, 1);
  expect(seen).toEqual(['0/10', '2/10', '4/10', '7/10', '10/10']);
});
