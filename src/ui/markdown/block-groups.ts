import type { MarkdownBlock } from './blocks.ts';

/** Blocks that the browser skips together while they are out of view. */
export interface BlockGroup {
  readonly key: number;
  readonly blocks: readonly MarkdownBlock[];
}

/** Few enough that a group is soon out of view, many enough that there are few groups: the browser watches each. */
const GROUP_SIZE = 16;

/** Groups by index; one whose blocks are all the same keeps its object, so that nothing in it is checked again. */
export function groupBlocks(blocks: readonly MarkdownBlock[], before: readonly BlockGroup[]): readonly BlockGroup[] {
  return Array.from({ length: Math.ceil(blocks.length / GROUP_SIZE) }, (_, key) => {
    const from = key * GROUP_SIZE;
    const old = before[key];
    const size = Math.min(GROUP_SIZE, blocks.length - from);
    if (old?.blocks.length === size && old.blocks.every((block, index) => block === blocks[from + index])) return old;
    return { key, blocks: blocks.slice(from, from + size) };
  });
}
