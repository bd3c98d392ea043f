import { type Element, isTag, Text } from 'domhandler';
import { type BlockElement, blockType, childBlocks, cloneBlock } from '../blocks/block-dom.ts';

/** Replaces a marked answer. */
const GAP = '[…]';

const isMark = (element: Element): boolean => (element.attribs['data-type'] ?? '').split(' ').includes('mark');

function blankMarks(element: Element): void {
  for (const child of element.children.filter(isTag)) {
    if (!isMark(child)) blankMarks(child);
    else {
      const gap = new Text(GAP);
      gap.parent = child;
      child.children = [gap];
    }
  }
}

function drop(block: BlockElement, isAnswer: (child: BlockElement, index: number) => boolean): void {
  const gone = new Set<unknown>(childBlocks(block).filter(isAnswer));
  block.children = block.children.filter((child) => !gone.has(child));
}

function dropAnswers(block: BlockElement): void {
  if (blockType(block) === 's') drop(block, (_child, index) => index > 0);
  if (blockType(block) === 'i') drop(block, (child) => blockType(child) === 'l');
  if (blockType(block) === 'l') childBlocks(block).forEach(dropAnswers);
}

/** A card as SiYuan's review shows it first: without marked words, without the lists below its items, of a super block only the first block. */
export function frontOf(block: BlockElement): BlockElement {
  const front = cloneBlock(block);
  dropAnswers(front);
  blankMarks(front);
  return front;
}
