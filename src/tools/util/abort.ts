export interface LinkedSignal {
  /** Aborted by the first of the signals, with its reason, or by the timeout, with a TimeoutError. */
  readonly signal: AbortSignal;
  /** True if the time ran out before any of the signals was aborted. */
  timedOut(): boolean;
  /** Removes timer and listeners; afterwards `signal` is never aborted. To be called when the work is over. */
  release(): void;
}

/** For work that cannot be aborted. */
export const NEVER: AbortSignal = new AbortController().signal;

/** One signal from several and a timeout; older phone WebViews (Chrome 116, Safari 17.4) lack `AbortSignal.any` and `.timeout`. */
export function linkSignals(signals: readonly AbortSignal[], timeoutMs?: number): LinkedSignal {
  const controller = new AbortController();
  let expired = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const release = (): void => {
    clearTimeout(timer);
    for (const each of signals) each.removeEventListener('abort', onAbort);
  };
  const onAbort = (): void => {
    release();
    controller.abort(signals.find((each) => each.aborted)?.reason);
  };
  const onTimeout = (): void => {
    expired = true;
    release();
    controller.abort(new DOMException('the time ran out', 'TimeoutError'));
  };
  if (signals.some((each) => each.aborted)) onAbort();
  else {
    for (const each of signals) each.addEventListener('abort', onAbort);
    if (timeoutMs !== undefined) timer = setTimeout(onTimeout, timeoutMs);
  }
  return { signal: controller.signal, timedOut: () => expired, release };
}

/** Resolves after this many milliseconds; rejects with the signal's reason as soon as it is aborted. */
export function abortableWait(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  return orAborted(waited, signal).finally(() => clearTimeout(timer));
}

/** Settles like `work`, or rejects with the signal's reason as soon as it is aborted: for work that cannot be aborted itself. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
