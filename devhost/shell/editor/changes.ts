import { timestamp } from '../core/dom.ts';
import { call } from '../core/http.ts';
import { app } from '../core/state.ts';
import { text } from '../core/texts.ts';
import type { Operation } from '../core/types.ts';
import { showMessage } from '../ui/message.ts';
import { blockById, cleanHtml, idOf } from './blocks.ts';
import type { ChangeQueue, ProtyleState } from './types.ts';

const quietTime = 300;

/**
 * Carries the user's edits to the kernel: typing is gathered for 300 ms and sent as one `update` a block,
 * with the DOM before it as undo; structural edits are sent at once, after what was typed before them.
 */
export class Changes implements ChangeQueue {
  private readonly protyle: ProtyleState;
  private readonly onRefused: () => void;
  private readonly touched = new Set<string>();
  private timer = 0;
  private sending: Promise<void> = Promise.resolve();

  constructor(protyle: ProtyleState, onRefused: () => void) {
    this.protyle = protyle;
    this.onRefused = onRefused;
  }

  /** Notes that a block was edited; its DOM before the edit must be in `lastHTMLs`. */
  touch(block: HTMLElement): void {
    this.touched.add(idOf(block));
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.flush(), quietTime);
  }

  /** Drops what was typed into a block: another session replaced it. */
  forget(id: string): void {
    this.touched.delete(id);
    delete this.protyle.wysiwyg.lastHTMLs[id];
  }

  flush(): Promise<void> {
    window.clearTimeout(this.timer);
    const last = this.protyle.wysiwyg.lastHTMLs;
    const doOperations: Operation[] = [];
    const undoOperations: Operation[] = [];
    for (const id of this.touched) {
      const block = blockById(this.protyle.wysiwyg.element, id);
      if (!block) continue;
      block.setAttribute('updated', timestamp());
      const data = cleanHtml(block);
      doOperations.push({ action: 'update', id, data });
      undoOperations.push({ action: 'update', id, data: last[id] ?? data });
      delete last[id];
    }
    this.touched.clear();
    return doOperations.length > 0 ? this.send(doOperations, undoOperations) : this.sending;
  }

  commit(doOperations: Operation[], undoOperations: Operation[]): Promise<void> {
    void this.flush();
    return this.send(doOperations, undoOperations);
  }

  private send(doOperations: Operation[], undoOperations: Operation[]): Promise<void> {
    this.protyle.updated = true;
    this.sending = this.sending.then(() => this.post(doOperations, undoOperations));
    return this.sending;
  }

  private async post(doOperations: Operation[], undoOperations: Operation[]): Promise<void> {
    const body = { app: app.appId, session: this.protyle.id, reqId: Date.now(), transactions: [{ doOperations, undoOperations }] };
    try {
      const response = await fetch('/api/transactions', { method: 'POST', body: JSON.stringify(body) });
      const answer = (await response.json()) as { code: number; msg: string };
      if (answer.code === 0) return;
      showMessage(`${text('kernelRefused')}: ${answer.msg}`, 0, 'error');
      this.onRefused();
    } catch (error) {
      showMessage(`${text('disconnected')} ${String(error)}`, 6000, 'error');
    }
  }
}

let replaying: Promise<void> = Promise.resolve();

/** The kernel's own undo log, which Ctrl+Z reads, one step after the other; what was typed last goes in before. */
export function undoOrRedo(protyle: ProtyleState, action: 'undo' | 'redo', reload: () => Promise<void>): Promise<void> {
  replaying = replaying.then(async () => {
    await protyle.changes.flush();
    await call(`/api/transactions/${action}`, { app: app.appId, session: protyle.id, rootID: protyle.block.rootID });
    await reload();
  });
  return replaying;
}
