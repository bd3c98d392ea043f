import { ToolError } from '../../tools/contract/errors.ts';
import type { Progress } from '../../tools/contract/plans.ts';

/** Milliseconds of work without a pause: less than a person notices. */
const AT_ONCE = 12;

/** Milliseconds until progress is shown: for shorter work it would only flicker. */
const PROGRESS_AFTER = 400;

/** Awaited before each of many blocks: lets the window handle events; rejects on abort. Resolves to true if it yielded. */
export function yieldToWindow(signal: AbortSignal, now: () => number = Date.now): () => Promise<boolean> {
  let since = now();
  return async () => {
    if (now() - since < AT_ONCE) return false;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    since = now();
    return true;
  };
}

export interface ReadingSteps {
  page(blocks: number): void;
  /** To be awaited before each block, in each of the two passes over a page. */
  step(): Promise<void>;
}

export function readingSteps(signal: AbortSignal, progress: Progress | undefined, now: () => number = Date.now): ReadingSteps {
  const start = now();
  const yieldIfDue = yieldToWindow(signal, now);
  let total = 0;
  let steps = 0;
  return {
    page: (blocks) => {
      total = blocks;
    },
    step: async () => {
      if ((await yieldIfDue()) && now() - start >= PROGRESS_AFTER) progress?.(Math.min(total, Math.floor(steps / 2)), total);
      steps += 1;
    },
  };
}
