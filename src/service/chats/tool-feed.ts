import { Listeners } from '../../tools/util/notify.ts';
import type { EventLog, ServiceEventType } from './event-log.ts';

/** Events about tools: the others belong to those who listen to the chat itself. */
const TOOL_EVENTS: ReadonlySet<ServiceEventType> = new Set([
  'tool_writing',
  'tool_start',
  'tool_complete',
  'tool_error',
  'approval_request',
  'approval_end',
]);

type FeedListener = (sessionId: string, message: string) => void;

/** What the tools of all chats do, for whoever listens now; nothing is kept. */
export class ToolFeed {
  private readonly listeners = new Listeners<Parameters<FeedListener>>();

  /** Takes in what happens in a chat from now on. */
  follow(sessionId: string, log: EventLog): void {
    log.subscribe(() => {
      if (this.listeners.size === 0) return;
      const event = log.at(log.end - 1);
      if (typeof event === 'string' || !TOOL_EVENTS.has(event.type)) return;
      const message = JSON.stringify({ type: event.type, session_id: sessionId, ...event.data });
      this.listeners.call(sessionId, message);
    });
  }

  /** Calls back with each event, as JSON; returns the way to stop. */
  subscribe(listener: FeedListener): () => void {
    return this.listeners.add(listener);
  }
}
