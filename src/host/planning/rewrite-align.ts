import { type Comparable, pairBlocks } from '../blocks/block-pairs.ts';

export interface OldBlock {
  readonly id: string;
  readonly type: string;
  /** Markdown as it was read; equal Markdown means the same block. */
  readonly markdown: string;
  /** The whole block may be replaced by other text: Markdown can express it. */
  readonly free: boolean;
  /** Text that is deleted if the new text lacks it; other blocks stay. */
  readonly removable: boolean;
  readonly movable: boolean;
  /** Paragraphs inside it that Markdown cannot express, as block DOM by their Markdown. */
  readonly inner?: ReadonlyMap<string, string>;
}

export interface NewBlock {
  readonly type: string;
  readonly markdown: string;
  /** The old block that it copies verbatim. */
  readonly keeps?: string;
}

/** The outcome of each new block, in the new order. `old` and `fresh` are indexes. */
export type Aligned =
  | { readonly kind: 'same' | 'move' | 'update' | 'move-and-update'; readonly old: number; readonly fresh: number }
  | { readonly kind: 'insert'; readonly fresh: number };

export interface Alignment {
  readonly aligned: readonly Aligned[];
  /** Old blocks without a counterpart in the new text; the removable ones are deleted. */
  readonly unmatched: readonly number[];
}

/** Blocks with equal Markdown are the same block, unless the new one copies an old one by name. */
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

export function alignBlocks(old: readonly OldBlock[], fresh: readonly NewBlock[]): Alignment {
  const sides = compared(old, fresh);
  const { same, moved, changed, movedAndChanged } = pairBlocks(sides.old, sides.fresh, {
    isFixed: (index) => !old[index]?.free,
    isShut: (index) => !old[index]?.removable,
  });
  const taken = new Map<number, Aligned>();
  for (const [before, after] of same) taken.set(after, { kind: 'same', old: before, fresh: after });
  // A block that may not move stays where it is, and is not written a second time.
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
