import type { DueCard, Rating, ReviewScope } from '../../../tools/contract/card-review.ts';
import { type EventError, toEventError, toToolError } from '../../../tools/contract/errors.ts';
import type { HostUi } from '../../../ui/ports/host-ui.ts';

type LeftOut = 'gone' | 'elsewhere';

const LEFT_OUT: Readonly<Record<string, LeftOut>> = { not_found: 'gone', stale: 'elsewhere' };

/** One review of flashcards: the cards that were due when it began, one after another. */
export class ReviewSession {
  /** Those that are left, the shown one first; undefined until they are read. */
  cards: readonly DueCard[] | undefined = $state.raw();
  revealed: boolean = $state(false);
  done: number = $state(0);
  busy: boolean = $state(false);
  problem: EventError | undefined = $state.raw();
  /** Said of the card before the shown one. */
  leftOut: LeftOut | undefined = $state();
  #scope: ReviewScope = {};
  /** Ids of all cards of this review, for SiYuan's own counting. */
  #round: readonly string[] = [];
  #asked = 0;
  #again: () => Promise<void>;
  readonly #host: HostUi['cards'];

  constructor(host: HostUi['cards']) {
    this.#host = host;
    this.#again = () => this.load(this.#scope);
  }

  get card(): DueCard | undefined {
    return this.cards?.[0];
  }

  async load(scope: ReviewScope): Promise<void> {
    const asked = ++this.#asked;
    this.#scope = scope;
    [this.cards, this.done, this.leftOut] = [undefined, 0, undefined];
    await this.#try(async () => {
      const cards = await this.#host.due(scope);
      if (asked !== this.#asked) return;
      this.#round = cards.map(({ cardId }) => cardId);
      this.#show(cards);
    });
  }

  more(): Promise<void> {
    return this.load(this.#scope);
  }

  retry(): Promise<void> {
    return this.#again();
  }

  reveal(): void {
    if (this.card) this.revealed = true;
  }

  /** The card comes again in the next review. */
  skip(): void {
    if (this.busy) return;
    this.leftOut = undefined;
    this.problem = undefined;
    this.#show(this.cards?.slice(1) ?? []);
  }

  async rate(rating: Rating): Promise<void> {
    const { card, cards = [] } = this;
    if (!card || this.busy || !this.revealed) return;
    this.leftOut = undefined;
    await this.#try(async () => {
      try {
        await this.#host.rate(card, rating, this.#round);
        this.done += 1;
      } catch (error) {
        const why = LEFT_OUT[toToolError(error).code];
        if (why === undefined) throw error;
        this.leftOut = why;
      }
      if (this.cards === cards) this.#show(cards.slice(1));
    });
  }

  #show(cards: readonly DueCard[]): void {
    this.cards = cards;
    this.revealed = false;
  }

  async #try(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.problem = undefined;
    this.#again = () => this.#try(work);
    try {
      await work();
    } catch (error) {
      this.problem = toEventError(toToolError(error));
    } finally {
      this.busy = false;
    }
  }
}
