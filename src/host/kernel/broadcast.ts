import type { Broadcast } from '../../chat/ports/broadcast.ts';
import { Listeners } from '../../tools/util/notify.ts';
import { openReconnectingSocket, type SocketLike } from './reconnecting-socket.ts';

const CHANNEL = 'siyuan-marginalia';

export interface BroadcastOptions {
  readonly connect: (path: string) => SocketLike;
  readonly signal: AbortSignal;
}

/** The kernel's broadcast channel of this plugin: every program on this kernel receives what the others send, but not its own messages. */
export function openBroadcast({ connect, signal }: BroadcastOptions): Broadcast {
  const listeners = new Listeners<[text: string]>();
  const returns = new Set<() => void>();
  const socket = openReconnectingSocket({
    open: () => connect(`/ws/broadcast?channel=${CHANNEL}`),
    onText: (text) => {
      listeners.call(text);
    },
    onBack: () => {
      for (const listener of returns) listener();
    },
    signal,
  });
  return {
    send: socket.send,
    subscribe: (listener) => void listeners.add(listener),
    onBack: (listener) => void returns.add(listener),
  };
}
