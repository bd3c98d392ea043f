import type { UndoConflict } from '../../tools/contract/ports.ts';
import { mayStand, type StructureStep, touchedId } from './structure-journal.ts';
import type { JournalEntry, JournalOperation } from './write-journal.ts';

type Conflicts = readonly Pick<UndoConflict, 'blockId' | 'reasons'>[];

/** Written, and changed by somebody before it was read back: the earlier text is offered, never put back over that. */
const isRaced = ({ action, result, before, after }: JournalOperation): boolean =>
  result === 'different' && (action === 'insert' || action === 'update') && after.hash !== before?.hash;
export const wasWritten = (operation: JournalOperation): boolean =>
  operation.result === 'applied' || operation.result === 'unknown' || isRaced(operation);

/** What stands of a write: without what Redo left alone. */
export function withoutUnredone(entry: JournalEntry): JournalEntry {
  const left = new Set(entry.redo?.left);
  if (left.size === 0) return entry;
  const { structure } = entry;
  return {
    ...entry,
    operations: entry.operations.filter(({ blockId }) => !left.has(blockId)),
    ...(structure ? { structure: { steps: structure.steps.filter((step) => !left.has(touchedId(step))) } } : {}),
  };
}

const holdsWrites = ({ operations, document, structure }: JournalEntry): boolean =>
  structure ? structure.steps.some(mayStand) : operations.some(wasWritten) || document.created !== null || document.id === null;
/** Put back near its old place or in another one, which counts as put back. */
const isElsewhereOnly = ({ reasons }: Conflicts[number]): boolean =>
  reasons.length > 0 && reasons.every(({ code }) => code === 'nearby' || code === 'restored-elsewhere');
/** Ids of the blocks that a report says were left as they are. */
export const leftAlone = (conflicts: Conflicts): readonly string[] =>
  conflicts.filter((conflict) => !isElsewhereOnly(conflict)).map(({ blockId }) => blockId);

/**
 * Undo changed nothing of it, as if it had not been asked for. What was in the way (a later change, a list that was gone) may be undone
 * itself, and then this write is tried again. What the user chose to keep is settled.
 */
export const isWhollyLeft = ({ undo }: JournalEntry): boolean =>
  undo?.state === 'done' &&
  undo.restored.length === 0 &&
  (undo.kept ?? []).length === 0 &&
  (undo.removed ?? []).length === 0 &&
  leftAlone(undo.conflicts).length > 0;
/** Something of it can still be undone. */
export const isOpen = (entry: JournalEntry): boolean =>
  (entry.undo?.state !== 'done' || isWhollyLeft(entry)) && holdsWrites(withoutUnredone(entry));

/** Of blocks, documents and notebooks. */
export const writtenIds = ({ operations, structure }: JournalEntry): readonly string[] => [
  ...operations.filter(wasWritten).map((operation) => operation.blockId),
  ...(structure?.steps.filter(mayStand).map(touchedId) ?? []),
];

/** Ids of the blocks over whose text nobody had agreed to write: Undo brought it back, and Redo leaves it there. */
export const neverAgreed = ({ operations }: JournalEntry): readonly string[] =>
  operations.filter(({ overwrote }) => overwrote).map(({ blockId }) => blockId);

/**
 * Ids of the blocks, documents and notebooks of a write that were undone, which Redo writes again; none before it. What is not known
 * to have been written is among them only if Undo found it. A document that was gone before Undo could remove it is not made again,
 * and neither is one of which an older version of this plugin did not note the place. Blocks of a new note that was kept have no place.
 */
export function undoneIds(entry: JournalEntry): ReadonlySet<string> {
  const { undo, document, operations, structure } = entry;
  if (undo?.state !== 'done') return new Set();
  const isKept = undo.conflicts.some(({ reasons }) => reasons.some(({ code }) => code === 'document-kept'));
  const wasMade = document.created !== null && !isKept;
  if (wasMade && (undo.removed ?? []).length === 0) return new Set();
  const unknown = (each: JournalOperation | StructureStep): boolean => each.result === 'unknown';
  const doubtful = [
    ...operations.filter(unknown).map(({ blockId }) => blockId),
    ...(structure?.steps.filter(unknown).map(touchedId) ?? []),
  ].filter((id) => !undo.restored.includes(id));
  const placeless = isKept ? operations.filter(({ action, to }) => action === 'insert' && !to).map(({ blockId }) => blockId) : [];
  const not = new Set([...leftAlone(undo.conflicts), ...(undo.kept ?? []), ...doubtful, ...placeless, ...neverAgreed(entry)]);
  const made = wasMade && document.id !== null ? [document.id] : [];
  return new Set([...made, ...writtenIds(withoutUnredone(entry))].filter((id) => !not.has(id)));
}
