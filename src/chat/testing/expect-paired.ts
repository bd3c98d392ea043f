import { expect } from 'vitest';
import type { ToolChainEvent } from '../../tools/contract/events.ts';

/** Every start has exactly one end (ToolChainEvent). */
export function expectPaired(events: readonly ToolChainEvent[]): void {
  const balance = new Map<string, number>();
  for (const event of events) {
    const found = /^(.*)-(start|end|request)$/.exec(event.type);
    if (!found?.[1]) continue;
    const key = 'callId' in event && found[1] === 'tool' ? `tool ${event.callId}` : found[1];
    balance.set(key, (balance.get(key) ?? 0) + (found[2] === 'end' ? -1 : 1));
  }
  expect([...balance].filter(([, count]) => count !== 0)).toEqual([]);
}
