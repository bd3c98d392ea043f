import { openReconnectingSocket, type SocketLike } from '../../host/kernel/reconnecting-socket.ts';
import { type PushSource, readTransactionsPush, type TransactionsPush } from '../../host/kernel/transaction-log.ts';

/** Opens sockets to paths of the kernel. `kernel`: its origin. */
export function socketsTo(kernel: string, token: string | undefined) {
  const origin = kernel.replace(/^http/, 'ws');
  const headers = token ? { headers: { Authorization: `Token ${token}` } } : [];
  // Node's WebSocket takes headers, which the browser's type does not know.
  return (path: string): WebSocket => Reflect.construct(WebSocket, [`${origin}${path}`, headers]);
}

export interface PushOptions {
  readonly connect: (path: string) => SocketLike;
  /** Names this listener. */
  readonly id: string;
  /** Ends the listening. */
  readonly signal: AbortSignal;
}

function readMessage(text: string): TransactionsPush | undefined {
  try {
    return readTransactionsPush(JSON.parse(text));
  } catch {
    return undefined; // Not one of the kernel's messages.
  }
}

/** What any window writes, from the kernel's push socket. */
export function openPushes({ connect, id, signal }: PushOptions): PushSource {
  const listeners = new Set<(push: TransactionsPush) => void>();
  const onText = (text: string): void => {
    const push = readMessage(text);
    if (push) for (const listener of listeners) listener(push);
  };
  openReconnectingSocket({ open: () => connect(`/ws?app=marginalia-service&id=${id}&type=main`), onText, signal });
  return {
    onTransactions(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
