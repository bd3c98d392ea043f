import type { PlanOperation } from '../../tools/contract/plans.ts';
import type { UndoReport, WriteHistory } from '../../tools/contract/ports.ts';
import type { ChatSession } from '../turn/session.ts';
import type { MessageExtras } from '../view/view.ts';
import type { Extras } from './session-view.ts';
import { type ConflictChoice, Undoing } from './undoing.ts';

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
    const undoReport = await this.of(session, nodeId, signal, callId).undo();
    this.announce(session.id);
    return undoReport;
  }

  async redo(session: ChatSession, nodeId: string, signal: AbortSignal): Promise<void> {
    await this.of(session, nodeId, signal).redo();
    this.announce(session.id);
  }

  async resolve(session: ChatSession, nodeId: string, signal: AbortSignal, ...choice: ConflictChoice): Promise<void> {
    await this.of(session, nodeId, signal).resolve(...choice);
    this.announce(session.id);
  }

  private of({ id }: ChatSession, nodeId: string, signal: AbortSignal, callId?: string): Undoing {
    const { history } = this;
    return new Undoing(
      {
        state: () => history.state(id, nodeId),
        undo: (progress) => history.undo(id, nodeId, signal, callId, progress),
        redo: (progress) => history.redo(id, nodeId, signal, undefined, progress),
        resolve: (blockId, choice, shown) => history.resolve(id, nodeId, blockId, choice, signal, shown),
      },
      { get: () => this.byMessage.get(nodeId) ?? {}, set: (extras) => this.set(nodeId, extras) },
    );
  }

  private set(nodeId: string, extras: MessageExtras): void {
    this.byMessage = new Map([...this.byMessage, [nodeId, extras]]);
    this.onChange();
  }
}
