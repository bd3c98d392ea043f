import { toToolError } from '../../tools/contract/errors.ts';
import type { Progress } from '../../tools/contract/plans.ts';
import type { Clock, EditingProbe, UndoConflict, UndoReport } from '../../tools/contract/ports.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import type { Access } from '../access/access.ts';
import { GONE, type Observation } from '../documents/structure-kind.ts';
import type { StepKinds } from '../documents/structure-steps.ts';
import { leftAlone, neverAgreed, undoneIds, wasWritten } from '../journal/entry-writes.ts';
import { type DeleteStep, mayStand, type StructureEntry, type StructureStep, touchedId } from '../journal/structure-journal.ts';
import type { JournalEntry, JournalOperation, JournalRecord, WriteJournal } from '../journal/write-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { awaitCaret } from '../transactions/typing-guard.ts';
import { ClosedNotebooks } from './closed-notebook.ts';
import { entryProgress } from './entry-progress.ts';
import { structureBlocks } from './structure-undo.ts';
import type { BlockUndo } from './undo-blocks.ts';

interface RedoDocumentDeps {
  readonly routes: KernelRoutes;
  readonly kinds: StepKinds;
  readonly access: Pick<Access, 'locate' | 'closedNotebooks'>;
}

/** Restores a document that a write had created and Undo removed, with the parents created for it, from SiYuan's history. */
async function redoCreated({ routes, kinds, access }: RedoDocumentDeps, entry: JournalEntry, signal: AbortSignal): Promise<Redone> {
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
  // SiYuan would allow two notes at one path, and the next daily note could be either. Where notes are only added, they are put beside others.
  if (others.length > 0 && !(await access.closedNotebooks(signal)).has(notebook))
    return refused([{ code: 'path-taken', title: document.path }]);
  const problems = await kinds.revert(step, signal);
  const isThere = (await kinds.observe(step, signal)).at === 'before';
  if (problems.length > 0) return { ...refused(problems), restored: isThere ? ids : [] };
  return isThere ? { restored: ids, conflicts: [] } : refused([{ code: 'refused' }]);
}

interface StructureRedone {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
  /** The entry with the new copies of removed documents, and the recreated notebook. */
  readonly entry: StructureEntry;
}

interface RedoneSteps {
  readonly notebook: string;
  readonly undone: ReadonlySet<string>;
  readonly progress: Progress | undefined;
}

/** Carries out undone steps again according to the current state, so that repeating it does nothing twice. */
interface StructureRedo {
  redo(entry: StructureEntry, what: RedoneSteps, signal: AbortSignal): Promise<StructureRedone>;
}

const CHANGED: readonly UndoReason[] = [{ code: 'changed' }];
const REMOVED: readonly UndoReason[] = [{ code: 'removed' }];
const REFUSED: readonly UndoReason[] = [{ code: 'refused' }];

/** The reason why a step cannot be carried out now; other errors, such as an unreachable kernel, are rethrown. */
function refusal(error: unknown): readonly UndoReason[] {
  const { code } = toToolError(error);
  if (code === 'not_found' || code === 'closed_notebook') return [{ code: 'parent-gone' }];
  if (code === 'no_right' || code === 'stale' || code === 'raced') return CHANGED;
  throw error;
}

/** The old id is gone: what is created again is another notebook with the same name, with new copies. */
function toDoAgain(step: StructureStep): StructureStep {
  if (step.kind === 'notebook' && step.op === 'create') return { ...step, notebook: null };
  return step.kind === 'delete' ? { ...step, documents: step.documents.map((each) => ({ ...each, copy: null })) } : step;
}

/** The reason why nothing is done for a step that is seen like this; undefined if it is to be carried out. */
function stands(step: StructureStep, { at }: Observation = GONE): RedoneStep | undefined {
  if (at === 'after') return step;
  if (at === 'gone') return REMOVED;
  return at === 'before' ? undefined : CHANGED;
}

type RedoneStep = readonly UndoReason[] | StructureStep;

