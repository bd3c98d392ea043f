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

/** The next event was written, or the time of a sign of life has come. */
function somethingNew(log: EventLog, stopped: AbortSignal): Promise<'event' | 'quiet' | 'stopped'> {
  return new Promise((resolve) => {
    const finish = (what: 'event' | 'quiet' | 'stopped') => (): void => {
      stopListening();
      clearTimeout(timer);
      stopped.removeEventListener('abort', stop);
      resolve(what);
    };
    const stop = finish('stopped');
    const timer = setTimeout(finish('quiet'), KEEP_ALIVE_MS);
    const stopListening = log.subscribe(finish('event'));
    stopped.addEventListener('abort', stop);
  });
}

/**
 * The events of a chat from a place on, as server-sent events, to the end of the turn. It is read as fast as the client takes it, so
 * a client that stalls holds nothing but its own place.
 */
export function eventStream(log: EventLog, from: number, onLeft: () => void = () => undefined): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const left = new AbortController();
  let place = from;
  /** What stands in the log now, up to a chunk; `last` when nothing follows. */
  const take = (): { readonly text: string; readonly last: boolean } => {
    let text = '';
    while (text.length < CHUNK) {
      const event = log.at(place);
      if (event === 'gone') return { text: text + RECONNECT, last: true };
      if (event === 'none') break;
      place += 1;
      text += frame(event);
      if (isLast(event.type)) return { text, last: true };
    }
    return { text, last: false };
  };
  return new ReadableStream({
    async pull(controller) {
      let { text, last } = take();
      while (text === '' && !last) {
        const what = await somethingNew(log, left.signal);
        if (what === 'stopped') return;
        if (what === 'quiet') text = ': still here\n\n';
        else ({ text, last } = take());
      }
      controller.enqueue(encoder.encode(text));
      if (last) controller.close();
    },
    cancel() {
      left.abort();
      onLeft();
    },
  });
}

export const EVENT_STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
};
