import type { IndexQueue } from '../index-queue.ts';
import type { PushHub, PushTarget } from '../push.ts';
import type { AttributeViews } from '../store/attribute-views.ts';
import type { Decks } from '../store/decks.ts';
import type { DocumentStore } from '../store/documents.ts';
import type { KernelDocument } from '../tree/node.ts';
import { cloneOperations, type Operation, operation, type TransactionData } from './operation.ts';
import { performOperations } from './perform.ts';
import { UndoLog } from './undo-log.ts';

/** How long a transaction that nobody waits for stays in the queue (the kernel's own tick). */
const TICK_MS = 50;

export interface TransactionHost {
  /** As SiYuan 3.8 does. */
  readonly isNewer: boolean;
  readonly documents: DocumentStore;
  readonly decks: Decks;
  readonly attributeViews: AttributeViews;
  readonly pushes: PushHub;
  readonly indexQueue: IndexQueue;
}

export interface CommitOptions {
  /** Came by `/api/transactions`: the step can be undone there. */
  readonly undoable?: boolean;
}

export interface ReplayResult {
  readonly transaction: TransactionData;
  readonly rootIds: readonly string[];
}

/** Performs transactions one after the other: all trees to disk, then the events, then the index queue. */
export class TransactionEngine {
  readonly undoLog = new UndoLog();
  private readonly host: TransactionHost;
  private queue: TransactionData[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(host: TransactionHost) {
    this.host = host;
  }

  /** For writers that do not wait for the outcome (`/api/block/deleteBlock`). */
  enqueue(transaction: TransactionData): void {
    this.queue.push(transaction);
    this.timer ??= setTimeout(() => this.flush(), TICK_MS);
  }

  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const waiting = this.queue;
    this.queue = [];
    for (const transaction of waiting) this.perform(transaction);
  }

  /** Performs at once. Returns the touched documents' ids, or the failure's text; a failure changed nothing. */
  perform(transaction: TransactionData, options: CommitOptions = {}): readonly string[] | { readonly failed: string } {
    this.flush();
    const { doOperations, undoOperations } = transaction;
    if (doOperations.length === 0) return [];
    const outcome = this.attempt(doOperations);
    if ('message' in outcome) {
      const text = outcome.message.includes(outcome.id) ? outcome.message : `${outcome.message} [${outcome.id}]`;
      this.host.pushes.push({ cmd: 'txerr', msg: text }, { type: 'main' });
      return { failed: text };
    }
    this.commit(outcome.documents, transaction);
    outcome.effects.views.save();
    for (const { isAdding, deckId, blockIds } of outcome.effects.cards) {
      if (isAdding) this.host.decks.add(deckId, blockIds, new Date());
      else this.host.decks.remove(deckId, blockIds);
    }
    if (outcome.effects.reload) this.host.pushes.push({ cmd: 'reloadui' }, { type: 'main' });
    const rootIds = outcome.documents.map((d) => d.root.ID ?? '');
    if (options.undoable && undoOperations?.length && rootIds.length > 0) this.undoLog.record(doOperations, undoOperations, rootIds);
    return rootIds;
  }

  /** An operation that breaks Lute rolls the transaction back like any failing one. */
  private attempt(operations: readonly Operation[]): ReturnType<typeof performOperations> {
    try {
      return performOperations(operations, this.host);
    } catch (error) {
      console.error('devhost: a transaction broke', error);
      return { message: `transaction panic: ${error instanceof Error ? error.message : String(error)}`, id: '' };
    }
  }

  /** Writes documents outside a transaction (attributes, renames), with the same order of disk, event and index. */
  commit(documents: readonly KernelDocument[], source?: TransactionData): void {
    const isEdit = source?.doOperations.some(({ action }) => action === 'update') ?? false;
    for (const document of documents) {
      if (!this.host.documents.write(document)) continue;
      const rootID = document.root.ID ?? '';
      this.host.indexQueue.add((index) => {
        const current = this.host.documents.load(rootID);
        if (current) index.put(current, { losesOwnTags: isEdit });
      }, rootID);
      const sources = source ? [source] : [];
      this.host.pushes.push({ cmd: 'savedoc', data: { rootID, type: 'tx', sources } });
    }
  }

  /** Tells the other windows. `target.exceptSession` is the session that sent the transactions. */
  announce(transactions: readonly TransactionData[], rootIDs: readonly string[], target: PushTarget, replay?: boolean): void {
    const states = rootIDs.map((id) => {
      const { canUndo, canRedo } = this.undoLog.state(id);
      return [id, { canUndo, canRedo }];
    });
    const context = { rootIDs, undoState: Object.fromEntries(states), ...(replay && { isUndoReplay: true }) };
    this.host.pushes.push({ cmd: 'transactions', data: transactions, context }, target);
  }

  /** Undoes the document's last step, or does it again. Undefined when there is none. */
  replay(rootId: string, side: 'undo' | 'redo'): ReplayResult | { readonly failed: string } | undefined {
    const entry = this.undoLog.peek(rootId, side);
    if (!entry) return undefined;
    const [forth, back] = side === 'undo' ? [entry.undoOperations, entry.doOperations] : [entry.doOperations, entry.undoOperations];
    const transaction = { timestamp: Date.now(), doOperations: cloneOperations(forth), undoOperations: cloneOperations(back) };
    const outcome = this.perform(transaction);
    if ('failed' in outcome) return outcome;
    if (side === 'undo') this.undoLog.undone(entry, rootId);
    else this.undoLog.redone(entry, rootId);
    return { transaction, rootIds: entry.rootIds };
  }

  stop(): void {
    this.flush();
  }
}

/** A transaction of the kernel's own making. */
export function transactionOf(...operations: ({ readonly action: string } & Record<string, unknown>)[]): TransactionData {
  const doOperations: Operation[] = operations.map(operation);
  return { timestamp: Date.now(), doOperations, undoOperations: null };
}
