import { openReconnectingSocket, type SocketLike } from '../../host/kernel/reconnecting-socket.ts';
import { commandOf, type PushSource, readTransactionsPush, type TransactionsPush } from '../../host/kernel/transaction-log.ts';
import { Listeners } from '../../tools/util/notify.ts';

/** Opens sockets to paths of the kernel. `kernel`: its origin. */
export function socketsTo(kernel: string, token: string | undefined) {
  const origin = kernel.replace(/^http/, 'ws');
  const headers = token ? { Authorization: `Token ${token}` } : {};
  // Node's WebSocket takes headers, which the browser's type does not know.
  return (path: string): WebSocket => Reflect.construct(WebSocket, [`${origin}${path}`, { headers }]);
}

export interface PushOptions {
  readonly connect: (path: string) => SocketLike;
  /** Identifies this listener. */
  readonly id: string;
  readonly onRefused?: (() => void) | undefined;
  /** Stops listening. */
  readonly signal: AbortSignal;
}

function readMessage(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not one of the kernel's messages.
  }
}

/** What any window writes, from the kernel's push socket. */
export function openPushes({ connect, id, onRefused, signal }: PushOptions): PushSource {
  const listeners = new Listeners<[push: TransactionsPush]>();
  const commandListeners = new Listeners<[command: string]>();
  const notify = (command: string): void => {
    commandListeners.call(command);
  };
  const socket = openReconnectingSocket({
    open: () => connect(`/ws?app=marginalia-service&id=${id}&type=main`),
    onText(text) {
      const message = readMessage(text);
      const push = readTransactionsPush(message);
      if (push) listeners.call(push);
      notify(commandOf(message));
    },
    onBack: () => notify(''),
    onRefused,
    signal,
  });
  return {
    onTransactions(listener) {
      return listeners.add(listener);
    },
    onCommand(listener) {
      return commandListeners.add(listener);
    },
    hears: () => socket.isOpen(),
  };
}
