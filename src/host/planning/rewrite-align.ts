import { type Comparable, pairBlocks } from '../blocks/block-pairs.ts';

/** A top-level block that stands. */
export interface OldBlock {
  readonly id: string;
  readonly type: string;
  /** Markdown as it was read; what is the same Markdown is the same block. */
  readonly markdown: string;
  /** May become another text as a whole: Markdown can express it. */
  readonly free: boolean;
  /** Text that goes where the new text does not have it; the rest stays as it is. */
  readonly removable: boolean;
  /** May change its place. */
  readonly movable: boolean;
}

/** A top-level block of the new Markdown. */
export interface NewBlock {
  readonly type: string;
  readonly markdown: string;
  /** It stands for this old block, word for word. */
  readonly keeps?: string;
}

/** What becomes of each new block, in the new order. `old` and `fresh` are indexes. */
export type Aligned =
  | { readonly kind: 'same' | 'move' | 'update' | 'move-and-update'; readonly old: number; readonly fresh: number }
  | { readonly kind: 'insert'; readonly fresh: number };

export interface Alignment {
  readonly aligned: readonly Aligned[];
  /** Old blocks that nothing new stands for: those that are removable go. */
  readonly unmatched: readonly number[];
}

/** What is the same Markdown is the same block, unless it stands for an old one by name. */
function compared(old: readonly OldBlock[], fresh: readonly NewBlock[]): { readonly old: Comparable[]; readonly fresh: Comparable[] } {
  const named = new Set(fresh.flatMap(({ keeps }) => keeps ?? []));
  const keyOf = ({ type, markdown }: NewBlock | OldBlock): string => `${type}\n${markdown}`;
  return {
    old: old.map((block) => {
      const own = named.has(block.id) || block.markdown === '';
      return { key: own ? block.id : keyOf(block), type: block.type, markdown: block.markdown };
    }),
    fresh: fresh.map((block) => ({ key: block.keeps ?? keyOf(block), type: block.keeps ?? block.type, markdown: block.markdown })),
  };
}

/** Which old block each new one is. */
export function alignBlocks(old: readonly OldBlock[], fresh: readonly NewBlock[]): Alignment {
  const sides = compared(old, fresh);
  const { same, moved, changed, movedAndChanged } = pairBlocks(sides.old, sides.fresh, {
    isFixed: (index) => !old[index]?.free,
    isShut: (index) => !old[index]?.removable,
  });
  const taken = new Map<number, Aligned>();
  for (const [before, after] of same) taken.set(after, { kind: 'same', old: before, fresh: after });
  // What may not move stays where it is, and is not written a second time.
  for (const [before, after] of moved) taken.set(after, { kind: old[before]?.movable ? 'move' : 'same', old: before, fresh: after });
  for (const [before, after] of changed) taken.set(after, { kind: 'update', old: before, fresh: after });
  for (const [before, after] of movedAndChanged)
    taken.set(after, { kind: old[before]?.movable ? 'move-and-update' : 'update', old: before, fresh: after });
  const paired = new Set([...same, ...moved, ...changed, ...movedAndChanged].map(([before]) => before));
  return {
    aligned: fresh.map((_block, index) => taken.get(index) ?? { kind: 'insert', fresh: index }),
    unmatched: old.flatMap((_block, index) => (paired.has(index) ? [] : [index])),
  };
}
