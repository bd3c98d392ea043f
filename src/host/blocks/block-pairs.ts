import { commonSequence, weightedSequence } from './common-sequence.ts';

export interface Comparable {
  readonly key: string;
  readonly type: string;
  readonly markdown: string;
}

type Pair = readonly [old: number, fresh: number];

export interface BlockPairs {
  readonly same: readonly Pair[];
  readonly moved: readonly Pair[];
  /** Blocks with changed text or changed children, in order. */
  readonly changed: readonly Pair[];
  readonly movedAndChanged: readonly Pair[];
}

export interface PairingRules {
  /** An old block that is paired with a different text only if the two are similar. */
  readonly isFixed?: (old: number) => boolean;
  /** An old block that is paired only with an identical one. */
  readonly isShut?: (old: number) => boolean;
}

const ALIKE = 0.45;
/** Minimum similarity if a paragraph becomes a heading or the reverse, and for blocks at another position. */
const MORE_ALIKE = 0.6;
/** With so few words, similarity says little. */
const FEW_WORDS = 3;
/** In gaps with more cells than this, a block is compared only with blocks near its own position. */
const MAX_COMPARED = 250_000;
const BAND = 0.1;

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu;

type Words = ReadonlyMap<string, number>;

function countWords(text: string): Words {
  const counts = new Map<string, number>();
  for (const [word] of text.toLowerCase().matchAll(WORD)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

const sizeOf = (words: Words): number => [...words.values()].reduce((sum, count) => sum + count, 0);

const commonOf = (one: Words, other: Words): number =>
  [...one].reduce((sum, [word, count]) => sum + Math.min(count, other.get(word) ?? 0), 0);

function likeness(one: Words, other: Words): number {
  const all = sizeOf(one) + sizeOf(other);
  return all === 0 ? 0 : (2 * commonOf(one, other)) / all;
}

export function wordsWithin(part: string, whole: string): number {
  const words = countWords(part);
  return commonOf(words, countWords(whole)) / Math.max(1, sizeOf(words));
}

const TEXT_TYPES = new Set(['p', 'h']);

class Pairing {
  private readonly old: readonly Comparable[];
  private readonly fresh: readonly Comparable[];
  private readonly rules: PairingRules;
  private readonly words = new Map<Comparable, Words>();
  private readonly takenOld = new Set<number>();
  private readonly takenFresh = new Set<number>();

  constructor(old: readonly Comparable[], fresh: readonly Comparable[], rules: PairingRules) {
    this.old = old;
    this.fresh = fresh;
    this.rules = rules;
  }

  /** `inPlace`: pairs of identical blocks that are not moved; by default as many as possible. */
  pair(inPlace?: readonly Pair[]): BlockPairs {
    const same = inPlace ?? commonSequence(this.old.length, this.fresh.length, (row, column) => this.isSame(row, column));
    for (const pair of same) this.take(pair);
    const moved = this.moved();
    const changed: Pair[] = [];
    this.gaps(same, (old, fresh) => {
      changed.push(...this.alike(old, fresh));
    });
    const movedAndChanged = this.elsewhere();
    // A block without a similar one is paired with the block at its position.
    this.gaps(
      [...same, ...changed].sort(([, one], [, other]) => one - other),
      (old, fresh) => changed.push(...this.inOrder(old, fresh)),
    );
    return { same, moved, changed: changed.sort(([, one], [, other]) => one - other), movedAndChanged };
  }

  /** Pairs of identical blocks in the common order of identical and changed blocks. */
  inCommonOrder(): readonly Pair[] {
    const { length } = this.old;
    const order = weightedSequence(length, this.fresh.length, (row, column) => (this.isSame(row, column) ? 1 : this.weigh(row, column)));
    return order.filter(([row, column]) => this.isSame(row, column));
  }

  private isSame(old: number, fresh: number): boolean {
    return this.old[old]?.key === this.fresh[fresh]?.key;
  }

  private take([old, fresh]: Pair): void {
    this.takenOld.add(old);
    this.takenFresh.add(fresh);
  }

  private moved(): Pair[] {
    const places = new Map<string, number[]>();
    for (const [index, { key }] of this.old.entries()) if (!this.takenOld.has(index)) places.set(key, [...(places.get(key) ?? []), index]);
    const pairs: Pair[] = [];
    for (const [index, { key }] of this.fresh.entries()) {
      const old = this.takenFresh.has(index) ? undefined : places.get(key)?.shift();
      if (old !== undefined) pairs.push([old, index]);
    }
    for (const pair of pairs) this.take(pair);
    return pairs;
  }

  /** Calls `use` with the unpaired blocks between each two consecutive pairs. */
  private gaps(pairs: readonly Pair[], use: (old: readonly number[], fresh: readonly number[]) => void): void {
    const free = (from: number, to: number, taken: ReadonlySet<number>): number[] =>
      Array.from({ length: Math.max(0, to - from) }, (_unused, index) => from + index).filter((index) => !taken.has(index));
    let [oldStart, freshStart] = [0, 0];
    for (const [oldEnd, freshEnd] of [...pairs, [this.old.length, this.fresh.length] as const]) {
      const [old, fresh] = [free(oldStart, oldEnd, this.takenOld), free(freshStart, freshEnd, this.takenFresh)];
      if (old.length > 0 && fresh.length > 0) use(old, fresh);
      [oldStart, freshStart] = [oldEnd + 1, freshEnd + 1];
    }
  }

  private alike(old: readonly number[], fresh: readonly number[]): Pair[] {
    const isNear = (row: number, column: number): boolean =>
      old.length * fresh.length <= MAX_COMPARED || Math.abs(row / old.length - column / fresh.length) < BAND;
    const found = weightedSequence(old.length, fresh.length, (row, column) =>
      isNear(row, column) ? this.weigh(old[row] ?? 0, fresh[column] ?? 0) : 0,
    );
    const pairs = found.map(([row, column]): Pair => [old[row] ?? 0, fresh[column] ?? 0]);
    for (const pair of pairs) this.take(pair);
    return pairs;
  }

  /** Pairs the remaining blocks at any position, the most similar first. */
  private elsewhere(): Pair[] {
    const left = (blocks: readonly Comparable[], taken: ReadonlySet<number>): number[] =>
      blocks.flatMap((_block, index) => (taken.has(index) ? [] : [index]));
    const [old, fresh] = [left(this.old, this.takenOld), left(this.fresh, this.takenFresh)];
    if (old.length * fresh.length > MAX_COMPARED) return [];
    const found = old.flatMap((from) => fresh.map((to) => ({ from, to, weight: this.weigh(from, to) })));
    const pairs: Pair[] = [];
    for (const { from, to, weight } of found.sort((one, other) => other.weight - one.weight)) {
      if (weight < MORE_ALIKE || this.takenOld.has(from) || this.takenFresh.has(to)) continue;
      this.take([from, to]);
      pairs.push([from, to]);
    }
    return pairs;
  }

  private wordsOf(block: Comparable | undefined): Words {
    const known = block && this.words.get(block);
    if (known || !block) return known ?? new Map();
    const words = countWords(block.markdown);
    this.words.set(block, words);
    return words;
  }

  private weigh(old: number, fresh: number): number {
    const [from, to] = [this.old[old], this.fresh[fresh]];
    if (this.rules.isShut?.(old)) return 0;
    const isOneType = from?.type === to?.type;
    if (!isOneType && !(TEXT_TYPES.has(from?.type ?? '') && TEXT_TYPES.has(to?.type ?? ''))) return 0;
    const alike = likeness(this.wordsOf(from), this.wordsOf(to));
    return alike >= (isOneType ? ALIKE : MORE_ALIKE) ? alike : 0;
  }

  /** If both lists have the same kinds, pairs all blocks with enough text (a translation, for example); else those with few words. */
  private inOrder(old: readonly number[], fresh: readonly number[]): Pair[] {
    const open = old.filter((index) => !this.rules.isFixed?.(index) && !this.rules.isShut?.(index));
    const typeOf = (blocks: readonly Comparable[], index: number): string => blocks[index]?.type ?? '';
    const isWhole =
      open.length === fresh.length && open.every((index, at) => typeOf(this.old, index) === typeOf(this.fresh, fresh[at] ?? -1));
    const few = (blocks: readonly Comparable[], index: number): boolean => sizeOf(this.wordsOf(blocks[index])) <= FEW_WORDS;
    const pairs: Pair[] = [];
    let from = 0;
    for (const index of fresh) {
      const at = open.findIndex(
        (each, position) =>
          position >= from &&
          typeOf(this.old, each) === typeOf(this.fresh, index) &&
          (isWhole || (few(this.old, each) && few(this.fresh, index))),
      );
      if (at < 0) continue;
      pairs.push([open[at] ?? 0, index]);
      from = at + 1;
    }
    for (const pair of pairs) this.take(pair);
    return pairs;
  }
}

const movesOf = ({ moved, movedAndChanged }: BlockPairs): number => moved.length + movedAndChanged.length;

/** Finds the old block of each new block: by text and order, and identical blocks at any position. */
export function pairBlocks(old: readonly Comparable[], fresh: readonly Comparable[], rules: PairingRules = {}): BlockPairs {
  const first = new Pairing(old, fresh, rules).pair();
  // Keeping identical blocks in place may move all changed blocks around them.
  if (first.movedAndChanged.length < 2 || old.length * fresh.length > MAX_COMPARED) return first;
  const pairing = new Pairing(old, fresh, rules);
  const other = pairing.pair(pairing.inCommonOrder());
  return movesOf(other) < movesOf(first) ? other : first;
}
