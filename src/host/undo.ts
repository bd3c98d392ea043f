import { toToolError } from '../tools/errors.ts';
import type { Clock, EditingProbe, UndoReport, UndoState, WriteHistory } from '../tools/ports.ts';
import type { BlockWriter } from './block-writer.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import { awaitCaret } from './typing-guard.ts';
import { type BlockUndo, type Conflict, createBlockUndo, wasWritten } from './undo-blocks.ts';
import { removeCreated } from './undo-document.ts';
import type { JournalEntry, JournalRecord, WriteJournal } from './write-journal.ts';

export interface WriteHistoryDeps {
  readonly routes: KernelRoutes;
  readonly writer: BlockWriter;
  readonly journal: WriteJournal;
  readonly probe: EditingProbe;
  readonly clock: Clock;
  readonly lock: <T>(run: () => Promise<T>) => Promise<T>;
}

const isOpen = (entry: JournalEntry): boolean =>
  entry.undo?.state !== 'done' && (entry.operations.some(wasWritten) || entry.document.created !== null || entry.document.id === null);

class JournalHistory implements WriteHistory {
  private readonly deps: WriteHistoryDeps;
  private readonly blocks: BlockUndo;

  constructor(deps: WriteHistoryDeps) {
    this.deps = deps;
    this.blocks = createBlockUndo(deps);
  }

  async state(sessionId: string, nodeId: string): Promise<UndoState> {
    const records = await this.deps.journal.ofMessage(sessionId, nodeId);
    const open = records.filter((record) => isOpen(record.entry));
    const ids = new Set(records.flatMap((record) => record.entry.operations.filter(wasWritten).map((operation) => operation.blockId)));
    const uncertain = open.some((record) => record.entry.state !== 'done' || record.entry.undo?.state === 'intent');
    const kind = records.length === 0 ? 'none' : uncertain ? 'partial' : 'exact';
    return { blocks: ids.size, kind, undone: records.length > 0 && open.length === 0 };
  }

  undo(sessionId: string, nodeId: string, signal: AbortSignal): Promise<UndoReport> {
    return this.deps.lock(() => this.undoMessage(sessionId, nodeId, signal));
  }

  private async undoMessage(sessionId: string, nodeId: string, signal: AbortSignal): Promise<UndoReport> {
    const records = (await this.deps.journal.ofMessage(sessionId, nodeId)).filter((record) => isOpen(record.entry)).reverse();
    const restored: string[] = [];
    const conflicts: Conflict[] = [];
    for (const record of records) {
      if (signal.aborted) throw toToolError(signal.reason);
      const result = await this.undoEntry(record, signal);
      restored.push(...result.restored);
      conflicts.push(...result.conflicts);
    }
    return { restored: [...new Set(restored)], conflicts };
  }

  private async undoEntry(record: JournalRecord, signal: AbortSignal): Promise<{ restored: string[]; conflicts: Conflict[] }> {
    const { entry } = record;
    const ids = entry.operations.filter(wasWritten).map((operation) => operation.blockId);
    await awaitCaret(this.deps.probe, ids, signal);
    const intent: JournalEntry = { ...entry, undo: { state: 'intent', time: this.deps.clock.now(), restored: [], conflicts: [] } };
    const begun = await this.deps.journal.update(record, intent);
    const whole = await removeCreated(this.deps.routes, entry, signal);
    let result: { restored: string[]; conflicts: Conflict[] };
    if (whole !== 'keep') result = { restored: [...whole, ...ids], conflicts: [] };
    else {
      result = await this.blocks.undo(entry, signal);
      if (entry.document.created && entry.document.id !== null) {
        result.conflicts.push({ blockId: entry.document.id, reason: 'the document was kept: it holds more than what was written' });
      } else if (entry.document.id === null) {
        result.conflicts.push({ blockId: '', reason: `whether "${entry.document.path}" was made is not known; look for it` });
      }
    }
    await this.deps.journal.update(begun, {
      ...entry,
      undo: { state: 'done', time: this.deps.clock.now(), restored: result.restored, conflicts: result.conflicts },
    });
    return result;
  }
}

export function createWriteHistory(deps: WriteHistoryDeps): WriteHistory {
  return new JournalHistory(deps);
}
