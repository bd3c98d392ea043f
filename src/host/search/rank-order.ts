import { compareTexts } from '../../tools/util/plain-value.ts';

/** What matches and notes are sorted by. */
export interface Rank {
  readonly score: number;
  /** The time of the last change, in SiYuan's digits; '' if unknown. */
  readonly updated: string;
  /** The human-readable path of the note. */
  readonly path: string;
  readonly id: string;
}

/**
 * Best first; equal ones by the latest change, then by path, since the ids of one second are in random order. Within
 * a note by id, so that the order is stable.
 */
export const byRank = (one: Rank, other: Rank): number =>
  other.score - one.score ||
  compareTexts(other.updated, one.updated) ||
  compareTexts(one.path, other.path) ||
  compareTexts(one.id, other.id);
