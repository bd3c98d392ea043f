import { type BlockElement, blockId, blockType, plainText } from './block-dom.ts';

/** What a forest knows of a block. */
export interface ForestBlock {
  readonly id: string;
  type: string;
  /** 1–6 for headings, 7 for the rest. */
  level: number;
  /** A heading that hides its section in the editor: the kernel treats the two as one (HOST.md, Writing). */
  folded: boolean;
  /** Hidden below a folded heading. */
  hidden: boolean;
  /** The user keeps it, or something around or above it, from the assistant. */
  readonly guarded: boolean;
  subtype: string;
  /** Plain text, for words about places. */
  readonly text: string;
  parentId: string;
  children: string[];
}

export type BlockFacts = Omit<ForestBlock, 'parentId' | 'children'>;

export function factsOf(element: BlockElement, guarded: boolean): BlockFacts {
  const type = blockType(element);
  const subtype = element.attribs['data-subtype'] ?? '';
  return {
    id: blockId(element),
    type,
    subtype,
    level: type === 'h' ? Number(subtype.slice(1)) || 6 : 7,
    folded: type === 'h' && element.attribs.fold === '1',
    hidden: element.attribs['heading-fold'] === '1',
    guarded,
    text: plainText(element).slice(0, 200),
  };
}
