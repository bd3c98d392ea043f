import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { openReconnectingSocket, type SocketLike } from './reconnecting-socket.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** Sockets that open, and what each is sent. */
function open() {
  const sockets: EventTarget[] = [];
  const refused = vi.fn();
  const end = new AbortController();
  openReconnectingSocket({
    open: () => {
      const socket = Object.assign(new EventTarget(), { send: () => undefined, close: () => undefined });
      sockets.push(socket);
      return socket as unknown as SocketLike;
    },
    onText: () => undefined,
    onRefused: refused,
    signal: end.signal,
  });
  const last = (type: 'open' | 'close' | 'message'): void => void sockets.at(-1)?.dispatchEvent(new Event(type));
  return { sockets, refused, last, end };
}

it('that is closed as soon as it is open is tried less and less often, and is reported once', () => {
  const { sockets, refused, last, end } = open();
  let answered = 0;
  for (let second = 0; second < 60 * 60; second++) {
    if (sockets.length > answered) {
      answered = sockets.length;
      last('open');
      last('close');
    }
    vi.advanceTimersByTime(1_000);
  }
  expect(sockets.length).toBeLessThan(70);
  expect(refused).toHaveBeenCalledTimes(1);
  end.abort();
});

it('that was heard, or open for a while, is opened again at once when it breaks', () => {
  for (const use of ['message', 'time'] as const) {
    const { sockets, refused, last, end } = open();
    for (let round = 1; round <= 5; round++) {
      last('open');
      if (use === 'message') last('message');
      else vi.advanceTimersByTime(6_000);
      last('close');
      vi.advanceTimersByTime(2_100);
      expect(sockets).toHaveLength(round + 1);
    }
    expect(refused).not.toHaveBeenCalled();
    end.abort();
  }
});
