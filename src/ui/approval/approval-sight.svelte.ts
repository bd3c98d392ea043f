import { getContext, setContext } from 'svelte';
import { isInView, whenInView } from '../controls/in-view.ts';

const KEY = Symbol('what was in view of an approval');

/** In their order: the words that say what is to be done, and both edges of what is drawn of it. */
const EDGES = ['words', 'start', 'end'] as const;
type Edge = (typeof EDGES)[number];
/** Milliseconds before a press is meant for what is shown. */
const PRESS_MS = 500;

/** A change that comes beside others or goes moves them: for a moment, another one is under the pointer than the person means. */
const moved = $state({ lately: false });
let drawn = 0;
let settling: ReturnType<typeof setTimeout> | undefined;

function settle(): void {
  clearTimeout(settling);
  moved.lately = true;
  settling = setTimeout(() => (moved.lately = false), PRESS_MS);
}

/** Attached to each change of a list. */
export function standsInList(): () => void {
  if (drawn++ > 0) settle();
  return () => {
    drawn--;
    settle();
  };
}

export interface SeenPart {
  seen(): void;
  /** It is no longer shown, seen or not. */
  remove(): void;
}

/**
 * What a person had in view of one approval, as it is now. It may be approved once `wasShown`: its words and both edges of its change
 * were in view, and none came or went just now. A box that hides a part between them says how much. The one place that decides this.
 */
export class ApprovalSight {
  /** Its words and both edges of its change were in view. */
  #isWhole = $state(false);
  /** So was everything that its boxes and outlines hide. */
  wasSeen = $state(false);
  #wasDrawn = $state(false);
  readonly #marks = new Map<Edge, HTMLElement>();
  readonly #shown = new Set<Edge>();
  readonly #left = new Set<object>();

  /** Its words and both edges of its change were in view, and it is where it was: a press is meant for it. */
  get wasShown(): boolean {
    return this.#isWhole && !moved.lately;
  }

  /** It was drawn, and is not in view: most changes are by then. */
  get isMissed(): boolean {
    return this.#wasDrawn && !this.#isWhole;
  }

  /** Attached to the words, and to a mark at an edge: what surrounds that mark has to be seen there. */
  at(edge: Edge): (mark: HTMLElement) => () => void {
    return (mark) => {
      this.#marks.set(edge, mark);
      const stop = whenInView(mark, () => this.#show(edge));
      let frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(() => (this.#wasDrawn = true));
      });
      return () => {
        stop();
        cancelAnimationFrame(frame);
        if (this.#marks.get(edge) === mark) this.#marks.delete(edge);
      };
    };
  }

  /** One more part that has to be seen before `wasSeen`. */
  part(): SeenPart {
    const part = {};
    this.#left.add(part);
    return {
      seen: () => {
        this.#left.delete(part);
        this.#update();
      },
      remove: () => void this.#left.delete(part),
    };
  }

  readonly partEnd = (end: HTMLElement): (() => void) => {
    const part = this.part();
    const stop = whenInView(end, () => part.seen());
    return () => {
      stop();
      part.remove();
    };
  };

  /** `wasShown`, with what is in view at this moment. */
  check(): boolean {
    for (const [edge, mark] of this.#marks) if (!this.#shown.has(edge) && isInView(mark)) this.#show(edge);
    return this.wasShown;
  }

  /** Goes to what was not in view yet. A person who asked for it has it in view wherever the page can show it at all. */
  async show(): Promise<void> {
    const edge = EDGES.find((each) => !this.#shown.has(each) && this.#marks.has(each));
    const mark = edge && this.#marks.get(edge);
    if (!mark) return;
    // As much as possible of what follows; where a bar lies over that place, the middle.
    for (const block of ['start', 'center'] as const) {
      mark.scrollIntoView({ block });
      await new Promise((resolve) => requestAnimationFrame(resolve));
      if (this.check() || this.#shown.has(edge)) return;
    }
    this.#show(edge);
  }

  #show(edge: Edge): void {
    this.#shown.add(edge);
    this.#update();
  }

  #update(): void {
    this.#isWhole ||= EDGES.every((edge) => this.#shown.has(edge));
    this.wasSeen ||= this.#isWhole && this.#left.size === 0;
  }
}

export const provideSight = (sight: () => ApprovalSight): (() => ApprovalSight) => setContext(KEY, sight);

/** Of the surrounding decision; undefined if there is none. */
export const useSight = (): (() => ApprovalSight) | undefined => getContext<(() => ApprovalSight) | undefined>(KEY);
