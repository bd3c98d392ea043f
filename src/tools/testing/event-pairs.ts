import type { ToolChainEvent } from '../contract/events.ts';

/** Starts without end, ends without start, and events after their own end: empty for a valid stream. */
export function unmatchedEvents(events: readonly ToolChainEvent[]): readonly string[] {
  const open = new Set<string>();
  const problems: string[] = [];
  for (const event of events) {
    const { key, starts } = pairOf(event);
    if (event.type === 'tool-writing') open.add('tool-writing ');
    if (key === undefined) continue;
    if (starts && open.has(key)) problems.push(`${event.seq}: ${key} starts twice`);
    if (starts) open.add(key);
    else if (!open.delete(key)) problems.push(`${event.seq}: ${key} ends without start`);
  }
  return [...problems, ...[...open].map((key) => `${key} never ends`)];
}

function pairOf(event: ToolChainEvent): { readonly key?: string; readonly starts: boolean } {
  const [, kind = '', edge = ''] = /^(.*)-(start|end|request)$/u.exec(event.type) ?? [];
  if (edge === '') return { starts: false };
  return { key: `${kind} ${idOf(event)}`, starts: edge !== 'end' };
}

function idOf(event: ToolChainEvent): string | number {
  if ('approvalId' in event) return event.approvalId;
  if ('callId' in event) return event.callId;
  return 'round' in event ? event.round : '';
}
