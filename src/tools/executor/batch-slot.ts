import type { ToolError } from '../contract/errors.ts';

/**
 * The position of a call among writes that are planned and shown together. It runs when every earlier one has settled.
 */
export interface BatchSlot {
  /** Resolves when that has happened; never rejects. */
  whenEarlierSettled(): Promise<{
    /** One of them wrote, or may have: the plan made before may not fit any more. */
    readonly earlierWrote: boolean;
    /** Why the call must not run after all, if so. */
    readonly refusal: ToolError | undefined;
  }>;
}
