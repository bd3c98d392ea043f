import type { UndoConflict } from '../../tools/contract/ports.ts';
import { mayStand, type StructureStep, touchedId } from './structure-journal.ts';
import type { JournalEntry, JournalOperation } from './write-journal.ts';

type Conflicts = readonly Pick<UndoConflict, 'blockId' | 'reasons'>[];

/** Written, and changed by somebody before it was read back: Undo offers the earlier text and never overwrites that change. */
const isRaced = ({ action, result, before, after }: JournalOperation): boolean =>
  result === 'different' && (action === 'insert' || action === 'update') && after.hash !== before?.hash;
export const wasWritten = (operation: JournalOperation): boolean =>
  operation.result === 'applied' || operation.result === 'unknown' || isRaced(operation);

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
/** Restored near its old position or in another container, which counts as restored. */
const isElsewhereOnly = ({ reasons }: Conflicts[number]): boolean =>
  reasons.length > 0 && reasons.every(({ code }) => code === 'nearby' || code === 'restored-elsewhere');
export const leftAlone = (conflicts: Conflicts): readonly string[] =>
  conflicts.filter((conflict) => !isElsewhereOnly(conflict)).map(({ blockId }) => blockId);

/** True if Undo changed nothing: once its obstacle (a later change, a missing list) is gone, it can be tried again. */
export const isWhollyLeft = ({ undo }: JournalEntry): boolean =>
  undo?.state === 'done' &&
  undo.restored.length === 0 &&
  (undo.kept ?? []).length === 0 &&
  (undo.removed ?? []).length === 0 &&
  leftAlone(undo.conflicts).length > 0;
export const isOpen = (entry: JournalEntry): boolean =>
  (entry.undo?.state !== 'done' || isWhollyLeft(entry)) && holdsWrites(withoutUnredone(entry));

export const writtenIds = ({ operations, structure }: JournalEntry): readonly string[] => [
  ...operations.filter(wasWritten).map((operation) => operation.blockId),
  ...(structure?.steps.filter(mayStand).map(touchedId) ?? []),
];

/** Ids of blocks whose overwritten text nobody had approved overwriting: Undo restored it, and Redo leaves it. */
export const neverAgreed = ({ operations }: JournalEntry): readonly string[] =>
  operations.filter(({ overwrote }) => overwrote).map(({ blockId }) => blockId);

/** Ids that were undone and that Redo writes again; without documents that it could not create, and blocks of a kept new note. */
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
