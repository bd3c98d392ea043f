/** Between leaving a page and its end, its requests are aborted already. Some pages stay after all: then this is over. */
const NEAR_MS = 2000;

/** Whether the page is about to end. A failure then is not real: the request was aborted. */
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
