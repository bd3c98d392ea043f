import type { LanguageModel } from '../../model/language-model.ts';
import type { ChainListener } from '../../tools/contract/events.ts';
import type { ChatSettings } from './chat-settings.ts';

/** Calls that can be ended while the turn goes on. */
export class RunningCalls {
  private readonly stops = new Map<string, () => void>();

  /** Returns the way to forget it. */
  readonly add = (callId: string, stop: () => void): (() => void) => {
    this.stops.set(callId, stop);
    return () => void (this.stops.get(callId) === stop && this.stops.delete(callId));
  };

  /** False where no such call runs. */
  stop(callId: string): boolean {
    const stop = this.stops.get(callId);
    stop?.();
    return stop !== undefined;
  }
}

/** What a tool that runs a turn of its own needs of the chat that it works in. */
export interface ToolsChat {
  /** The model that answers now; null between turns, and where there is none. */
  readonly model: () => LanguageModel | null;
  readonly settings: () => ChatSettings;
  readonly timeZone: string;
  readonly newId: () => string;
  /** Hands on what happens in a turn that a running call runs: events with that call as their `parentCallId`. */
  readonly relay: ChainListener;
  /** How a running call is ended alone; returns the way to forget it. */
  readonly stoppable: RunningCalls['add'];
}
