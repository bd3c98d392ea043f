import type { ToolChainEvent } from '../../../tools/contract/events.ts';

/** Events of the open chat, as they happen. */
export interface TesterEvents {
  subscribe(listener: (event: ToolChainEvent) => void): () => void;
}

/** One line of the log: an event, or streamed pieces that came one after another. */
export interface LoggedEvent {
  /** In the order of arrival. */
  readonly number: number;
  readonly type: ToolChainEvent['type'];
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly callId: string;
  readonly tool: string;
  /** It belongs to a sub-agent. */
  readonly isInner: boolean;
  /** So many events that are one line. */
  readonly count: number;
  /** The event as JSON, or the streamed text; cut. */
  readonly details: string;
}

export const KINDS = ['all', 'turns', 'text', 'calls', 'approvals', 'errors'] as const;
export type EventKind = (typeof KINDS)[number];

/** Lines, and characters of one: the log of a long chat stays small. */
export const MAX_LINES = 500;
const MAX_DETAILS = 4000;

const cut = (text: string): string => (text.length > MAX_DETAILS ? `${text.slice(0, MAX_DETAILS)}…` : text);

const hasText = (event: ToolChainEvent): event is Extract<ToolChainEvent, { readonly text: string }> =>
  event.type === 'text-delta' || event.type === 'reasoning-delta';

const callOf = (event: ToolChainEvent): string => ('callId' in event && typeof event.callId === 'string' ? event.callId : '');
const toolOf = (event: ToolChainEvent): string => ('tool' in event && typeof event.tool === 'string' ? event.tool : '');

/** The log with one more event; the oldest lines go. Pieces of one stream are one line. */
export function withEvent(log: readonly LoggedEvent[], event: ToolChainEvent): readonly LoggedEvent[] {
  const last = log.at(-1);
  const isInner = event.parentCallId !== undefined;
  const streams = hasText(event) || event.type === 'tool-writing';
  if (last && streams && last.type === event.type && last.isInner === isInner && last.callId === callOf(event)) {
    const details = hasText(event) ? cut(last.details + event.text) : cut(JSON.stringify(event, null, 2));
    return [...log.slice(0, -1), { ...last, tool: toolOf(event), count: last.count + 1, details }];
  }
  const line: LoggedEvent = {
    number: (last?.number ?? 0) + 1,
    type: event.type,
    time: event.time,
    callId: callOf(event),
    isInner,
    count: 1,
    // The end of a call says only which call it was.
    tool:
      toolOf(event) ||
      (callOf(event) === '' ? '' : (log.findLast(({ callId, tool }) => callId === callOf(event) && tool !== '')?.tool ?? '')),
    details: hasText(event) ? event.text : cut(JSON.stringify(event, null, 2)),
  };
  return [...log.slice(-(MAX_LINES - 1)), line];
}

function kindOf(type: ToolChainEvent['type']): EventKind {
  if (type === 'error' || type === 'retry') return 'errors';
  if (type.startsWith('text') || type.startsWith('reasoning')) return 'text';
  if (type.startsWith('approval')) return 'approvals';
  return type.startsWith('tool') || type === 'write' ? 'calls' : 'turns';
}

/** Failed calls are errors as well. */
const isError = ({ type, details }: LoggedEvent): boolean =>
  kindOf(type) === 'errors' || (type === 'tool-end' && !details.includes('"status": "success"'));

export function filterEvents(log: readonly LoggedEvent[], kind: EventKind, words: string): readonly LoggedEvent[] {
  const wanted = words.trim().toLocaleLowerCase();
  return log.filter((line) => {
    const fits = kind === 'all' || (kind === 'errors' ? isError(line) : kindOf(line.type) === kind);
    return fits && (wanted === '' || `${line.type} ${line.tool} ${line.callId} ${line.details}`.toLocaleLowerCase().includes(wanted));
  });
}

/** 14:05:09.042 */
export function eventTime(time: number): string {
  const date = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

/** Lines to be copied. */
export const eventsText = (lines: readonly LoggedEvent[]): string =>
  lines
    .map(({ time, type, tool, callId, count, details }) =>
      [eventTime(time), type, tool, callId, count > 1 ? `×${count}` : '', details].filter(Boolean).join(' '),
    )
    .join('\n');
