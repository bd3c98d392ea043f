export type LimitedOutcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  /** Aborted from outside or by the timeout before it settled. */
  | { readonly kind: 'aborted' }
  | { readonly kind: 'timeout' };

export interface Limits {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  /** Milliseconds in which aborted work may still report its outcome, instead of an unknown write. Default 0. */
  readonly graceMs?: number;
}

/** `renew`: it makes progress, and its time limit starts again. `pause`: it has none until that. */
export type Renew = (pause?: 'pause') => void;
type Work<T> = (signal: AbortSignal, renew: Renew) => Promise<T>;

/** Runs work with a signal of its own; never rejects, and leaves no timer and no listener behind. */
export function runLimited<T>(work: Work<T>, limits: Limits): Promise<LimitedOutcome<T>> {
  if (limits.signal.aborted) return Promise.resolve({ kind: 'aborted' });
  const controller = new AbortController();
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let grace: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const finish = (outcome: LimitedOutcome<T>): void => {
      isOver = true;
      clearTimeout(timer);
      clearTimeout(grace);
      limits.signal.removeEventListener('abort', onAbort);
      resolve(outcome);
    };
    const stop = (kind: 'aborted' | 'timeout'): void => {
      if (controller.signal.aborted) return;
      controller.abort();
      if (limits.graceMs === undefined || limits.graceMs <= 0) finish({ kind });
      else grace = setTimeout(() => finish({ kind }), limits.graceMs);
    };
    const onAbort = (): void => stop('aborted');
    limits.signal.addEventListener('abort', onAbort, { once: true });
    const renew: Renew = (pause) => {
      clearTimeout(timer);
      if (limits.timeoutMs !== undefined && !isOver && !pause) timer = setTimeout(() => stop('timeout'), limits.timeoutMs);
    };
    renew();
    startWork(work, controller.signal, renew).then(
      (value) => finish({ kind: 'done', value }),
      (error: unknown) => finish({ kind: 'failed', error }),
    );
  });
}

/** A synchronous throw becomes a rejection like any other. */
async function startWork<T>(work: Work<T>, signal: AbortSignal, renew: Renew): Promise<T> {
  return work(signal, renew);
}
