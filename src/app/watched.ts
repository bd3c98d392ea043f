import { inBackground, Listeners } from '../tools/util/notify.ts';

/** Milliseconds between two looks. */
const LOOK_MS = 4000;

interface WatchedOptions<T> {
  /** As known now. */
  readonly value: () => T;
  /** Looks for changes; not called while the page is hidden. Never rejects. */
  readonly look: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** A value that is looked after by one timer as long as somebody listens. `announce`: it is known to have changed. */
export function watched<T>({ value, look, signal }: WatchedOptions<T>) {
  const listeners = new Listeners<[value: T]>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const announce = (): void => listeners.call(value());
  const tick = async (): Promise<void> => {
    clearTimeout(timer);
    if (!document.hidden) await look();
    announce();
    if (listeners.size > 0 && !signal.aborted) timer = setTimeout(() => inBackground(tick()), LOOK_MS);
  };
  signal.addEventListener('abort', () => clearTimeout(timer));
  /** Calls back with the value, now and after each look; returns a function that stops it. */
  const watch = (listener: (value: T) => void): (() => void) => {
    const stop = listeners.add(listener);
    listener(value());
    if (listeners.size === 1) inBackground(tick());
    return () => {
      stop();
      if (listeners.size === 0) clearTimeout(timer);
    };
  };
  return { watch, announce };
}
