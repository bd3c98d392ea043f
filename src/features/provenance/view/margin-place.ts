import type { PanelContext } from '../../../ui/state/context.ts';
import type { WrittenBlock, WrittenPort } from '../provenance-port.ts';

/** Where the card is: at a piece of the margin beside a block, in the window. */
export interface MarginPlace {
  /** Of the block. */
  readonly id: string;
  readonly box: DOMRect;
  readonly by: 'pointer' | 'finger' | 'keys';
}

/** Where the card leads to. */
interface MarginWays {
  readonly onchat: (call: WrittenBlock['call']) => void;
  readonly onundo: (call: WrittenBlock['call']) => void;
}

export interface MarginCardProps {
  readonly place: MarginPlace;
  readonly written: WrittenPort;
  readonly context: PanelContext;
  readonly ways: MarginWays;
}
