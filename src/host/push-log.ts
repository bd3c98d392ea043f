/** A `transactions` push of the kernel's main socket (HOST.md, "The user types at the same time"). */
export interface TransactionsPush {
  /** Session that made the change; our own is not foreign. */
  readonly session: string;
  /** Ids that its operations name. */
  readonly blockIds: readonly string[];
}

/** The host's push socket; `ws-main` in the plugin, `/ws` in the service. */
export interface PushSource {
  /** Returns the way to stop listening. */
  onTransactions(listener: (push: TransactionsPush) => void): () => void;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Reads a raw message of the socket; undefined for any other command. */
export function readTransactionsPush(message: unknown): TransactionsPush | undefined {
  if (!isRecord(message) || message.cmd !== 'transactions') return undefined;
  const operations = list(message.data).flatMap((transaction) => (isRecord(transaction) ? list(transaction.doOperations) : []));
  const blockIds = operations.flatMap((operation) => (isRecord(operation) && typeof operation.id === 'string' ? [operation.id] : []));
  return { session: typeof message.sid === 'string' ? message.sid : '', blockIds };
}

export interface PushLog {
  /** A point in time to ask about later. */
  position(): number;
  /** Of these blocks, those that somebody else changed after that point. */
  foreignSince(position: number, blockIds: Iterable<string>): readonly string[];
  close(): void;
}

const MAX_REMEMBERED = 10_000;

export function createPushLog(source: PushSource | undefined, ownSession: string): PushLog {
  const lastChange = new Map<string, number>();
  let position = 0;
  const stop = source?.onTransactions((push) => {
    if (push.session === ownSession) return;
    position += 1;
    for (const id of push.blockIds) {
      // Put last, so that what is forgotten first is what changed longest ago.
      lastChange.delete(id);
      lastChange.set(id, position);
    }
    for (const id of lastChange.keys()) {
      if (lastChange.size <= MAX_REMEMBERED) break;
      lastChange.delete(id);
    }
  });
  return {
    position: () => position,
    foreignSince: (since, blockIds) => [...blockIds].filter((id) => (lastChange.get(id) ?? 0) > since),
    close: () => stop?.(),
  };
}
