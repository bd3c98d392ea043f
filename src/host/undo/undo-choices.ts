import type { Clock, UndoConflict } from '../../tools/contract/ports.ts';
import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { wasWritten } from '../journal/entry-writes.ts';
import type { StructureStep } from '../journal/structure-journal.ts';
import type { JournalEntry, JournalOperation, JournalRecord, WriteJournal } from '../journal/write-journal.ts';
import { deletedLaterConflicts, withWords } from './later-deletes.ts';
import { isChangedLater } from './later-writes.ts';
import type { ChosenUndo, StructureUndo } from './structure-undo.ts';
import type { BlockUndo } from './undo-blocks.ts';
import {
  attributesBeyond,
  type BlockConflict,
  idsBrought,
  isOurWriting,
  type UndoSnapshot,
  type UndoTask,
  withAttributes,
} from './undo-judgement.ts';

export interface ResolveDeps {
  readonly blocks: BlockUndo;
  readonly structure: StructureUndo;
  readonly journal: WriteJournal;
  readonly clock: Clock;
}

export interface Resolution {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
}

const CHANGED: readonly UndoReason[] = [{ code: 'changed' }];
const GONE: readonly UndoReason[] = [{ code: 'removed' }];
const LOST: readonly UndoReason[] = [{ code: 'lost' }];

/** All changes of the message to one block as one: the first write knows the state before all of them. */
function merged(operations: readonly JournalOperation[]): JournalOperation | undefined {
  const content = operations.find((operation) => operation.action !== 'move');
  const placed = operations.find((operation) => operation.from !== undefined);
  const base = content ?? placed;
  return base && { ...base, ...(placed?.from ? { from: placed.from } : {}) };
}

/** The tasks that restore the block as it was before the message, over its current state. */
function forcedTasks(operation: JournalOperation, moved: boolean, snapshot: UndoSnapshot): UndoTask[] | null {
  const { blockId, before, from, action } = operation;
  const now = snapshot.doms[blockId] ?? '';
  if (action === 'insert') return now === '' ? [] : [{ kind: 'remove', operation, now }];
  const placed = from && (snapshot.tree.has(from.parentId) || snapshot.tree.hasDocument(from.documentId));
  if (action === 'move') return now !== '' && placed ? [{ kind: 'move-back', operation, now }] : null;
  if (idsBrought(operation, now).some((id) => snapshot.existing.has(id))) return null;
  if (now === '') return placed ? [{ kind: 'restore', operation, now }] : null;
  const tasks: UndoTask[] = hashOfBlock(now) === before?.hash ? [] : [{ kind: 'update', operation: keeping(operation, now), now }];
  if (moved && placed) tasks.push({ kind: 'move-back', operation, now: before?.dom ?? now });
  return tasks;
}

/** Attributes that the user set since are kept: Markdown does not show them, so they were not part of the choice. */
function keeping(operation: JournalOperation, now: string): JournalOperation {
  const { before } = operation;
  if (!before) return operation;
  const dom = withAttributes(before.dom, attributesBeyond(now, '', before.dom));
  return { ...operation, before: { dom, hash: hashOfBlock(dom) } };
}

/** The current state was shown, or only the message wrote it. A block that was moved or deleted is not overwritten. */
function isAsShown(written: readonly JournalOperation[], current: string, now: UndoConflict['now'], { shown }: ChosenUndo): boolean {
  const texts = written.filter((each) => each.action !== 'move');
  const [last] = texts.slice(-1);
  if (!last || isOurWriting(last, current)) return true;
  return current === '' ? shown === null || shown === undefined : shown !== undefined && shown === now;
}

type Undone = NonNullable<JournalEntry['undo']>;

function settled(undo: Undone, blockId: string, choice: 'undo' | 'keep'): Undone {
  const conflicts = undo.conflicts.filter((each) => each.blockId !== blockId);
  if (choice === 'keep') return { ...undo, conflicts, kept: [...(undo.kept ?? []), blockId] };
  return { ...undo, conflicts, restored: [...undo.restored, blockId] };
}

/** Every window reports the current conflict. */
const withConflict = (undo: Undone, anew: UndoConflict | undefined): Undone => ({
  ...undo,
  conflicts: undo.conflicts.map((each) => (anew && each.blockId === anew.blockId ? anew : each)),
});

const textShown = (open: readonly JournalRecord[], blockId: string): string | null | undefined =>
  open.flatMap(({ entry }) => entry.undo?.conflicts ?? []).findLast((each) => each.blockId === blockId)?.now;

