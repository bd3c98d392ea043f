import { isRecord } from '../../tools/util/plain-value.ts';

/** What the session of each of our windows and services begins with. */
export const OUR_SESSIONS = 'marginalia-';

/** A `transactions` push of the kernel's main socket: what any window wrote, in the kernel's order. */
export interface TransactionsPush {
  /** The session that made the change; our own changes are not foreign. */
  readonly session: string;
  readonly blockIds: readonly string[];
  /** Operations on blocks, in order; absent if nobody needs them. */
  readonly operations?: readonly PushedOperation[];
  /** The inverse operations, in order, with the former content, as an editor sends them. */
  readonly inverse?: readonly PushedOperation[];
}

/** An operation that the kernel carried out, as far as it can be replayed. */
export interface PushedOperation {
  readonly action: string;
  readonly id: string;
  /** Block DOM, for inserts and updates. */
  readonly data: string;
  /** For `updateAttrs`: all current attributes of the block. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly previousID: string;
  readonly parentID: string;
}

export interface HeardOperation extends PushedOperation {
  readonly own: boolean;
}

/** The host's push socket: the plugin receives its messages as the event `ws-main`. */
export interface PushSource {
  onTransactions(listener: (push: TransactionsPush) => void): () => void;
  /** Every push by its command; '' if some may have been missed. Returns a function that stops listening. */
  onCommand?(listener: (command: string) => void): () => void;
  hears?(): boolean;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The command of a raw message of the socket; '' if it is not a message of the kernel. */
export const commandOf = (message: unknown): string => (isRecord(message) && typeof message.cmd === 'string' ? message.cmd : '');

const OF_NOTEBOOKS = new Set(['', 'createnotebook', 'renamenotebook', 'removeBox', 'mount', 'unmount']);

/** Calls back when the list of notebooks, or an attribute of one, may have changed; returns a function that stops listening. */
export function onNotebooks(pushes: PushSource, isNotebook: (id: string) => boolean, listener: () => void): () => void {
  const stops = [
    pushes.onCommand?.((command) => void (OF_NOTEBOOKS.has(command) && listener())),
    pushes.onTransactions(({ blockIds }) => void (blockIds.some(isNotebook) && listener())),
  ];
  return () => stops.forEach((stop) => void stop?.());
}

/** Parses a raw message of the socket; undefined for any other command. */
export function readTransactionsPush(message: unknown): TransactionsPush | undefined {
  if (!isRecord(message) || message.cmd !== 'transactions') return undefined;
  const operationsOf = (name: 'doOperations' | 'undoOperations'): readonly unknown[] =>
    list(message.data).flatMap((transaction) => (isRecord(transaction) ? list(transaction[name]) : []));
  const operations = operationsOf('doOperations');
  const blockIds = operations.flatMap((operation) => {
    if (!isRecord(operation)) return [];
    // A block inserted into a container changes the container.
    const into = operation.action === 'insert' || operation.action === 'move' ? [operation.parentID] : [];
    return [operation.id, ...into].filter((id): id is string => typeof id === 'string' && id !== '');
  });
  const attributesIn = (data: unknown): Pick<PushedOperation, 'attributes'> => {
    if (!isRecord(data) || !isRecord(data.new)) return {};
    const entries = Object.entries(data.new).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return { attributes: Object.fromEntries(entries) };
  };
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const read = (all: readonly unknown[]): PushedOperation[] =>
    all.filter(isRecord).map(({ action, id, data, previousID, parentID }) => ({
      action: text(action),
      id: text(id),
      data: text(data),
      ...(action === 'updateAttrs' ? attributesIn(data) : {}),
      previousID: text(previousID),
      parentID: text(parentID),
    }));
  return { session: text(message.sid), blockIds, operations: read(operations), inverse: read(operationsOf('undoOperations')) };
}

export interface TransactionLog {
  /** A point in time, for later questions. */
  position(): number;
  /** Of these blocks, those that somebody else changed after that point. */
  foreignSince(position: number, blockIds: Iterable<string>): readonly string[];
  /** Tells if somebody else changed any block after that point. */
  othersSince(position: number): boolean;
  /** All operations after that point, ours included, in the kernel's order and as far as they are remembered. */
  operationsSince(position: number): readonly HeardOperation[];
  /** Tells if our own operations on all these blocks after that point are received, now or within `ms`. */
  hearsOwn(position: number, blockIds: readonly string[], ms: number): Promise<boolean>;
  close(): void;
}

const MAX_REMEMBERED = 10_000;
/** They include texts; callers ask for them within a second. */
const MAX_OPERATIONS = 300;

export function createTransactionLog(source: PushSource | undefined, ownSession: string): TransactionLog {
  const lastChange = new Map<string, number>();
  const recent: { readonly position: number; readonly operation: HeardOperation }[] = [];
  let position = 0;
  let lastOther = 0;
  const waiting = new Set<() => void>();
  const ownSince = (since: number): Set<string> =>
    new Set(recent.flatMap(({ position: at, operation }) => (at > since && operation.own ? [operation.id] : [])));
  const stop = source?.onTransactions((push) => {
    const own = push.session === ownSession;
    position += 1;
    for (const operation of push.operations ?? []) recent.push({ position, operation: { ...operation, own } });
    recent.splice(0, recent.length - MAX_OPERATIONS);
    for (const look of waiting) look();
    if (own) return;
    lastOther = position;
    for (const id of push.blockIds) {
      // Inserted last, so that the oldest change is forgotten first.
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
    othersSince: (since) => lastOther > since,
    operationsSince: (since) => recent.filter((each) => each.position > since).map((each) => each.operation),
    hearsOwn: (since, blockIds, ms) =>
      new Promise((resolve) => {
        const hears = (): boolean => {
          const own = ownSince(since);
          return blockIds.every((id) => own.has(id));
        };
        const end = (heard: boolean): void => {
          waiting.delete(look);
          clearTimeout(timer);
          resolve(heard);
        };
        const look = (): void => {
          if (hears()) end(true);
        };
        const timer = setTimeout(() => end(hears()), ms);
        waiting.add(look);
        look();
      }),
    close: () => stop?.(),
  };
}
