import { type BlockElement, blockId, blockType, childBlocks, plainText } from '../blocks/block-dom.ts';
import { referencesIn } from '../blocks/block-references.ts';
import { guardedSiblings, isGuardedElement } from './document-tree.ts';

export interface TreeBlock {
  readonly id: string;
  type: string;
  /** 1–6 for headings, 7 for the rest. */
  level: number;
  /** A heading that hides its section in the editor: the kernel treats the two as one (tests/contract/recorded/folded-headings.json). */
  folded: boolean;
  /** Hidden below a folded heading. */
  hidden: boolean;
  /** The user hides it, or something around or above it, from the assistant. */
  readonly guarded: boolean;
  readonly ownGuard: boolean;
  subtype: string;
  /** Plain text, to describe positions. */
  readonly text: string;
  parentId: string;
  children: string[];
}

export type BlockFacts = Omit<TreeBlock, 'parentId' | 'children'>;

/** The first words of a block; '' if references in it show text of other blocks, since those may be hidden. */
export function wordsOf(block: BlockElement): string {
  const children = childBlocks(block);
  const guarded = guardedSiblings(children);
  const first = children.find((child) => !guarded.has(child));
  if (children.length > 0) return first ? wordsOf(first) : '';
  return referencesIn(block).length > 0 ? '' : plainText(block).slice(0, 200);
}

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
    ownGuard: isGuardedElement(element),
    text: wordsOf(element),
  };
}
