import type { UndoKind } from '../../tools/contract/plans.ts';
import type { UndoReport, UndoState } from '../../tools/contract/ports.ts';
import { isOpen, isWhollyLeft, undoneIds, writtenIds } from './entry-writes.ts';
import type { JournalEntry, JournalRecord, WriteJournal } from './write-journal.ts';

const STRENGTH: readonly UndoKind[] = ['none', 'partial', 'exact'];
const kindOf = ({ undoKind }: JournalEntry): UndoKind => undoKind ?? 'exact';
/** Combines several writes: one that cannot be undone leaves the others, so the result is partial. */
function weakest(kinds: readonly UndoKind[]): UndoKind {
  const found = STRENGTH.filter((kind) => kinds.includes(kind));
  return found.length > 1 ? 'partial' : (found[0] ?? 'exact');
}

/** Conflicts for every window that shows the chat; undefined if nothing is open, or Undo has more to try. */
function reportOf(records: readonly JournalRecord[]): UndoReport | undefined {
  const undos = records.flatMap(({ entry: { undo } }) => (undo?.state === 'done' ? [undo] : [])).reverse();
  // Several writes to one block may have met the same conflict.
  const conflicts = new Map(undos.flatMap((undo) => undo.conflicts).map((conflict) => [JSON.stringify(conflict), conflict]));
  if (conflicts.size === 0) return undefined;
  return { restored: [...new Set(undos.flatMap((undo) => undo.restored))], conflicts: [...conflicts.values()] };
}

export async function undoState(journal: WriteJournal, sessionId: string, nodeId: string, callId?: string): Promise<UndoState> {
  const all = await journal.ofMessage(sessionId, nodeId);
  const records = callId === undefined ? all : all.filter(({ entry }) => entry.callId === callId);
  const open = records.filter((record) => isOpen(record.entry));
  const ids = new Set(records.flatMap((record) => writtenIds(record.entry)));
  const uncertain = open.some((record) => record.entry.state !== 'done' || record.entry.undo?.state === 'intent');
  const kinds = uncertain ? (['partial'] as const) : records.map((record) => kindOf(record.entry));
  const kind = records.length === 0 ? 'none' : weakest(kinds);
  // Writes that Redo left alone are still there.
  const kept = new Set(records.flatMap(({ entry: { undo, redo } }) => (undo ? [...(undo.kept ?? []), ...(redo?.left ?? [])] : []))).size;
  const redo = new Set(records.flatMap(({ entry }) => [...undoneIds(entry)])).size;
  // If part of a message was undone, the user decides about the rest, one conflict at a time.
  const isTried = redo > 0 && open.every(({ entry }) => isWhollyLeft(entry));
  const undone = records.length > 0 && (open.length === 0 || isTried);
  const report = open.every(({ entry }) => isWhollyLeft(entry)) ? reportOf(records) : undefined;
  const counts = { redo: redo > 0 ? redo : undefined, kept: kept > 0 ? kept : undefined };
  return { blocks: ids.size, kind, undone, ...counts, report };
}

/** The writes of whole chats. `stay`: some of them were not undone. */
export const chatWrites = (journal: WriteJournal) => ({
  stay: async (sessionId: string): Promise<boolean> => (await journal.ofSession(sessionId)).some(({ entry }) => isOpen(entry)),
  forget: (sessionId: string): Promise<void> => journal.forget(sessionId),
});
