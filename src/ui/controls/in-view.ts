/** Whether the middle of an element is on the screen with nothing over it. For a mark without content, what surrounds it counts as it. */
export function isInView(element: HTMLElement): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  const hit = element.ownerDocument.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const content = element.childNodes.length > 0 ? element : element.parentElement;
  return hit !== null && content?.contains(hit) === true;
}

/** Calls back once when the element is in view (`isInView`). Returns a function that stops waiting. */
export function whenInView(element: HTMLElement, then: () => void): () => void {
  let frame = 0;
  const stop = (): void => {
    cancelAnimationFrame(frame);
    observer.disconnect();
  };
  // While it is on the screen with something over it, only asking tells when that goes.
  const ask = (): void => {
    if (!isInView(element)) frame = requestAnimationFrame(ask);
    else {
      stop();
      then();
    }
  };
  const observer = new IntersectionObserver((entries) => {
    cancelAnimationFrame(frame);
    if (entries.at(-1)?.isIntersecting) ask();
  });
  observer.observe(element);
  return stop;
}
