/**
 * Work that many may ask for at one time, done once for all of them. Who asks while it runs gets the next run, which begins after they asked:
 * nobody is given what was read before.
 */
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
