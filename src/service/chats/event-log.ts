import { randomBytes } from 'node:crypto';
import { Listeners } from '../../tools/util/notify.ts';

export type ServiceEventType =
  | 'start'
  | 'message'
  | 'tool_writing'
  | 'tool_start'
  | 'tool_complete'
  | 'tool_error'
  | 'spawn_progress'
  | 'approval_request'
  | 'approval_end'
  | 'done'
  | 'error';

/** Ends a turn: there is exactly one for each `start`. */
export const isLast = (type: ServiceEventType): boolean => type === 'done' || type === 'error';

export interface LoggedEvent {
  /** Identifies it to a client that reconnects (`Last-Event-ID`). */
  readonly id: string;
  readonly type: ServiceEventType;
  /** Serialized when it is sent: pieces of an answer are in memory anyway, and would be there twice. */
  readonly data: object;
}

/** The next item at a position in the log: an event, nothing yet, or no longer available. */
export type NextEvent = LoggedEvent | 'none' | 'gone';

export interface EventLogLimits {
  readonly events: number;
  /** Approximate UTF-16 units of the events' data. */
  readonly size: number;
}

interface KeptEvent {
  readonly type: ServiceEventType;
  readonly data: object;
  readonly size: number;
}

const sizeOf = (data: object): number =>
  'content' in data && typeof data.content === 'string' ? data.content.length : JSON.stringify(data).length;

const LIMITS: EventLogLimits = { events: 20_000, size: 8 * 1024 * 1024 };

/**
 * The events of one chat, for all its listeners. Nobody is waited for: each listener reads at its own position, and gets a notice
 * if it falls behind what is kept.
 */
export class EventLog {
  private readonly limits: EventLogLimits;
  /** Changes with a restart: ids of the log before it are unknown here. */
  private readonly name = randomBytes(4).toString('hex');
  private events: KeptEvent[] = [];
  /** Position of the first kept event. */
  private first = 0;
  private kept = 0;
  private readonly listeners = new Listeners<[]>();

  constructor(limits: EventLogLimits = LIMITS) {
    this.limits = limits;
  }

  /** The position after the last event. */
  get end(): number {
    return this.first + this.events.length;
  }

  /** UTF-16 units of the kept events. */
  get size(): number {
    return this.kept;
  }

  append(type: ServiceEventType, data: object): void {
    const size = sizeOf(data);
    this.events.push({ type, data, size });
    this.kept += size;
    this.trim();
    this.listeners.call();
  }

  at(place: number): NextEvent {
    if (place < this.first) return 'gone';
    const event = this.events[place - this.first];
    return event ? { id: `${this.name}-${place}`, type: event.type, data: event.data } : 'none';
  }

  /** The position after an event; null if it is not, or no longer, an event of this log. */
  placeAfter(id: string): number | null {
    const [name, number] = id.split('-');
    if (name !== this.name || number === undefined || !/^\d{1,15}$/.test(number)) return null;
    const place = Number(number) + 1;
    return place >= this.first && place <= this.end ? place : null;
  }

  /** Calls back after each event; returns a function that stops listening. */
  subscribe(listener: () => void): () => void {
    return this.listeners.add(listener);
  }

  private trim(): void {
    let dropped = 0;
    // The last one is kept, however large.
    while (dropped < this.events.length - 1 && (this.events.length - dropped > this.limits.events || this.kept > this.limits.size)) {
      this.kept -= this.events[dropped]?.size ?? 0;
      dropped += 1;
    }
    if (dropped === 0) return;
    this.events = this.events.slice(dropped);
    this.first += dropped;
  }
}
