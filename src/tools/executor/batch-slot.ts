import type { ToolError } from '../contract/errors.ts';

/** A call among writes that are planned and shown together; it runs when every earlier one has settled. */
export interface BatchSlot {
  whenEarlierSettled(): Promise<{
    /** One of them wrote, or may have: the plan made before may not fit any more. */
    readonly earlierWrote: boolean;
    /** The reason why the call must not run after all. */
    readonly refusal: ToolError | undefined;
  }>;
}
