import type { UndoConflict } from '../../tools/contract/ports.ts';
import type { JournalEntry } from '../journal/write-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';

/**
 * In a closed notebook every block looks as if it were gone: nothing can be said of what was written, and what is left to do stays to be
 * done. None where the notebook is open.
 */
export async function closedNotebook(
  routes: KernelRoutes,
  { notebook, document }: Pick<JournalEntry, 'notebook' | 'document'>,
  ids: Iterable<string>,
  signal: AbortSignal,
): Promise<readonly UndoConflict[]> {
  if ((await routes.notebooks(signal)).some(({ id, closed }) => id === notebook && !closed)) return [];
  const named = [...ids];
  const left = named.length > 0 ? named : [document.id ?? ''];
  return left.map((blockId) => ({ blockId, reasons: [{ code: 'notebook-gone' }] }));
}
