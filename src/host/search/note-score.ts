import { averageLength, type ReadPassage, rarity } from './passage-score.ts';
import type { NoteHolding, NoteWords } from './relevance-candidates.ts';

/** BM25's saturation, and the influence of the note's length. */
const K1 = 2;
const B = 0.4;
/** What the words of a whole note weigh, relative to those of a passage. */
const WHOLE = 0.7;
/** As for passages: a word in all notes still counts. */
const ALL = 3;

/** A note, and the words in its title and the names above it. */
export interface ReadNote extends NoteWords {
  readonly title: ReadPassage;
}

/** BM25 over whole notes, by id: what a passage does not say, the rest of its note may. */
export function noteScores(notes: ReadonlyMap<string, ReadNote>, { holding, all }: NoteHolding): ReadonlyMap<string, number> {
  const read = [...notes.values()];
  const weights = (read[0]?.counts ?? []).map((_count, number) => {
    const having = read.filter(({ counts }) => (counts[number] ?? 0) > 0).length;
    return rarity(Math.max(having, holding[number] ?? 0), ALL * Math.max(all, read.length));
  });
  const average = averageLength(read);
  const scoreOf = ({ counts, length, title }: ReadNote): number => {
    const room = K1 * (1 - B + (B * length) / Math.max(1, average));
    return weights.reduce((sum, weight, number) => {
      const count = (counts[number] ?? 0) + (title.words[number]?.count ?? 0);
      return sum + (weight * count * (K1 + 1)) / (count + room);
    }, 0);
  };
  return new Map([...notes].map(([id, note]) => [id, WHOLE * scoreOf(note)]));
}
