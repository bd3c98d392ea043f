import { type EventLog, isLast, type LoggedEvent } from '../chats/event-log.ts';

/** So that proxies do not close a connection on which nothing happens, such as one that waits for an approval. */
const KEEP_ALIVE_MS = 15_000;
/** Bytes (about) that are handed over at once. */
const CHUNK = 16 * 1024;

const RECONNECT = `event: reconnect\ndata: ${JSON.stringify({
  code: 'events_gone',
  message: 'this client fell too far behind',
  next: 'read the messages of the chat, then its events',
})}\n\n`;

const frame = ({ id, type, data }: LoggedEvent): string => `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`;

const STILL_HERE = ': still here\n\n';

/** The way of one client through a chat's log, up to the end of the turn. */
class Reader {
  private readonly log: EventLog;
  private place: number;

  constructor(log: EventLog, from: number) {
    this.log = log;
    this.place = from;
  }

  /** What stands in the log now, up to a chunk; `last` when nothing follows. */
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
 * The events of a chat from a place on, as server-sent events, to the end of the turn. An event goes on in the moment when it is logged
 * if the client waits for one; else it is read when the client takes more, so a client that stalls holds nothing but its own place.
 */
export function eventStream(log: EventLog, from: number, onLeft: () => void = () => undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const reader = new Reader(log, from);
  let stop: () => void = () => undefined;
  const send = (controller: ReadableStreamDefaultController<Uint8Array>): boolean => {
    if ((controller.desiredSize ?? 0) <= 0) return true;
    const { text, last } = reader.take();
    if (text !== '') controller.enqueue(encoder.encode(text));
    if (last) {
      stop();
      controller.close();
    }
    return text !== '';
  };
  return new ReadableStream({
    start(controller) {
      const stopListening = log.subscribe(() => void send(controller));
      const timer = setInterval(() => {
        if (!send(controller)) controller.enqueue(encoder.encode(STILL_HERE));
      }, KEEP_ALIVE_MS);
      stop = () => {
        stopListening();
        clearInterval(timer);
      };
    },
    pull(controller) {
      send(controller);
    },
    cancel() {
      stop();
      onLeft();
    },
  });
}

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};
