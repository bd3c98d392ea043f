import { compareTexts } from '../../tools/util/plain-value.ts';
import { rarity } from './passage-score.ts';
import type { QueryWord } from './query-words.ts';

/** Counts of words among readable blocks, by word number: see Candidates. */
interface WordCounts {
  readonly holding: readonly number[];
  readonly all: number;
}

/**
 * Numbers of the words that characterize a text best, in order: those in few blocks that the text uses often. A word that no other block
 * has finds nothing. `often`: how often the text uses a typed word; `most`: the maximum number of results.
 */
export function characteristicNumbers(
  words: readonly QueryWord[],
  { holding, all }: WordCounts,
  often: ReadonlyMap<string, number>,
  most: number,
): readonly number[] {
  const rarest = new Map<string, number>();
  for (const [number, { typed, isHint }] of words.entries()) {
    const having = holding[number] ?? 0;
    // All pairs of a split word must occur somewhere.
    const value = having === 0 ? 0 : rarity(having, all);
    const known = rarest.get(typed) ?? value;
    if (!isHint) rarest.set(typed, value === 0 || known === 0 ? 0 : Math.max(known, value));
  }
  const chosen = [...rarest]
    .map(([typed, value]) => ({ typed, value: value * (1 + Math.log(Math.max(1, often.get(typed) ?? 1))) }))
    .filter(({ value }) => value > 0)
    .sort((one, other) => other.value - one.value || compareTexts(one.typed, other.typed))
    .slice(0, most);
  const isChosen = new Set(chosen.map(({ typed }) => typed));
  return words.flatMap(({ typed, isHint }, number) => (!isHint && isChosen.has(typed) ? number : []));
}
