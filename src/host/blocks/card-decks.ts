import type { BlockElement } from './block-dom.ts';

/** Names the decks that hold a card of the block, with commas between them. */
export const DECKS_ATTRIBUTE = 'custom-riff-decks';
/** The deck that SiYuan makes by itself, of which "Review" in its menu asks. */
export const BUILT_IN_DECK = '20230218211946-2kw8jgx';

export const decksIn = (value: string | null): readonly string[] => (value ?? '').split(',').filter((deck) => deck !== '');

export const decksOfBlock = (block: BlockElement | undefined): readonly string[] => decksIn(block?.attribs[DECKS_ATTRIBUTE] ?? null);
