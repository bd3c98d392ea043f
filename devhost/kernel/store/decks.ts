import { join } from 'node:path';
import { newId } from '../tree/time.ts';
import { readJson, writeFileAtomic } from './atomic-file.ts';

/** The deck that SiYuan makes by itself; its own cards are in no other. */
export const BUILT_IN_DECK = '20230218211946-2kw8jgx';

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

const NEVER = '0001-01-01T00:00:00Z';
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Until the next review by rating (1 again … 4 easy): for a new card, and per review that it has behind it. SiYuan schedules by FSRS. */
const FIRST_WAIT: Readonly<Record<number, number>> = { 1: MINUTE, 2: 5 * MINUTE, 3: 10 * MINUTE, 4: 4 * DAY };
const LATER_WAIT: Readonly<Record<number, number>> = { 1: 5 * MINUTE, 2: DAY, 3: 3 * DAY, 4: 7 * DAY };

/** When a card comes again after this rating, in milliseconds from now. */
export const waitAfter = (card: Card, rating: number): number =>
  card.reps === 0 ? (FIRST_WAIT[rating] ?? MINUTE) : (LATER_WAIT[rating] ?? DAY) * (rating === 1 ? 1 : card.reps);

/** Flashcards of a workspace, one for each block and deck. */
export class Decks {
  private readonly file: string;

  constructor(dataFolder: string) {
    this.file = join(dataFolder, 'storage', 'riff', 'cards.json');
  }

  /** Soonest first. `deckId` empty: of all decks. */
  cards(deckId = ''): readonly Card[] {
    const all = readJson<readonly Card[]>(this.file, []);
    return all.filter((card) => deckId === '' || card.deckId === deckId).sort((one, other) => Date.parse(one.due) - Date.parse(other.due));
  }

  add(deckId: string, blockIds: readonly string[], now: Date): void {
    const known = new Set(this.cards(deckId).map((card) => card.blockId));
    const made = [...new Set(blockIds)].filter((id) => !known.has(id));
    const blank = { deckId, due: now.toISOString(), reps: 0, lapses: 0, state: 0, lastReview: NEVER };
    if (made.length > 0) this.save([...this.cards(), ...made.map((blockId): Card => ({ ...blank, id: newId(), blockId }))]);
  }

  remove(deckId: string, blockIds: readonly string[]): void {
    const gone = new Set(blockIds);
    this.save(this.cards().filter((card) => !(gone.has(card.blockId) && (deckId === '' || card.deckId === deckId))));
  }

  setDue(id: string, due: Date): void {
    this.save(this.cards().map((card) => (card.id === id ? { ...card, due: due.toISOString() } : card)));
  }

  review(id: string, rating: number, now: Date): void {
    const reviewed = (card: Card): Card => ({
      ...card,
      due: new Date(now.getTime() + waitAfter(card, rating)).toISOString(),
      reps: card.reps + 1,
      lapses: card.lapses + (rating === 1 && card.reps > 0 ? 1 : 0),
      state: rating === 4 || card.reps > 0 ? 2 : 1,
      lastReview: now.toISOString(),
    });
    this.save(this.cards().map((card) => (card.id === id ? reviewed(card) : card)));
  }

  private save(cards: readonly Card[]): void {
    writeFileAtomic(this.file, JSON.stringify(cards, null, 2));
  }
}
