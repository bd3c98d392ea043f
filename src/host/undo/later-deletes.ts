import { isOpen, wasWritten } from '../journal/entry-writes.ts';
import { mayStand } from '../journal/structure-journal.ts';
import type { JournalEntry, JournalRecord } from '../journal/write-journal.ts';

/**
 * What an entry inserted and another write of the chat deleted since. The Undo of that write would restore it: it is not gone, and the
 * Undo of the entry must not be used up by finding nothing. Ids of blocks, and of a document that the entry created.
 */
export function deletedLater(records: readonly JournalRecord[], { document, operations }: JournalEntry): readonly string[] {
  const open = records.filter(({ entry }) => isOpen(entry));
  const documents = open.flatMap(({ entry }) =>
    (entry.structure?.steps ?? []).flatMap((step) => (step.kind === 'delete' && mayStand(step) ? step.documents.map(({ id }) => id) : [])),
  );
  const inserted = operations.filter((each) => each.action === 'insert' && wasWritten(each)).map(({ blockId }) => blockId);
  if (document.id !== null && documents.includes(document.id)) return [...(document.created ? [document.id] : []), ...inserted];
  const deleted = open.flatMap(({ entry }) =>
    entry.operations.flatMap((each) => (each.action === 'delete' && wasWritten(each) ? [each.before?.dom ?? ''] : [])),
  );
  return inserted.filter((id) => deleted.some((dom) => dom.includes(`data-node-id="${id}"`)));
}
