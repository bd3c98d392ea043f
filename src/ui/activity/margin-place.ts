import type { WrittenBlock } from '../../tools/contract/written-blocks.ts';
import type { PanelContext } from '../state/context.ts';

/** Where the card is: at a piece of the margin beside a block, in the window. */
export interface MarginPlace {
  /** Of the block. */
  readonly id: string;
  readonly box: DOMRect;
  readonly by: 'pointer' | 'finger' | 'keys';
}

/** Where the card leads to. */
export interface MarginWays {
  readonly onchat: (call: WrittenBlock['call']) => void;
  readonly onundo: (call: WrittenBlock['call']) => void;
}

export interface MarginCardProps {
  readonly place: MarginPlace;
  readonly context: PanelContext;
  readonly ways: MarginWays;
}
