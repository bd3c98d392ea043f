import { toToolError } from '../../tools/contract/errors.ts';
import type { PlanOperation, Progress } from '../../tools/contract/plans.ts';
import type { Clock, EditingProbe, UndoConflict, UndoReport, UndoState, WriteHistory } from '../../tools/contract/ports.ts';
import type { Access } from '../access/access.ts';
import type { Random } from '../blocks/block-dom.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import type { StepKinds } from '../documents/structure-steps.ts';
import { isOpen, wasWritten, withoutUnredone, writtenIds } from '../journal/entry-writes.ts';
import type { RemovedDocument, StructureStep } from '../journal/structure-journal.ts';
import { undoState } from '../journal/undo-state.ts';
import type { JournalEntry, JournalRecord, WriteJournal } from '../journal/write-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { BlockWriter } from '../transactions/block-writer.ts';
import { awaitCaret } from '../transactions/typing-guard.ts';
import type { BlockPosition } from '../tree/block-tree.ts';
import { ClosedNotebooks } from './closed-notebook.ts';
import { entryProgress } from './entry-progress.ts';
import { deletedLaterConflicts, withWords } from './later-deletes.ts';
import { isChangedLater, writtenInLater } from './later-writes.ts';
import { redoRecords } from './redo.ts';
import { type StructureUndo, structureBlocks } from './structure-undo.ts';
import { type BlockUndo, createBlockUndo } from './undo-blocks.ts';
import { resolveConflict } from './undo-choices.ts';
import { removeCreated } from './undo-document.ts';
import { writtenChanges } from './written-changes.ts';

export interface WriteHistoryDeps {
  readonly routes: KernelRoutes;
  readonly access: Pick<Access, 'locate'>;
  readonly writer: BlockWriter;
  readonly pushes: TransactionLog;
  readonly structure: StructureUndo;
  readonly kinds: StepKinds;
  readonly journal: WriteJournal;
  readonly probe: EditingProbe;
  readonly clock: Clock;
  readonly engine: MarkdownEngine;
  readonly random: Random;
  readonly lock: <T>(run: () => Promise<T>) => Promise<T>;
}

interface EntryUndone {
  readonly restored: string[];
  readonly conflicts: UndoConflict[];
  /** Documents that the write had created, if they were removed. */
  readonly removed?: readonly RemovedDocument[];
  readonly positionsBefore?: Readonly<Record<string, BlockPosition>>;
}

class JournalHistory implements WriteHistory {
  private readonly deps: WriteHistoryDeps;
  private readonly blocks: BlockUndo;

  constructor(deps: WriteHistoryDeps) {
    this.deps = deps;
    this.blocks = createBlockUndo(deps);
  }

  state(sessionId: string, nodeId: string, callId?: string): Promise<UndoState> {
    return undoState(this.deps.journal, sessionId, nodeId, callId);
  }

  undo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport> {
    return this.deps.lock(async () => {
      const records = await this.deps.journal.ofMessage(sessionId, nodeId);
      const wanted = callId === undefined ? records : records.filter(({ entry }) => entry.callId === callId);
      return this.undoRecords(wanted, signal, progress);
    });
  }

