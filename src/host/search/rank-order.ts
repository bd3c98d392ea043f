import { compareTexts } from '../../tools/util/plain-value.ts';

export interface Rank {
  readonly score: number;
  /** The time of the last change, in SiYuan's digits; '' if unknown. */
  readonly updated: string;
  readonly path: string;
  readonly id: string;
}

/** Best first; equal ones by the latest change, then by path (ids of one second are random), within a note by id. */
export const byRank = (one: Rank, other: Rank): number =>
  other.score - one.score ||
  compareTexts(other.updated, one.updated) ||
  compareTexts(one.path, other.path) ||
  compareTexts(one.id, other.id);
