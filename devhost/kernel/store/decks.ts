import { join } from 'node:path';
import { newId } from '../tree/time.ts';
import { readJson, writeFileAtomic } from './atomic-file.ts';
import { type Card, type Rating, reviewed } from './card-schedule.ts';

/** The deck that SiYuan makes by itself; its own cards are in no other. */
export const BUILT_IN_DECK = '20230218211946-2kw8jgx';

const NEVER = '0001-01-01T00:00:00Z';

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

  /** Passes over a card that is not there, as SiYuan does. */
  review(deckId: string, cardId: string, rating: Rating, now: Date): void {
    this.save(this.cards().map((card) => (card.id === cardId && card.deckId === deckId ? reviewed(card, rating, now) : card)));
  }

  remove(deckId: string, blockIds: readonly string[]): void {
    const gone = new Set(blockIds);
    this.save(this.cards().filter((card) => !(gone.has(card.blockId) && (deckId === '' || card.deckId === deckId))));
  }

  private save(cards: readonly Card[]): void {
    writeFileAtomic(this.file, JSON.stringify(cards, null, 2));
  }
}
