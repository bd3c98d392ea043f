import { join } from 'node:path';
import type { Kernel } from '../kernel.ts';
import { ID_PATTERN } from '../tree/node.ts';

/**
 * Folders that hold `assets/…`, the first that has the file counts: with `box` that notebook's own, without it the common one and
 * then that of every notebook, closed or not.
 */
export function assetFolders({ dataFolder, notebooks }: Kernel, box: string | null): readonly string[] {
  if (box) return ID_PATTERN.test(box) ? [join(dataFolder, box)] : [];
  return [dataFolder, ...notebooks.list().map(({ id }) => join(dataFolder, id))];
}
