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
