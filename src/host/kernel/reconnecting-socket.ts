/** The part of WebSocket that is used, in a page and in Node. */
export interface SocketLike {
  send(text: string): void;
  close(): void;
  addEventListener(type: 'open' | 'close', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
}

export interface ReconnectingSocketOptions {
  readonly open: () => SocketLike;
  readonly onText: (text: string) => void;
  /** Called when it is open again: messages sent meanwhile were missed. */
  readonly onBack?: () => void;
  /** Called the first time that it is closed at once after it was opened. */
  readonly onRefused?: (() => void) | undefined;
  readonly signal: AbortSignal;
}

/** Milliseconds before the next try; doubled after each failure. */
const RETRY = 2_000;
const MAX_RETRY = 60_000;
/** Milliseconds after which an open socket counts as accepted: SiYuan opens those that it then closes. */
const ACCEPTED = 5_000;

/** A socket to the kernel that reconnects when it breaks. Messages sent while it is not open are lost. */
export function openReconnectingSocket({ open, onText, onBack, onRefused, signal }: ReconnectingSocketOptions): {
  send(text: string): void;
  isOpen(): boolean;
} {
  let socket: SocketLike | undefined;
  let isOpen = false;
  let wasOpen = false;
  let wait = RETRY;
  let openedAt = 0;
  let isHeard = false;
  let wasRefused = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const connect = (): void => {
    const opened = open();
    socket = opened;
    opened.addEventListener('open', () => {
      isOpen = true;
      isHeard = false;
      openedAt = Date.now();
      if (wasOpen) onBack?.();
      wasOpen = true;
    });
    opened.addEventListener('message', ({ data }) => {
      isHeard = true;
      if (typeof data === 'string') onText(data);
    });
    // A socket that could not be opened fires "close" too.
    opened.addEventListener('close', () => {
      const isAccepted = isOpen && (isHeard || Date.now() - openedAt >= ACCEPTED);
      if (isOpen && !isAccepted && !signal.aborted && !wasRefused) {
        wasRefused = true;
        onRefused?.();
      }
      if (isAccepted) wait = RETRY;
      isOpen = false;
      if (signal.aborted) return;
      timer = setTimeout(connect, wait);
      wait = Math.min(2 * wait, MAX_RETRY);
    });
  };
  connect();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    // Other listeners of the signal may have a last message to send.
    queueMicrotask(() => socket?.close());
  });
  return {
    isOpen: () => isOpen,
    send(text) {
      if (isOpen) socket?.send(text);
    },
  };
}
