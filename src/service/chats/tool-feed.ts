import { Listeners } from '../../tools/util/notify.ts';
import type { EventLog, ServiceEventType } from './event-log.ts';

/** Events about tools; the others are for listeners of the chat itself. */
const TOOL_EVENTS: ReadonlySet<ServiceEventType> = new Set([
  'tool_writing',
  'tool_start',
  'tool_complete',
  'tool_error',
  'approval_request',
  'approval_end',
]);

type FeedListener = (sessionId: string, message: string) => void;

/** The tool events of all chats, for current listeners; nothing is kept. */
export class ToolFeed {
  private readonly listeners = new Listeners<Parameters<FeedListener>>();

  /** Passes on the events of a chat from now on. */
  follow(sessionId: string, log: EventLog): void {
    log.subscribe(() => {
      if (this.listeners.size === 0) return;
      const event = log.at(log.end - 1);
      if (typeof event === 'string' || !TOOL_EVENTS.has(event.type)) return;
      const message = JSON.stringify({ type: event.type, session_id: sessionId, ...event.data });
      this.listeners.call(sessionId, message);
    });
  }

  /** Calls back with each event, as JSON; returns a function that stops listening. */
  subscribe(listener: FeedListener): () => void {
    return this.listeners.add(listener);
  }
}
