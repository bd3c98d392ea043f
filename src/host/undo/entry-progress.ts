import type { Progress } from '../../tools/contract/plans.ts';

/** The progress of the Undo or Redo of several writes, which never goes back. `sizes`: of each write. */
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
