import type { DocumentRef, NotebookRef } from './note-readings.ts';

/** How well a person knew a card: again, hard, good, easy, as SiYuan's scheduler counts them. */
export const RATINGS = [1, 2, 3, 4] as const;
export type Rating = (typeof RATINGS)[number];

export interface DueCard {
  readonly id: string;
  readonly cardId: string;
  readonly deckId: string;
  readonly document: DocumentRef;
  readonly notebook: NotebookRef;
  /** Markdown of the block without its answer, and with it. */
  readonly front: string;
  readonly whole: string;
  readonly reviews: number;
  /** When it comes again, by rating, in the words and the language of SiYuan; '' where it says nothing. */
  readonly next: Readonly<Record<Rating, string>>;
}

/** Of a notebook, of a note and the notes below it; of all where it is absent. */
export interface ReviewScope {
  readonly notebook?: string;
  readonly document?: string;
}

/** A review by a person; no tool rates. Cards of hidden blocks are neither shown nor counted. Rejects like `NoteQueries`. */
export interface CardReview {
  /** In SiYuan's order, and within its daily limits. */
  due(scope: ReviewScope, signal: AbortSignal): Promise<readonly DueCard[]>;
  /** Rates a card. `round`: ids of all reviewed together. Rejects unrated with `not_found`, or `stale` if it was reviewed elsewhere. */
  rate(card: DueCard, rating: Rating, round: readonly string[], signal: AbortSignal): Promise<void>;
}