  redo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string, progress?: Progress): Promise<UndoReport> {
    return this.deps.lock(async () => {
      const records = await this.deps.journal.ofMessage(sessionId, nodeId);
      const wanted = callId === undefined ? records : records.filter(({ entry }) => entry.callId === callId);
      return redoRecords({ ...this.deps, blocks: this.blocks }, wanted, signal, progress);
    });
  }

  async changes(sessionId: string, nodeId: string, callId: string): Promise<readonly PlanOperation[]> {
    const records = await this.deps.journal.ofMessage(sessionId, nodeId);
    const entries = records.flatMap(({ entry }) => (entry.callId === callId ? [entry] : []));
    return writtenChanges(entries, this.deps.engine);
  }

  resolve(
    sessionId: string,
    nodeId: string,
    blockId: string,
    choice: 'undo' | 'keep',
    signal: AbortSignal,
    shown?: string | null,
  ): Promise<UndoReport> {
    return this.deps.lock(async () => {
      const records = await this.deps.journal.ofMessage(sessionId, nodeId);
      if (choice === 'undo') await awaitCaret(this.deps.probe, [blockId], signal);
      return resolveConflict({ ...this.deps, blocks: this.blocks }, records, { blockId, choice, shown }, signal);
    });
  }

  private async undoRecords(all: readonly JournalRecord[], signal: AbortSignal, progress: Progress | undefined): Promise<UndoReport> {
    const records = all.filter((record) => isOpen(record.entry)).reverse();
    const restored: string[] = [];
    const conflicts: UndoConflict[] = [];
    const notebooks = new ClosedNotebooks(this.deps);
    const each = entryProgress(
      records.map(({ entry }) => writtenIds(withoutUnredone(entry)).length),
      progress,
    );
    for (const [index, record] of records.entries()) {
      if (signal.aborted) throw toToolError(signal.reason);
      each[index]?.(0, 1);
      const result = await this.undoEntry(record, { notebooks, progress: each[index] }, signal);
      each[index]?.(1, 1);
      restored.push(...result.restored);
      conflicts.push(...result.conflicts);
    }
    return { restored: [...new Set(restored)], conflicts };
  }

  private async undoEntry(
    record: JournalRecord,
    { notebooks, progress }: { readonly notebooks: ClosedNotebooks; readonly progress: Progress | undefined },
    signal: AbortSignal,
  ): Promise<{ restored: string[]; conflicts: UndoConflict[] }> {
    const entry = withoutUnredone(record.entry);
    const ids = entry.operations.filter(wasWritten).map((operation) => operation.blockId);
    await awaitCaret(this.deps.probe, [...ids, ...(entry.structure ? structureBlocks(entry.structure) : [])], signal);
    const closed = await notebooks.left(entry, ids, signal);
    if (closed.length > 0) return { restored: [], conflicts: [...closed] };
    const intent: JournalEntry = { ...record.entry, undo: { state: 'intent', time: this.deps.clock.now(), restored: [], conflicts: [] } };
    const begun = await this.deps.journal.update(record, intent);
    const result = await this.undoWritten(record, entry, signal, progress);
    const { restored, conflicts, removed, positionsBefore } = result;
    const end: JournalEntry = {
      ...record.entry,
      undo: {
        state: 'done',
        time: this.deps.clock.now(),
        restored,
        conflicts,
        removed: removed ? [...removed] : undefined,
        stood: positionsBefore && Object.keys(positionsBefore).length > 0 ? positionsBefore : undefined,
      },
    };
    // A second Undo would have no conflicts to report: one lost answer is no reason to fail.
    await this.deps.journal.update(begun, end).catch(() => this.deps.journal.update(begun, end));
    return { restored, conflicts };
  }

  private async undoWritten(
    record: JournalRecord,
    entry: JournalEntry,
    signal: AbortSignal,
    progress: Progress | undefined,
  ): Promise<EntryUndone> {
    const records = await this.deps.journal.ofSession(entry.sessionId);
    const { structure } = entry;
    const isLater = (step: StructureStep): boolean => isChangedLater(records, record, step);
    if (structure) return this.deps.structure.undo(structure, signal, { isChangedLater: isLater, progress });
    const removed = await removeCreated(this.deps, entry, signal);
    const ids = entry.operations.filter(wasWritten).map((operation) => operation.blockId);
    const isGone = removed !== 'keep' && removed.length === 0;
    const result: EntryUndone =
      removed === 'keep'
        ? await this.undoBlocks({ records, record, entry }, signal, progress)
        : { restored: [...removed.slice(-1).map(({ id }) => id), ...ids], conflicts: [], removed };
    const isNothing = isGone || (result.restored.length === 0 && result.conflicts.length === 0);
    const settled = isNothing ? [] : [...result.restored, ...result.conflicts.map(({ blockId }) => blockId)];
    const away = deletedLaterConflicts(records, entry, { settled, isOver: !isNothing });
    if (away.length === 0) return { ...result, conflicts: withWords(result.conflicts, entry) };
    return isNothing
      ? { restored: [], conflicts: withWords(away, entry) }
      : { ...result, conflicts: withWords([...result.conflicts, ...away], entry) };
  }

  private async undoBlocks(
    {
      records,
      record,
      entry,
    }: { readonly records: readonly JournalRecord[]; readonly record: JournalRecord; readonly entry: JournalEntry },
    signal: AbortSignal,
    progress: Progress | undefined,
  ): Promise<EntryUndone> {
    const { id, created, path } = entry.document;
    const newer = writtenInLater(records, record);
    if (newer.length > 0) return { restored: [], conflicts: newer };
    const result = await this.blocks.undo(entry, signal, { progress });
    if (created && id !== null) result.conflicts.push({ blockId: id, reasons: [{ code: 'document-kept' }] });
    else if (id === null) result.conflicts.push({ blockId: '', reasons: [{ code: 'document-unknown', title: path }] });
    return result;
  }
}

export function createWriteHistory(deps: WriteHistoryDeps): WriteHistory {
  return new JournalHistory(deps);
}
