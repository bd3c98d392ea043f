/** Between the word that a page is left and its end its requests are cut off already. Some pages stay after all: then this is over. */
const NEAR_MS = 2000;

/** Whether the page is about to end. What fails then has not failed: it was cut off. */
export interface PageEnd {
  near(): boolean;
  /** Resolves at once, or when it is clear that the page stays. */
  stays(): Promise<void>;
}

export function watchPageEnd(signal: AbortSignal, page: EventTarget = window, now: () => number = Date.now): PageEnd {
  let until = Number.NEGATIVE_INFINITY;
  const leave = (): void => {
    until = now() + NEAR_MS;
  };
  page.addEventListener('beforeunload', leave, { signal });
  return {
    near: () => now() < until,
    stays: () => (now() < until ? new Promise((resolve) => setTimeout(resolve, until - now())) : Promise.resolve()),
  };
}
