/** Nearer to the end than this counts as being there. */
const NEAR = 24;

/** Keeps the end of a list in sight while it grows, but only for a reader who is at the end. */
export class ScrollKeeper {
  atEnd = $state(true);
  /** False while something is above the upper edge. */
  atStart = $state(true);
  #list: HTMLElement | undefined;

  /** Watches a scrolling element with one child that holds its content. */
  readonly attach = (list: HTMLElement): (() => void) => {
    this.#list = list;
    const observer = new ResizeObserver(() => {
      if (this.atEnd) this.toEnd();
    });
    observer.observe(list);
    if (list.firstElementChild) observer.observe(list.firstElementChild);
    const onScroll = (): void => {
      this.atStart = list.scrollTop <= 0;
      this.atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR;
    };
    list.addEventListener('scroll', onScroll, { passive: true });
    this.toEnd();
    return () => {
      observer.disconnect();
      list.removeEventListener('scroll', onScroll);
      this.#list = undefined;
    };
  };

  toEnd(): void {
    if (this.#list) this.#list.scrollTop = this.#list.scrollHeight;
    this.atEnd = true;
  }

  /** What is in sight stays in place while messages come in above it. */
  async growAbove(grow: () => Promise<void>): Promise<void> {
    const list = this.#list;
    if (!list) return;
    const fromEnd = list.scrollHeight - list.scrollTop;
    await grow();
    list.scrollTop = list.scrollHeight - fromEnd;
  }
}
