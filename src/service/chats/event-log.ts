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
  /** Names it to a client that comes back (`Last-Event-ID`). */
  readonly id: string;
  readonly type: ServiceEventType;
  /** Becomes JSON when it is sent: pieces of an answer are in memory anyway, and would be there twice. */
  readonly data: object;
}

/** What comes next at a place in the log: an event, nothing yet, or it is no longer there. */
export type NextEvent = LoggedEvent | 'none' | 'gone';

export interface EventLogLimits {
  readonly events: number;
  /** UTF-16 units of the events' data, about. */
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
 * What happened in one chat, for all who listen. Nobody is waited for: each reads at a place of its own, and who falls behind what is
 * kept gets a notice.
 */
export class EventLog {
  private readonly limits: EventLogLimits;
  /** Another one after a restart: ids of the log before it name nothing here. */
  private readonly name = randomBytes(4).toString('hex');
  private events: KeptEvent[] = [];
  /** Place of the first event that is kept. */
  private first = 0;
  private kept = 0;
  private readonly listeners = new Listeners<[]>();

  constructor(limits: EventLogLimits = LIMITS) {
    this.limits = limits;
  }

  /** Behind the last event. */
  get end(): number {
    return this.first + this.events.length;
  }

  /** UTF-16 units of the events that are kept. */
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

  /** The place behind an event; null for what is not, or no longer, an event of this log. */
  placeAfter(id: string): number | null {
    const [name, number] = id.split('-');
    if (name !== this.name || number === undefined || !/^\d{1,15}$/.test(number)) return null;
    const place = Number(number) + 1;
    return place >= this.first && place <= this.end ? place : null;
  }

  /** Calls back after each event; returns the way to stop. */
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
