import type { UndoConflict } from '../../tools/contract/ports.ts';
import type { StepKinds } from '../documents/structure-steps.ts';
import type { DeleteStep } from '../journal/structure-journal.ts';
import type { JournalEntry } from '../journal/write-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';

export interface RedoDocumentDeps {
  readonly routes: KernelRoutes;
  readonly kinds: StepKinds;
}

interface Redone {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
}

/** Restores a document that a write had created and Undo removed, with the parents created for it, from SiYuan's history. */
export async function redoCreated({ routes, kinds }: RedoDocumentDeps, entry: JournalEntry, signal: AbortSignal): Promise<Redone> {
  const { notebook, document, undo, operations } = entry;
  const removed = undo?.removed ?? [];
  const blockId = document.id ?? '';
  const refused = (reasons: UndoConflict['reasons']): Redone => ({ restored: [], conflicts: [{ blockId, reasons }] });
  const step: DeleteStep = { kind: 'delete', documentId: blockId, notebook, documents: [...removed], result: 'applied' };
  const ids = [blockId, ...operations.map((operation) => operation.blockId)];
  const seen = await kinds.observe(step, signal);
  if (seen.at === 'before') return { restored: ids, conflicts: [] };
  if (seen.at === 'other') return refused([{ code: 'changed' }]);
  const others = (await routes.idsByPath(notebook, document.path, signal)).filter((id) => removed.every((each) => each.id !== id));
  // SiYuan would allow two notes at one path, and the next daily note could be either.
  if (others.length > 0) return refused([{ code: 'path-taken', title: document.path }]);
  const problems = await kinds.revert(step, signal);
  const isThere = (await kinds.observe(step, signal)).at === 'before';
  if (problems.length > 0) return { ...refused(problems), restored: isThere ? ids : [] };
  return isThere ? { restored: ids, conflicts: [] } : refused([{ code: 'refused' }]);
}