/** As it was approved the first time: rights are checked again, and what the user has closed since stays closed. */
function createStructureRedo({ batches, joined }: Pick<StepKinds, 'batches' | 'joined'>): StructureRedo {
  async function redoBatch(batch: readonly StructureStep[], notebook: string, signal: AbortSignal): Promise<readonly RedoneStep[]> {
    const seen = await joined.observe(batch, signal);
    const known = batch.map((step, index) => stands(step, seen[index]));
    const wanted = batch.filter((_step, index) => known[index] === undefined).map(toDoAgain);
    if (wanted.length === 0) return known.map((each) => each ?? CHANGED);
    try {
      // The click is the approval, as for Undo.
      await joined.allow(wanted, signal, { notebook, right: 'delete' });
    } catch (error) {
      const reasons = refusal(error);
      return known.map((each) => each ?? reasons);
    }
    const done = await joined.run(wanted);
    const after = await joined.observe(done, signal);
    const redone = done.map((step, index) => (after[index]?.at === 'after' ? step : REFUSED));
    return known.map((each) => each ?? redone.shift() ?? REFUSED);
  }

  return {
    redo: async ({ steps }, { notebook, undone, progress }, signal) => {
      const restored: string[] = [];
      const conflicts: UndoConflict[] = [];
      const known = new Map<StructureStep, StructureStep>();
      const wanted = steps.filter((step) => mayStand(step) && undone.has(touchedId(step)));
      let count = 0;
      for (const batch of batches(wanted)) {
        progress?.(count, wanted.length);
        for (const [index, result] of (await redoBatch(batch, notebook, signal)).entries()) {
          const step = batch[index];
          if (!step) continue;
          if ('kind' in result) {
            known.set(step, result);
            restored.push(touchedId(result));
          } else conflicts.push({ blockId: touchedId(step), reasons: result });
        }
        count += batch.length;
      }
      return { restored, conflicts, entry: { steps: steps.map((step) => known.get(step) ?? step) } };
    },
  };
}

/** Undoing these operations writes again what was undone. */
interface RedoBlocks {
  readonly operations: readonly JournalOperation[];
  /** Containers that were removed with their last block, and are removed again once they are empty. */
  readonly emptied: readonly string[];
}

const NOTHING = { dom: '', hash: '' };

function inverse(operation: JournalOperation): JournalOperation {
  const { action, blockId, before, after, from, to, along } = operation;
  const places = { from: to, to: from, along };
  const rest = { blockId, result: 'applied' as const, ...places };
  switch (action) {
    case 'insert':
      return { ...rest, action: 'delete', before: after, after: NOTHING };
    case 'delete':
      return { ...rest, action: 'insert', before: null, after: before ?? NOTHING };
    default:
      return { ...rest, action, before: after, after: before ?? NOTHING };
  }
}

const isInsert = ({ action }: JournalOperation): boolean => action === 'insert';

function redoBlocks({ operations, undo }: Pick<JournalEntry, 'operations' | 'undo'>, undone: ReadonlySet<string>): RedoBlocks {
  const written = operations
    .filter((operation) => undone.has(operation.blockId) && wasWritten(operation))
    .map((operation) => ({ ...operation, to: undo?.stood?.[operation.blockId] ?? operation.to }));
  const isEmptied = ({ action, shell }: JournalOperation): boolean => action === 'delete' && shell !== undefined;
  const [made, others] = [written.filter(isInsert), written.filter((each) => !isInsert(each) && !isEmptied(each))];
  return {
    // Insertions come first, as they did then: one may be all that is left in a document.
    operations: [...made.map(inverse), ...others.map(inverse).reverse()],
    emptied: written.filter(isEmptied).map(({ blockId }) => blockId),
  };
}

export interface RedoDeps extends RedoDocumentDeps {
  readonly blocks: BlockUndo;
  readonly journal: WriteJournal;
  readonly probe: EditingProbe;
  readonly clock: Clock;
}

interface Redone {
  readonly restored: readonly string[];
  readonly conflicts: readonly UndoConflict[];
  readonly structure?: JournalEntry['structure'];
}

/** As for moving or deleting documents again, the click grants the right to write, but not the right to see a document. */
async function isKeptAway({ access, routes }: RedoDeps, id: string, notebook: string, signal: AbortSignal): Promise<boolean> {
  try {
    await access.locate(id, 'write', signal, { notebook, right: 'write' });
    return false;
  } catch (error) {
    const { code } = toToolError(error);
    if (code !== 'not_found' && code !== 'no_right') throw error;
    // A deleted one is reported as deleted.
    return routes.exists(id, signal);
  }
}

