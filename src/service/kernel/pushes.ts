import { type PushSource, readTransactionsPush, type TransactionsPush } from '../../host/kernel/transaction-log.ts';

const RETRY_MS = 2000;

export interface PushOptions {
  /** Origin of the kernel. */
  readonly kernel: string;
  readonly token: string | undefined;
  /** Names this listener. */
  readonly id: string;
  /** Ends the listening. */
  readonly signal: AbortSignal;
}

function readMessage(data: unknown): TransactionsPush | undefined {
  try {
    return typeof data === 'string' ? readTransactionsPush(JSON.parse(data)) : undefined;
  } catch {
    return undefined; // Not one of the kernel's messages.
  }
}

/** What any window writes, from the kernel's push socket; it is opened again when it breaks. */
export function openPushes({ kernel, token, id, signal }: PushOptions): PushSource {
  const listeners = new Set<(push: TransactionsPush) => void>();
  const address = `${kernel.replace(/^http/, 'ws')}/ws?app=marginalia-service&id=${id}&type=main`;
  let socket: WebSocket | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const open = (): void => {
    // Node's WebSocket takes headers, which the browser's type does not know.
    const opened: WebSocket = Reflect.construct(WebSocket, [address, token ? { headers: { Authorization: `Token ${token}` } } : []]);
    socket = opened;
    opened.addEventListener('message', ({ data }) => {
      const push = readMessage(data);
      if (push) for (const listener of listeners) listener(push);
    });
    // A connection that fails is closed, too.
    opened.addEventListener('close', () => {
      if (!signal.aborted) timer = setTimeout(open, RETRY_MS);
    });
  };
  open();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    socket?.close();
  });
  return {
    onTransactions(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
