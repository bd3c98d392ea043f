import type { ToolError } from '../contract/errors.ts';

/**
 * The place of a call among writes that are planned and asked side by side. It runs when every earlier one has settled.
 */
export interface BatchSlot {
  /** Resolves when that is so; never rejects. */
  whenEarlierSettled(): Promise<{
    /** One of them wrote, or may have: what was planned before may not fit any more. */
    readonly earlierWrote: boolean;
    /** Why the call is not run after all, if it is not. */
    readonly refusal: ToolError | undefined;
  }>;
}
