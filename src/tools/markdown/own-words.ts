import type { BlockReading } from '../contract/note-readings.ts';

/** Blocks whose text is that of other notes, or of no note at all. */
const FOREIGN: readonly string[] = ['query_embed', 'iframe', 'widget', 'av', 'html'];
/** A reference whose words are those of another block; SiYuan writes an apostrophe in them as `&apos;`. */
const DYNAMIC_REFERENCE = /\(\((\d{14}-[0-9a-z]{7}) '[^']*'\)\)/g;

export const isForeign = ({ type }: Pick<BlockReading, 'type'>): boolean => FOREIGN.includes(type);

const withoutReferred = <Part extends { readonly markdown: string }>(part: Part): Part => ({
  ...part,
  markdown: part.markdown.replaceAll(DYNAMIC_REFERENCE, '(($1))'),
});

/** A block as its note has it: of a reference that follows another block, its id without that block's words. */
export function ownBlock(block: BlockReading): BlockReading {
  const { items } = block;
  return { ...withoutReferred(block), ...(items ? { items: items.map(withoutReferred) } : {}) };
}

/** The blocks of a note whose text is to be followed as its own, without what other notes put into it. */
export const ownBlocks = (blocks: readonly BlockReading[]): readonly BlockReading[] =>
  blocks.filter((block) => !isForeign(block)).map(ownBlock);
