import type { WrittenBlock } from '../../tools/contract/written-blocks.ts';

/** Something that the editor leads to: who wrote these blocks, a call in Activity, an answer in its chat, or the rights in a notebook. */
export type PanelPlace =
  | { readonly written: readonly string[] }
  | { readonly change: string }
  | { readonly answer: Pick<WrittenBlock['call'], 'sessionId' | 'messageId'> }
  | { readonly access: string };
