import { toToolError } from '../../tools/contract/errors.ts';
import type { Progress } from '../../tools/contract/plans.ts';
import type { Clock, EditingProbe, UndoConflict, UndoReport } from '../../tools/contract/ports.ts';
import type { Access } from '../access/access.ts';
import { leftAlone, neverAgreed, undoneIds } from '../journal/entry-writes.ts';
import type { JournalEntry, JournalRecord, WriteJournal } from '../journal/write-journal.ts';
import { awaitCaret } from '../transactions/typing-guard.ts';
import { ClosedNotebooks } from './closed-notebook.ts';
import { entryProgress } from './entry-progress.ts';
import { type RedoDocumentDeps, redoCreated } from './redo-document.ts';
import { redoBlocks } from './redo-operations.ts';
import { createStructureRedo } from './structure-redo.ts';
import { structureBlocks } from './structure-undo.ts';
import type { BlockUndo } from './undo-blocks.ts';

export interface RedoDeps extends RedoDocumentDeps {
  readonly access: Pick<Access, 'locate'>;
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

/**
 * Writes again, oldest first, what was undone of these writes, with the guards of Undo: later changes stay and are
 * reported, a block that is being typed in is waited for, and repeating it, also after a crash, writes nothing twice.
 */
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
