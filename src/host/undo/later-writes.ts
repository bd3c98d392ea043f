import type { UndoConflict } from '../../tools/contract/ports.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import { isOpen, wasWritten, withoutUnredone } from '../journal/entry-writes.ts';
import { isOnBlock, mayStand, type StructureStep, touchedId } from '../journal/structure-journal.ts';
import type { JournalEntry, JournalRecord } from '../journal/write-journal.ts';

/** A later write must be undone first: the Undo of this one must not be used up by what the later one made of it. */
export const NEWER_FIRST: readonly UndoReason[] = [{ code: 'newer-first' }];

/** Later writes of the chat that are not undone. `records`: all of the chat, oldest first. */
const later = (records: readonly JournalRecord[], { path }: JournalRecord): JournalEntry[] =>
  records
    .slice(records.findIndex((each) => each.path === path) + 1)
    .flatMap(({ entry }) => (isOpen(entry) ? [withoutUnredone(entry)] : []));

/** Tells if the entry wrote into the note, into its blocks or below it. */
function isIn({ operations, document, structure, notebook }: JournalEntry, note: JournalEntry): boolean {
  const { id, path } = note.document;
  const isBelow = document.created !== null && notebook === note.notebook && document.path.startsWith(`${path}/`);
  const wrote = operations.some(
    (each) => wasWritten(each) && (document.id === id || each.to?.documentId === id || each.from?.documentId === id),
  );
  const stepped = structure?.steps.some(
    (step) =>
      mayStand(step) &&
      ((step.kind === 'move' && step.after.parent === id) || (isOnBlock(step) && step.documentId === id && step.blockId !== id)),
  );
  return isBelow || wrote || stepped === true;
}

/** A created note that later writes have filled: without the entry's text it would stay empty. Empty if only the user wrote in it. */
export function writtenInLater(records: readonly JournalRecord[], record: JournalRecord): UndoConflict[] {
  const { entry } = record;
  const { id, created } = entry.document;
  if (!created || id === null || !later(records, record).some((each) => isIn(each, entry))) return [];
  return [{ blockId: id, reasons: NEWER_FIRST }];
}

/** Each kind is named: what a new one changes is decided here. */
function isSame(one: StructureStep, other: StructureStep): boolean {
  switch (one.kind) {
    case 'notebook':
      return other.kind === 'notebook' && one.notebook !== null && one.notebook === other.notebook;
    case 'attributes':
      return other.kind === 'attributes' && one.blockId === other.blockId && Object.keys(one.after).some((name) => name in other.after);
    case 'card':
      return other.kind === 'card' && one.blockId === other.blockId;
    case 'database':
      return other.kind === 'database' && one.databaseId === other.databaseId && touchedId(one) === touchedId(other);
    case 'rename':
    case 'move':
    case 'delete':
      return one.kind === other.kind && one.documentId === other.documentId;
  }
}

/** Tells if a later write changed the same document, notebook or block. */
export function isChangedLater(records: readonly JournalRecord[], record: JournalRecord, step: StructureStep): boolean {
  return later(records, record).some(({ structure }) => structure?.steps.some((each) => mayStand(each) && isSame(step, each)) === true);
}
