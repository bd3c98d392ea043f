import type { MessageView } from '../../chat/view/view.ts';
import type { MessageTexts } from './message-texts.ts';
import { countMatches, findPattern } from './text-runs.ts';

/** One match: the n-th, from 0, in a message. */
export interface FindMatch {
  readonly nodeId: string;
  readonly nth: number;
}

/** How long the page may be blocked, in milliseconds. */
const SLICE = 8;
/** How often the matches so far are shown, in milliseconds. */
const ANNOUNCE_AFTER = 150;

const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

interface Counted {
  readonly nodeId: string;
  readonly matches: number;
  readonly before: number;
}

/** The search words in the open chat and their matches: counted over all messages, including those not in the document. */
export class FindState {
  open: boolean = $state(false);
  /** Grows each time that it is opened, so that its field takes the focus again. */
  asked: number = $state(0);
  query: string = $state('');
  /** Not all messages are searched yet. */
  searching: boolean = $state(false);
  /** Set where the reader is at a match; from 0. */
  place: number | undefined = $state();
  #counted: readonly Counted[] = $state.raw([]);
  #pass = 0;
  /** The message from which the reader begins. */
  #first = '';

  readonly pattern = $derived(this.open ? findPattern(this.query) : null);
  readonly total = $derived.by(() => {
    const last = this.#counted.at(-1);
    return last ? last.before + last.matches : 0;
  });
  readonly current: FindMatch | undefined = $derived(this.place === undefined ? undefined : this.#match(this.place));

  show(words: string): void {
    this.open = true;
    this.asked += 1;
    if (words !== '') this.query = words;
  }

  /** Marks words that were found elsewhere, and goes to them in that message; the field does not take the focus. */
  lead(words: string, nodeId: string): void {
    this.query = words;
    this.#first = nodeId;
    this.place = undefined;
    this.open = true;
  }

  matchesIn(nodeId: string): number {
    return this.#counted.find((each) => each.nodeId === nodeId)?.matches ?? 0;
  }

  /** Counts again; a newer count cancels this one. The reader's match is kept if it still matches. */
  async look(messages: readonly MessageView[], texts: MessageTexts): Promise<void> {
    this.#pass += 1;
    const pass = this.#pass;
    const { pattern, query } = this;
    let reader = this.current;
    const announce = (counted: readonly Counted[]): void => {
      reader = this.current ?? reader;
      this.#counted = counted;
      this.place = reader && this.#placeOf(reader);
    };
    if (!pattern) {
      this.#counted = [];
      this.place = undefined;
      this.searching = false;
      return;
    }
    this.searching = true;
    const counted: Counted[] = [];
    let before = 0;
    let started = performance.now();
    let announcedAt = started;
    for (const message of messages) {
      const now = performance.now();
      if (now - started > SLICE) {
        if (now - announcedAt > ANNOUNCE_AFTER) {
          announcedAt = now;
          announce([...counted]);
        }
        await nextTask();
        if (pass !== this.#pass) return;
        started = performance.now();
      }
      const matches = texts.mayHold(message, query) ? countMatches(texts.texts(message), pattern) : 0;
      if (matches > 0) counted.push({ nodeId: message.nodeId, matches, before });
      before += matches;
    }
    announce(counted);
    this.searching = false;
  }

  /**
   * Goes forward (1) or back (−1), wrapping at the ends. If the reader is at no match: to the next one from a message on, or to the
   * last one, which is near a reader at the end of the chat.
   */
  step(direction: 1 | -1, from: (nodeIds: readonly string[]) => number): void {
    const { total } = this;
    if (total === 0) return;
    const first = this.#counted.find(({ nodeId }) => nodeId === this.#first);
    this.#first = '';
    if (first && this.place === undefined) this.place = first.before;
    else if (this.place === undefined) this.place = this.#counted.at(from(this.#counted.map((each) => each.nodeId)))?.before ?? 0;
    else this.place = (this.place + direction + total) % total;
  }

  close(): void {
    this.#pass += 1;
    this.open = false;
    this.asked = 0;
    this.searching = false;
    this.#counted = [];
    this.place = undefined;
  }

  #match(place: number): FindMatch | undefined {
    const found = this.#counted.find(({ before, matches }) => place >= before && place < before + matches);
    return found && { nodeId: found.nodeId, nth: place - found.before };
  }

  #placeOf({ nodeId, nth }: FindMatch): number | undefined {
    const found = this.#counted.find((each) => each.nodeId === nodeId);
    return found && found.before + Math.min(nth, found.matches - 1);
  }
}
