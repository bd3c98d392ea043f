import type { ToolChainEvent } from '../../tools/contract/events.ts';

type Listener = (event: ToolChainEvent) => void;

export interface EventFan {
  readonly take: Listener;
  /** Calls back with every event from now on; returns the way to stop. */
  subscribe(listener: Listener): () => void;
}

/** Hands the events of all turns to whoever listens; nothing is kept. */
export function eventFan(): EventFan {
  const listeners = new Set<Listener>();
  return {
    take(event) {
      for (const listener of [...listeners]) listener(event);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
