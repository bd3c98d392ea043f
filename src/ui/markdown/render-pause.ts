import type { MarkdownBlock } from './blocks.ts';

export const FRAME_MS = 16;
/** The browser lays out a growing block as a whole: each part that it already has adds this to the pause. */
const PART_MS = 4;
/** The longest pause at which text still seems to flow. */
const LONGEST_MS = 200;

/** Milliseconds to leave between two renders of an answer that ends with these blocks. */
export function renderPause(blocks: readonly MarkdownBlock[]): number {
  const last = blocks.at(-1);
  return last && 'parts' in last ? Math.min(LONGEST_MS, FRAME_MS + PART_MS * last.parts.length) : FRAME_MS;
}
