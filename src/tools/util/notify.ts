/** A listener's error must not leave a call unanswered; it still surfaces as an uncaught error. */
export function notify(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** A set of listeners. A notification goes to those that listen when it begins. */
export class Listeners<Args extends readonly unknown[]> {
  private readonly all = new Set<(...args: Args) => void>();

  get size(): number {
    return this.all.size;
  }

  add(listener: (...args: Args) => void): () => void {
    this.all.add(listener);
    return () => void this.all.delete(listener);
  }

  call(...args: Args): void {
    for (const listener of [...this.all]) listener(...args);
  }

  clear(): void {
    this.all.clear();
  }
}

const report = (error: unknown): void => console.error('what ran in the background failed:', error);

/** Work that nobody waits for: its failure goes to `failed`, by default to the console, and ends no program. */
export function inBackground(work: PromiseLike<unknown> | null | undefined, failed: (error: unknown) => void = report): void {
  work?.then(undefined, failed);
}
