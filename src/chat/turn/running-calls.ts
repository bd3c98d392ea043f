import type { LanguageModel } from '../../model/language-model.ts';
import type { ChainListener } from '../../tools/contract/events.ts';
import type { Node } from '../session/types.ts';
import type { ChatSettings } from './chat-settings.ts';

export class RunningCalls {
  private readonly stops = new Map<string, () => void>();

  readonly add = (callId: string, stop: () => void): (() => void) => {
    this.stops.set(callId, stop);
    return () => void (this.stops.get(callId) === stop && this.stops.delete(callId));
  };

  stop(callId: string): boolean {
    const stop = this.stops.get(callId);
    stop?.();
    return stop !== undefined;
  }
}

export interface ToolsChat {
  /** The model that answers now; null between turns, and if there is none. */
  readonly model: () => LanguageModel | null;
  readonly settings: () => ChatSettings;
  /** Messages of the branch that is shown, from the first. */
  readonly thread: () => readonly Node[];
  readonly timeZone: string;
  readonly newId: () => string;
  readonly relay: ChainListener;
  /** How a single running call is stopped; returns a function that removes it. */
  readonly stoppable: RunningCalls['add'];
}
