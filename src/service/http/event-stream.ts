import type { Writable } from 'node:stream';
import { type EventLog, isLast, type LoggedEvent } from '../chats/event-log.ts';

/** So that proxies do not close an idle connection, such as one that waits for an approval. */
const KEEP_ALIVE_MS = 15_000;
/** Approximate bytes that are written at once. */
const CHUNK = 16 * 1024;

const RECONNECT = `event: reconnect\ndata: ${JSON.stringify({
  code: 'events_gone',
  message: 'this client fell too far behind',
  next: 'read the messages of the chat, then its events',
})}\n\n`;

const frame = ({ id, type, data }: LoggedEvent): string => `id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`;

const STILL_HERE = ': still here\n\n';

/** One client's way through a chat's log, up to the end of the turn. */
class Reader {
  private readonly log: EventLog;
  private place: number;

  constructor(log: EventLog, from: number) {
    this.log = log;
    this.place = from;
  }

  /** What is in the log now, up to a chunk; `last` if nothing follows. */
  take(): { readonly text: string; readonly last: boolean } {
    let text = '';
    while (text.length < CHUNK) {
      const event = this.log.at(this.place);
      if (event === 'gone') return { text: text + RECONNECT, last: true };
      if (event === 'none') break;
      this.place += 1;
      text += frame(event);
      if (isLast(event.type)) return { text, last: true };
    }
    return { text, last: false };
  }
}

/**
 * Writes the events of a chat from a position on, as server-sent events, to the end of the turn. An event is sent as soon as it is
 * logged if the client accepts it; otherwise when the client accepts more, so a slow client holds nothing but its position.
 * `onLeft`: the client disconnected before the end.
 */
export function writeEvents(client: Writable, log: EventLog, from: number, onLeft: () => void = () => undefined): void {
  const reader = new Reader(log, from);
  let [isFull, isOver] = [false, false];
  const send = (): boolean => {
    let isSent = false;
    while (!isFull && !isOver) {
      const { text, last } = reader.take();
      if (text === '') break;
      isSent = true;
      isFull = !client.write(text);
      isOver = last;
      if (last) client.end();
    }
    return isSent || isFull;
  };
  const stopListening = log.subscribe(() => void send());
  const timer = setInterval(() => {
    if (!isOver && !send()) client.write(STILL_HERE);
  }, KEEP_ALIVE_MS);
  client.on('drain', () => {
    isFull = false;
    send();
  });
  client.once('close', () => {
    stopListening();
    clearInterval(timer);
    if (!isOver) onLeft();
    isOver = true;
  });
  send();
}

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};
