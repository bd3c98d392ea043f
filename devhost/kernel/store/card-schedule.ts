export interface Card {
  readonly id: string;
  readonly blockId: string;
  readonly deckId: string;
  /** ISO; when it is to be reviewed next. A new card is due at once. */
  readonly due: string;
  readonly reps: number;
  readonly lapses: number;
  /** 0 new, 1 learning, 2 review, 3 relearning. */
  readonly state: number;
  readonly lastReview: string;
}

export type Rating = 1 | 2 | 3 | 4;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Milliseconds until a new card comes again, as recorded of 3.7.3. */
const OF_NEW: Readonly<Record<Rating, number>> = { 1: MINUTE, 2: 5 * MINUTE, 3: 10 * MINUTE, 4: 16 * DAY };
/** Days of a card that was learned, by which its last interval grows: nearly as SiYuan's scheduler does. */
const GROWTH: Readonly<Record<Rating, number>> = { 1: 0, 2: 1.2, 3: 2.5, 4: 4 };

function interval(card: Card, rating: Rating): number {
  if (card.state === 0) return OF_NEW[rating];
  if (rating === 1) return 5 * MINUTE;
  const last = Math.max(DAY, Date.parse(card.due) - Date.parse(card.lastReview));
  return Math.round((last * GROWTH[rating]) / DAY) * DAY;
}

function inWords(milliseconds: number): string {
  const [count, unit] = milliseconds < DAY ? [milliseconds / MINUTE, 'minute'] : [milliseconds / DAY, 'day'];
  return `${Math.round(count)} ${unit}${Math.round(count) === 1 ? '' : 's'}`;
}

const RATINGS: readonly Rating[] = [1, 2, 3, 4];
export const nextDues = (card: Card): Readonly<Record<string, string>> =>
  Object.fromEntries(RATINGS.map((rating) => [rating, inWords(interval(card, rating))]));

function stateAfter({ state }: Card, rating: Rating): number {
  if (rating === 4) return 2;
  if (state === 0) return 1;
  return rating === 1 ? 3 : 2;
}

export function reviewed(card: Card, rating: Rating, now: Date): Card {
  return {
    ...card,
    due: new Date(now.getTime() + interval(card, rating)).toISOString(),
    reps: card.reps + 1,
    lapses: card.lapses + (rating === 1 && card.state === 2 ? 1 : 0),
    state: stateAfter(card, rating),
    lastReview: now.toISOString(),
  };
}