async function writeAgain(
  deps: RedoDeps,
  entry: JournalEntry,
  { undone, progress }: { readonly undone: ReadonlySet<string>; readonly progress: Progress | undefined },
  signal: AbortSignal,
): Promise<Redone> {
  const { structure, notebook, document } = entry;
  if (structure) {
    const { entry: known, ...done } = await createStructureRedo(deps.kinds).redo(structure, { notebook, undone, progress }, signal);
    return { ...done, structure: known };
  }
  if (document.id !== null && undone.has(document.id)) return redoCreated(deps, entry, signal);
  const { operations, emptied } = redoBlocks(entry, undone);
  const places = operations.flatMap(({ from, to }) => [from?.documentId, to?.documentId]);
  const documents = new Set([document.id, ...places].flatMap((id) => id ?? []));
  for (const id of documents)
    if (await isKeptAway(deps, id, notebook, signal))
      return { restored: [], conflicts: [...undone].map((blockId) => ({ blockId, reasons: [{ code: 'no-right' }] })) };
  return deps.blocks.undo({ operations, document }, signal, { emptied, progress });
}

/** The entry after its writes were done again: Undo is offered for it, without what was left alone. */
function redone(entry: JournalEntry, { conflicts, structure }: Redone, undone: ReadonlySet<string>, time: number): JournalEntry {
  const { undo, ...rest } = entry;
  const left = [...new Set([...(undo?.kept ?? []), ...leftAlone(conflicts)])];
  const overwritten = [...(entry.redo?.overwritten ?? []), ...(undo?.overwritten ?? [])];
  const redo = { state: 'done' as const, time, left, overwritten: overwritten.length > 0 ? overwritten : undefined };
  const isWholeLeft =
    [...undone].every((id) => left.includes(id)) || (undone.has(rest.document.id ?? '') && left.includes(rest.document.id ?? ''));
  // It is still undone. Blocks of a note that was not restored are not written either.
  if (undo && isWholeLeft) return { ...entry, ...(structure ? { structure } : {}), undo };
  return { ...rest, ...(structure ? { structure } : {}), redo };
}

async function redoEntry(
  deps: RedoDeps,
  record: JournalRecord,
  { notebooks, progress }: { readonly notebooks: ClosedNotebooks; readonly progress: Progress | undefined },
  signal: AbortSignal,
): Promise<Redone> {
  const { entry } = record;
  const undone = undoneIds(entry);
  const busy = entry.structure ? structureBlocks(entry.structure) : [...undone];
  await awaitCaret(deps.probe, busy, signal);
  const closed = await notebooks.left(entry, undone, signal);
  if (closed.length > 0) return { restored: [], conflicts: closed };
  const now = deps.clock.now();
  const begun = await deps.journal.update(record, {
    ...entry,
    redo: { ...(entry.redo ?? { left: [] }), state: 'intent', time: now },
  });
  const written = await writeAgain(deps, entry, { undone, progress }, signal);
  const disagreed = neverAgreed(entry).map((blockId): UndoConflict => ({ blockId, reasons: [{ code: 'changed' }] }));
  const result = { ...written, conflicts: [...written.conflicts, ...disagreed] };
  const end = redone(entry, result, undone, deps.clock.now());
  // A second Redo would find everything written: one lost answer is no reason to fail.
  await deps.journal.update(begun, end).catch(() => deps.journal.update(begun, end));
  return result;
}

/** Writes again, oldest first, with the guards of Undo: later changes stay and are reported; repeating it writes nothing twice. */
export async function redoRecords(
  deps: RedoDeps,
  all: readonly JournalRecord[],
  signal: AbortSignal,
  progress?: Progress,
): Promise<UndoReport> {
  const restored: string[] = [];
  const conflicts: UndoConflict[] = [];
  const notebooks = new ClosedNotebooks(deps);
  const records = all.filter(({ entry }) => undoneIds(entry).size > 0);
  const each = entryProgress(
    records.map(({ entry }) => undoneIds(entry).size),
    progress,
  );
  for (const [index, record] of records.entries()) {
    if (signal.aborted) throw toToolError(signal.reason);
    each[index]?.(0, 1);
    const result = await redoEntry(deps, record, { notebooks, progress: each[index] }, signal);
    each[index]?.(1, 1);
    restored.push(...result.restored);
    conflicts.push(...result.conflicts.map(({ blockId, reasons }) => ({ blockId, reasons })));
  }
  return { restored: [...new Set(restored)], conflicts };
}
