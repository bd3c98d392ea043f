import { orAborted } from './abort.ts';

/** Runs a limited number of tasks at a time, in order. */
export class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.free = atOnce;
  }

  /** Settles like the work; rejects with the reason of `signal` while it waits for its turn. */
  async take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.free > 0) this.free--;
    else await this.wait(signal);
    try {
      return await work();
    } finally {
      // The longest waiting one takes its place.
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    }
  }

  private async wait(signal?: AbortSignal): Promise<void> {
    let go = (): void => undefined;
    const turn = new Promise<void>((resolve) => {
      go = resolve;
    });
    this.waiting.push(go);
    if (!signal) return turn;
    try {
      await orAborted(turn, signal);
    } catch (error) {
      const at = this.waiting.indexOf(go);
      if (at >= 0) this.waiting.splice(at, 1);
      throw error;
    }
  }
}
