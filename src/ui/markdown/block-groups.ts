import type { MarkdownBlock } from './blocks.ts';

/** Blocks that the browser skips together while they are out of sight. */
export interface BlockGroup {
  readonly key: number;
  readonly blocks: readonly MarkdownBlock[];
}

/** Few enough that a group is soon out of sight, many enough that groups are few: each is watched by the browser. */
const GROUP_SIZE = 16;

/** Groups by place; one whose blocks are all the same keeps its object, so that nothing of it is looked at again. */
export function groupBlocks(blocks: readonly MarkdownBlock[], before: readonly BlockGroup[]): readonly BlockGroup[] {
  return Array.from({ length: Math.ceil(blocks.length / GROUP_SIZE) }, (_, key) => {
    const from = key * GROUP_SIZE;
    const old = before[key];
    const size = Math.min(GROUP_SIZE, blocks.length - from);
    if (old?.blocks.length === size && old.blocks.every((block, index) => block === blocks[from + index])) return old;
    return { key, blocks: blocks.slice(from, from + size) };
  });
}
