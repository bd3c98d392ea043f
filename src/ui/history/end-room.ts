/**
 * Space that stays free below the last message when something above it shrinks: otherwise the list would be too short
 * for the reader's scroll position, and the browser would move everything in view. New text fills it.
 */
export class EndRoom {
  #element: HTMLElement | undefined;
  #height = 0;

  /** Attaches to the last element of the content. */
  readonly attach = (element: HTMLElement): (() => void) => {
    this.#element = element;
    return () => {
      this.#element = undefined;
      this.#height = 0;
    };
  };

  get isKept(): boolean {
    return this.#height > 0;
  }

  /** Lower edge of the messages, in CSS pixels from the upper edge of the content; undefined before they are in the document. */
  bottom(content: Element | null): number | undefined {
    if (!this.#element || !content) return undefined;
    return this.#element.getBoundingClientRect().top - content.getBoundingClientRect().top;
  }

  /** @param height CSS pixels */
  keep(height: number): void {
    const next = Math.max(0, height);
    if (!this.#element || Math.abs(next - this.#height) < 0.5) return;
    this.#height = next;
    this.#element.style.height = next === 0 ? '' : `${next}px`;
  }
}
