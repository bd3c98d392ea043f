import type { PlanOperation, Progress } from '../../tools/contract/plans.ts';
import type { UndoConflict, UndoReport, WriteHistory } from '../../tools/contract/ports.ts';
import type { ProgressCount } from '../../tools/contract/types.ts';
import type { ChatSession } from '../turn/session.ts';
import type { MessageExtras } from '../view/view.ts';
import type { Extras } from './session-view.ts';

/** What can be undone of each message, according to the write journal; kept next to the session, never in it. */
export class UndoStates {
  byMessage: Extras = new Map();
  private readonly history: WriteHistory;
  private readonly onChange: () => void;
  private readonly announce: (sessionId: string) => void;

  /** `announce`: tells other windows that show the chat to offer Undo and Redo as well. */
  constructor(history: WriteHistory, { onChange, announce }: { onChange: () => void; announce: (sessionId: string) => void }) {
    this.history = history;
    this.onChange = onChange;
    this.announce = announce;
  }

  /** Asks for every answer: even one that wrote nothing may have been appended to a note. Rejects like the journal. */
  async refresh(session: ChatSession): Promise<void> {
    for (const node of session.tree.thread()) {
      if (node.role !== 'assistant' || node.id === session.live?.nodeId) continue;
      await this.look(session, node.id);
    }
  }

  async look(session: ChatSession, nodeId: string): Promise<void> {
    const undo = await this.history.state(session.id, nodeId);
    const same = JSON.stringify(this.byMessage.get(nodeId)?.undo) === JSON.stringify(undo);
    if (undo.blocks > 0 && !same) this.set(nodeId, { undo, ...(undo.report ? { undoReport: undo.report } : {}) });
  }

  clear(): void {
    this.byMessage = new Map();
  }

  /** All of its writes were undone: they can be redone. */
  isUndone(nodeId: string): boolean {
    return this.byMessage.get(nodeId)?.undo?.undone === true;
  }

  changes(session: ChatSession, nodeId: string, callId: string): Promise<readonly PlanOperation[]> {
    return this.history.changes(session.id, nodeId, callId);
  }

  /** Everything that the message wrote, or what one call of it did. */
  async undo(session: ChatSession, nodeId: string, signal: AbortSignal, callId?: string): Promise<UndoReport> {
    const undoReport = await this.counted(nodeId, (progress) => this.history.undo(session.id, nodeId, signal, callId, progress));
    const undo = await this.history.state(session.id, nodeId);
    this.set(nodeId, { undo, undoReport });
    this.announce(session.id);
    return undoReport;
  }

  async redo(session: ChatSession, nodeId: string, signal: AbortSignal): Promise<void> {
    const redoReport = await this.counted(nodeId, (progress) => this.history.redo(session.id, nodeId, signal, undefined, progress));
    const undo = await this.history.state(session.id, nodeId);
    this.set(nodeId, { undo, redoReport });
    this.announce(session.id);
  }

  /** Decides about a block that `undo` left alone; its conflict is then gone, unless the journal answers with a new one. */
  async resolve(
    session: ChatSession,
    target: {
      readonly nodeId: string;
      readonly blockId: string;
      readonly choice: 'undo' | 'keep';
      readonly shown: string | null | undefined;
    },
    signal: AbortSignal,
  ): Promise<void> {
    const { nodeId, blockId, choice, shown } = target;
    const settled = await this.history.resolve(session.id, nodeId, blockId, choice, signal, shown);
    const undo = await this.history.state(session.id, nodeId);
    const known = this.byMessage.get(nodeId)?.undoReport;
    this.set(nodeId, { undo, undoReport: known ? withSettled(known, settled, blockId) : settled });
    this.announce(session.id);
  }

  /** Shows how far the work is while it runs; one write is over too soon to be counted. */
  private async counted<T>(nodeId: string, work: (progress: Progress) => Promise<T>): Promise<T> {
    const show = (undoCount?: ProgressCount): void => {
      const { undoCount: _before, ...extras } = this.byMessage.get(nodeId) ?? {};
      this.set(nodeId, undoCount ? { ...extras, undoCount } : extras);
    };
    try {
      return await work((done, total) => {
        if (total > 1) show({ done, total });
      });
    } finally {
      show();
    }
  }

  private set(nodeId: string, extras: MessageExtras): void {
    this.byMessage = new Map([...this.byMessage, [nodeId, extras]]);
    this.onChange();
  }
}

function withSettled(known: UndoReport, settled: UndoReport, blockId: string): UndoReport {
  const settledIds = new Set([blockId, ...settled.conflicts.map((conflict) => conflict.blockId)]);
  const open = (conflict: UndoConflict): boolean => !settledIds.has(conflict.blockId);
  return {
    restored: [...new Set([...known.restored, ...settled.restored])],
    conflicts: [...known.conflicts.filter(open), ...settled.conflicts],
  };
}
