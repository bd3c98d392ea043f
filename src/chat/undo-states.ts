import type { WriteHistory } from '../tools/ports.ts';
import type { ChatSession } from './session.ts';
import type { Extras, MessageExtras } from './session-view.ts';

/** What can be taken back of each message, as the write journal knows it; kept beside the session, never in it. */
export class UndoStates {
  byMessage: Extras = new Map();
  private readonly history: WriteHistory;

  constructor(history: WriteHistory) {
    this.history = history;
  }

  /** Asks for messages that wrote, or that ended badly and may have written. Rejects as the journal does. */
  async refresh(session: ChatSession): Promise<void> {
    for (const node of session.tree.thread()) {
      if (node.role !== 'assistant' || node.id === session.live?.nodeId) continue;
      const payload = session.tree.payload(node.id);
      if (!payload.writes?.length && payload.status === 'done') continue;
      const undo = await this.history.state(session.id, node.id);
      const known = this.byMessage.get(node.id)?.undo;
      const same = known?.blocks === undo.blocks && known.kind === undo.kind && known.undone === undo.undone;
      if (undo.blocks > 0 && !same) this.set(node.id, { undo });
    }
  }

  async undo(session: ChatSession, nodeId: string, signal: AbortSignal): Promise<void> {
    const undoReport = await this.history.undo(session.id, nodeId, signal);
    const undo = await this.history.state(session.id, nodeId);
    this.set(nodeId, { undo, undoReport });
  }

  private set(nodeId: string, extras: MessageExtras): void {
    this.byMessage = new Map([...this.byMessage, [nodeId, extras]]);
  }
}
