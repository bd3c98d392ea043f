import type { UndoConflict } from '../../tools/contract/ports.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { parseBlock, plainText } from '../blocks/block-dom.ts';
import { isOpen, wasWritten } from '../journal/entry-writes.ts';
import { mayStand } from '../journal/structure-journal.ts';
import type { JournalEntry, JournalRecord } from '../journal/write-journal.ts';

/** Ids that an entry inserted and another write deleted since: that write's Undo would restore them, so they are not gone. */
function deletedLater(records: readonly JournalRecord[], { document, operations }: JournalEntry): readonly string[] {
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

/** The same as conflicts, without undone and known ones. `isOver`: the rest was undone, so this is chosen then, block by block. */
export function deletedLaterConflicts(
  records: readonly JournalRecord[],
  entry: JournalEntry,
  { settled, isOver }: { readonly settled: readonly string[]; readonly isOver: boolean },
): UndoConflict[] {
  const left = deletedLater(records, entry).filter((id) => !settled.includes(id));
  return left.map((blockId) => ({ blockId, reasons: DELETED_LATER, ...(isOver ? { now: null, before: null } : {}) }));
}

const DELETED_LATER: readonly UndoReason[] = [{ code: 'deleted-later' }];

/** Characters that distinguish blocks. */
const WORDS = 60;

/** With the first words of each block about which nothing can be chosen: it may be gone, and its id says nothing to a person. */
export function withWords(conflicts: readonly UndoConflict[], { operations, document }: JournalEntry): UndoConflict[] {
  return conflicts.map((conflict) => {
    const operation = operations.find(({ blockId }) => blockId === conflict.blockId);
    const block = parseBlock(operation?.after.dom || operation?.before?.dom || '');
    const title = conflict.blockId === document.id ? document.path.slice(document.path.lastIndexOf('/') + 1) : '';
    const text = block ? plainText(block) : title;
    const words = preview(text.replace(/\s+/g, ' ').trim(), WORDS);
    const hasText = typeof conflict.now === 'string' || typeof conflict.before === 'string';
    return words === '' || hasText ? conflict : { ...conflict, words };
  });
}
