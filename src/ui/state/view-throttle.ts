import type { ChatView } from '../../chat/view/view.ts';

/** Milliseconds. A piece of an answer costs more than its share of the text: every component is asked whether it changed. */
const FRAME_MS = 16;

/**
 * Passes on the views of a chat: while an answer streams at most one per frame, the latest. What comes after a rest is passed on at
 * once, and so is the end of the answer. The beginning waits for a frame, so that the request leaves before anything is drawn.
 */
export class ViewThrottle {
  readonly #show: (view: ChatView) => void;
  #coming: ChatView | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = Number.NEGATIVE_INFINITY;
  #running: boolean;

  /** @param running whether what is shown already runs */
  constructor(show: (view: ChatView) => void, running = false) {
    this.#show = show;
    this.#running = running;
  }

  take(view: ChatView): void {
    this.#coming = view;
    const rest = this.#rest(view.running);
    if (rest > 0) this.#timer ??= setTimeout(() => this.#hand(), rest);
    else this.#hand();
  }

  destroy(): void {
    clearTimeout(this.#timer);
    this.#coming = undefined;
  }

  #rest(running: boolean): number {
    if (!running) return 0;
    return this.#running ? this.#shown + FRAME_MS - performance.now() : FRAME_MS;
  }

  #hand(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const view = this.#coming;
    if (!view) return;
    this.#running = view.running;
    this.#shown = performance.now();
    this.#show(view);
  }
}
