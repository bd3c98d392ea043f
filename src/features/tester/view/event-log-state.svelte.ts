import type { ToolChainEvent } from '../../../tools/contract/events.ts';
import { type LoggedEvent, type TesterEvents, withEvent } from './event-log.ts';

/** The log while the tester is open, whichever pane is shown. */
export class EventLogState {
  lines: readonly LoggedEvent[] = $state.raw([]);
  /** Events are still recorded; the shown list does not change. */
  paused: boolean = $state(false);
  /** What came since. */
  #all: readonly LoggedEvent[] = [];
  waiting: number = $state(0);
  #frame = 0;
  readonly #stop: () => void;

  constructor(events: TesterEvents) {
    this.#stop = events.subscribe((event) => this.#take(event));
  }

  pause(paused: boolean): void {
    this.paused = paused;
    this.waiting = 0;
    if (!paused) this.lines = this.#all;
  }

  clear(): void {
    this.#all = [];
    this.lines = [];
    this.waiting = 0;
  }

  destroy(): void {
    this.#stop();
    cancelAnimationFrame(this.#frame);
  }

  /** Streams bring many per frame: they are rendered once. */
  #take(event: ToolChainEvent): void {
    this.#all = withEvent(this.#all, event);
    if (this.paused) this.waiting += 1;
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (!this.paused) this.lines = this.#all;
    });
  }
}
