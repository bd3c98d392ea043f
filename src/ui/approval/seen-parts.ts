import { getContext, setContext } from 'svelte';

const KEY = Symbol('parts to be seen');

/** Parts of something to decide about. It counts as seen when each of them was in view to its end, or is fully shown. */
class SeenParts {
  readonly #left = new Set<object>();
  readonly #onseen: () => void;

  constructor(onseen: () => void) {
    this.#onseen = onseen;
  }

  /** One more part. */
  add(): SeenPart {
    const part = {};
    this.#left.add(part);
    return {
      seen: () => {
        this.#left.delete(part);
        if (this.#left.size === 0) this.#onseen();
      },
      remove: () => void this.#left.delete(part),
    };
  }
}

export interface SeenPart {
  seen(): void;
  /** It is no longer shown, seen or not. */
  remove(): void;
}

/** For the parts below this component. */
export const provideSeenParts = (onseen: () => void): SeenParts => setContext(KEY, new SeenParts(onseen));

/** Adds a part of the surrounding decision; undefined if there is none. */
export const useSeenPart = (): SeenPart | undefined => getContext<SeenParts | undefined>(KEY)?.add();

/** Attached to the end of a part. */
export const seenAt =
  (part: SeenPart) =>
  (end: HTMLElement): (() => void) => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) part.seen();
    });
    observer.observe(end);
    return () => observer.disconnect();
  };
