import { orAborted } from './abort.ts';

/** Processes each item, at most this many concurrently; results in order. Rejects with the first failure, and then starts no more. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
  most = 6,
): Promise<readonly Result[]> {
  const results = new Array<Result>(items.length);
  const waiting = items.entries();
  let failed = false;
  const worker = async (): Promise<void> => {
    for (const [index, item] of waiting) {
      if (failed) return;
      try {
        results[index] = await work(item, index);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return results;
}

/** Work done once for all who request it at one time. A caller during a run gets the next run, so nobody gets an older reading. */
export function joined<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const run = (): Promise<T> => {
    next = null;
    const now = work();
    const end = (): void => {
      if (running === now) running = null;
    };
    running = now;
    now.then(end, end);
    return now;
  };
  return () => {
    if (running === null && next === null) return run();
    next ??= (running ?? Promise.resolve()).then(run, run);
    return next;
  };
}

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
