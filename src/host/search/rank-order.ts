import { compareTexts } from '../../tools/util/plain-value.ts';

/** What a match or a note is put in order by. */
export interface Rank {
  readonly score: number;
  /** When it was changed last, in SiYuan's digits; '' where that is not known. */
  readonly updated: string;
  /** Of the note, in words. */
  readonly path: string;
  readonly id: string;
}

/**
 * Best first; of those as good the one that was changed last, and of these by path, since ids of one second follow one another by lot. Within
 * a note by id: an order that is the same each time.
 */
export const byRank = (one: Rank, other: Rank): number =>
  other.score - one.score ||
  compareTexts(other.updated, one.updated) ||
  compareTexts(one.path, other.path) ||
  compareTexts(one.id, other.id);