/** Settles a conflict of undo. `records` are the message's, oldest first; those without a conflict about the block are unchanged. */
export async function resolveConflict(
  deps: ResolveDeps,
  records: readonly JournalRecord[],
  request: { readonly blockId: string; readonly choice: 'undo' | 'keep'; readonly shown?: string | null | undefined },
  signal: AbortSignal,
): Promise<Resolution> {
  const { blockId, choice } = request;
  const open = records.filter(({ entry }) => entry.undo?.conflicts.some((each) => each.blockId === blockId));
  let result: Resolution = { restored: [], conflicts: [] };
  const { shown = textShown(open, blockId) } = request;
  if (choice === 'undo' && open.length > 0) result = await undoBlock(deps, open, { blockId, shown }, signal);
  const isSettled = result.conflicts.length === 0 || result.restored.includes(blockId);
  const [anew] = result.conflicts.filter((each) => each.blockId === blockId && each.now !== undefined);
  if (!isSettled && !anew) return result;
  for (const { path } of open) {
    const [record] = (await deps.journal.ofMessage(open[0]?.entry.sessionId ?? '', open[0]?.entry.nodeId ?? '')).filter(
      (each) => each.path === path,
    );
    if (!record?.entry.undo) continue;
    const undo = isSettled ? settled(record.entry.undo, blockId, choice) : withConflict(record.entry.undo, anew);
    await deps.journal.update(record, { ...record.entry, undo });
  }
  return result;
}

async function undoBlock(deps: ResolveDeps, open: readonly JournalRecord[], chosen: ChosenUndo, signal: AbortSignal): Promise<Resolution> {
  const { blockId } = chosen;
  const structured = open.find((record) => record.entry.structure);
  if (structured?.entry.structure) {
    const records = await deps.journal.ofSession(structured.entry.sessionId);
    const isLater = (step: StructureStep): boolean => isChangedLater(records, structured, step);
    return deps.structure.undo(structured.entry.structure, signal, { over: chosen, isChangedLater: isLater });
  }
  const operations = open.flatMap((record) => record.entry.operations.filter((each) => each.blockId === blockId && wasWritten(each)));
  const operation = merged(operations);
  const [first] = open;
  if (!operation || !first) return { restored: [], conflicts: [{ blockId, reasons: LOST }] };
  const snapshot = await deps.blocks.snapshot([operation], first.entry.document.id, signal);
  const moved = operations.some((each) => each.action === 'move');
  const tasks = forcedTasks(operation, moved, snapshot);
  if (!tasks) return { restored: [], conflicts: [{ blockId, reasons: LOST }] };
  const current = snapshot.doms[blockId] ?? '';
  if (current === '' && operation.action === 'insert') {
    const conflicts = deletedLaterConflicts(await deps.journal.ofSession(first.entry.sessionId), first.entry, {
      settled: [],
      isOver: true,
    });
    const still = conflicts.filter((each) => each.blockId === blockId);
    if (still.length > 0) return { restored: [], conflicts: withWords(still, first.entry) };
  }
  const anew = deps.blocks.conflictOf(conflictNow(operation, current));
  if (tasks.length > 0 && !isAsShown(operations, current, anew.now, chosen)) return { restored: [], conflicts: [anew] };
  if (current !== '') await keepOverwritten(deps, first, blockId, current);
  const { restored, conflicts } = await deps.blocks.carryOut(tasks, snapshot);
  const left = restored.includes(blockId) ? undefined : conflicts.find((each) => each.blockId === blockId);
  if (!left) return { restored, conflicts };
  // Somebody wrote at the last moment: the next choice is about that.
  const { doms } = await deps.blocks.snapshot([operation], first.entry.document.id, signal);
  const { reasons } = left;
  return { restored, conflicts: [{ ...deps.blocks.conflictOf(conflictNow(operation, doms[blockId] ?? '')), reasons }] };
}

function conflictNow({ blockId, before }: JournalOperation, now: string): BlockConflict {
  return { blockId, reasons: now === '' ? GONE : CHANGED, now, before: before?.dom ?? '' };
}

/** The user's text is saved in the journal before it is overwritten. */
async function keepOverwritten(deps: ResolveDeps, record: JournalRecord, blockId: string, dom: string): Promise<void> {
  const { entry } = record;
  if (!entry.undo) return;
  const overwritten = [...(entry.undo.overwritten ?? []), { blockId, dom, time: deps.clock.now() }];
  await deps.journal.update(record, { ...entry, undo: { ...entry.undo, overwritten } });
}
