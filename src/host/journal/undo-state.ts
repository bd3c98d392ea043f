import type { UndoKind } from '../../tools/contract/plans.ts';
import type { UndoState } from '../../tools/contract/ports.ts';
import { mayStand, touchedId } from './structure-journal.ts';
import type { JournalEntry, JournalOperation, WriteJournal } from './write-journal.ts';

/** Written, and changed by somebody before it was read back: what stood before is offered, never put back over that. */
const isRaced = ({ action, result, before, after }: JournalOperation): boolean =>
  result === 'different' && (action === 'insert' || action === 'update') && after.hash !== before?.hash;
export const wasWritten = (operation: JournalOperation): boolean =>
  operation.result === 'applied' || operation.result === 'unknown' || isRaced(operation);

const holdsWrites = ({ operations, document, structure }: JournalEntry): boolean =>
  structure ? structure.steps.some(mayStand) : operations.some(wasWritten) || document.created !== null || document.id === null;
/** Something of it can still be taken back. */
export const isOpen = (entry: JournalEntry): boolean => entry.undo?.state !== 'done' && holdsWrites(entry);

/** Of blocks, documents and notebooks. */
const writtenIds = ({ operations, structure }: JournalEntry): readonly string[] => [
  ...operations.filter(wasWritten).map((operation) => operation.blockId),
  ...(structure?.steps.filter(mayStand).map(touchedId) ?? []),
];

const STRENGTH: readonly UndoKind[] = ['none', 'partial', 'exact'];
const kindOf = ({ undoKind }: JournalEntry): UndoKind => undoKind ?? 'exact';
/** Of several writes: one that cannot be taken back leaves the others, so the whole is partial. */
function weakest(kinds: readonly UndoKind[]): UndoKind {
  const found = STRENGTH.filter((kind) => kinds.includes(kind));
  return found.length > 1 ? 'partial' : (found[0] ?? 'exact');
}

/** What can be taken back of a message (or of one call of it), or was, as the journal alone tells. */
export async function undoState(journal: WriteJournal, sessionId: string, nodeId: string, callId?: string): Promise<UndoState> {
  const all = await journal.ofMessage(sessionId, nodeId);
  const records = callId === undefined ? all : all.filter(({ entry }) => entry.callId === callId);
  const open = records.filter((record) => isOpen(record.entry));
  const ids = new Set(records.flatMap((record) => writtenIds(record.entry)));
  const uncertain = open.some((record) => record.entry.state !== 'done' || record.entry.undo?.state === 'intent');
  const kind = records.length === 0 ? 'none' : uncertain ? 'partial' : weakest(records.map((record) => kindOf(record.entry)));
  const kept = new Set(records.flatMap(({ entry }) => entry.undo?.kept ?? [])).size;
  return { blocks: ids.size, kind, undone: records.length > 0 && open.length === 0, ...(kept > 0 ? { kept } : {}) };
}
