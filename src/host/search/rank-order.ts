import { compareTexts } from '../../tools/util/plain-value.ts';

/** What a match or a note is put in order by. */
export interface Rank {
  readonly score: number;
  /** When it was changed last, in SiYuan's digits; '' where that is not known. */
  readonly updated: string;
  readonly id: string;
}

/** Best first; of those as good the one that was changed last, and of these the one with the smaller id: an order that is the same each time. */
export const byRank = (one: Rank, other: Rank): number =>
  other.score - one.score || compareTexts(other.updated, one.updated) || compareTexts(one.id, other.id);
