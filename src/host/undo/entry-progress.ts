import type { Progress } from '../../tools/contract/plans.ts';

/**
 * How far the Undo or Redo of several writes is, a function for each write: the whole is counted by what each of them wrote, and never
 * goes back, even where a write is tried again.
 * @param sizes how much each of them wrote
 */
export function entryProgress(sizes: readonly number[], progress: Progress | undefined): readonly Progress[] {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  let most = -1;
  return sizes.map((size, index) => {
    const before = sizes.slice(0, index).reduce((sum, each) => sum + each, 0);
    return (done, all) => {
      const now = before + (all === 0 ? size : Math.floor((size * done) / all));
      if (now <= most) return;
      most = now;
      progress?.(now, total);
    };
  });
}
