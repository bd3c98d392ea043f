import type { NotePlace, SearchMatch } from '../../tools/contract/note-readings.ts';
import { byRank, type Rank } from './rank-order.ts';
import { COPIED } from './relevance-candidates.ts';

/** A match with its text, which is absent if it was found by meaning only. */
export interface RankedText extends Rank {
  readonly match: SearchMatch;
  readonly body: string | undefined;
  /** Without what its note adds; undefined if it was found by meaning only. */
  readonly own?: number;
  readonly isSavedChat: boolean | undefined;
}

/** Among this many of the best, a longer text gives way to a contained one with at least this share of its score. */
const MOST_HELD = 80;
const AS_GOOD = 0.7;
const FOOTNOTE_MARKS = /\[\^[^\]]*\]/gu;

interface TextGroup<T> {
  one: T;
  score: number;
  /** Undefined if it cannot be a copy. */
  readonly letters: string | undefined;
  readonly elsewhere: Map<string, NotePlace>;
}

export function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOf(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

/** Copies may differ in punctuation, spaces and footnote numbers. Two notes with the same name are not copies. */
function lettersOf({ match, body = '' }: RankedText): string | undefined {
  const letters = body
    .toLowerCase()
    .replaceAll(FOOTNOTE_MARKS, '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
  return match.type === 'd' || letters.length < COPIED ? undefined : letters;
}

function addPlaces(to: Map<string, NotePlace>, matches: readonly SearchMatch[]): void {
  for (const { documentId: id, path } of matches) to.set(id, { id, path });
}

/** Each text once, best first, with a list of other notes that contain it, shown from the note with the fewest matching passages. */
export function withoutCopies<T extends RankedText>(ranked: readonly T[]): T[] {
  const inNotes = grouped(ranked, ({ match }) => match.documentId);
  const many = ({ match }: T): number => inNotes.get(match.documentId)?.length ?? 0;
  const ownOf = ({ own, score }: T): number => own ?? score;
  const isChat = ({ isSavedChat }: T): number => (isSavedChat ? 1 : 0);
  const byHome = (one: T, other: T): number =>
    isChat(one) - isChat(other) || ownOf(other) - ownOf(one) || many(one) - many(other) || byRank(one, other);
  const letters = new Map(ranked.map((each) => [each, lettersOf(each)]));
  const groups = [...grouped(ranked, (each) => letters.get(each) ?? each.id).values()].flatMap((all): TextGroup<T>[] => {
    const [one, ...others] = [...all].sort(byHome);
    if (one === undefined) return [];
    const elsewhere = new Map<string, NotePlace>();
    addPlaces(
      elsewhere,
      others.map(({ match }) => match),
    );
    return [{ one, score: Math.max(...all.map(({ score }) => score)), letters: letters.get(one), elsewhere }];
  });
  const isHeld = (long: TextGroup<T>, short: TextGroup<T>): boolean =>
    long.letters !== undefined &&
    short.letters !== undefined &&
    long.letters.length > short.letters.length &&
    long.one.match.documentId !== short.one.match.documentId &&
    short.score >= AS_GOOD * long.score &&
    many(short.one) <= many(long.one) &&
    isChat(short.one) <= isChat(long.one) &&
    long.letters.includes(short.letters);
  return withoutHolders(
    groups.sort((a, b) => b.score - a.score || byRank(a.one, b.one)),
    isHeld,
  )
    .map(({ one, score, elsewhere }) => {
      elsewhere.delete(one.match.documentId);
      return { ...one, score, ...(elsewhere.size === 0 ? {} : { match: { ...one.match, alsoIn: [...elsewhere.values()] } }) };
    })
    .sort(byRank);
}

/** Drops passages that contain another one, which takes their place. */
function withoutHolders<T extends RankedText>(
  all: readonly TextGroup<T>[],
  isHeld: (long: TextGroup<T>, short: TextGroup<T>) => boolean,
): TextGroup<T>[] {
  const best = all.slice(0, MOST_HELD);
  const left = new Set(all);
  for (const long of best) {
    const short = best.find((each) => left.has(each) && isHeld(long, each));
    if (short === undefined) continue;
    left.delete(long);
    short.score = Math.max(short.score, long.score);
    addPlaces(short.elsewhere, [long.one.match]);
    for (const [id, place] of long.elsewhere) short.elsewhere.set(id, place);
  }
  return [...left];
}
