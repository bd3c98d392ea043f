let timer = 0;
let refresh = (): void => {};

/** The tree says how it is read again. */
export function onTreeRefresh(read: () => void): void {
  refresh = read;
}

/** Reads the notebooks and the open folders again; several calls in a row become one. */
export function refreshTreeSoon(): void {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => refresh(), 120);
}
