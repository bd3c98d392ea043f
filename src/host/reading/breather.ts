import { ToolError } from '../../tools/contract/errors.ts';

/** Milliseconds of work without a pause: less than what a person notices. */
const AT_ONCE = 12;

/** For work over many blocks, to be awaited before each: lets the window go on meanwhile, and ends the work where the call was stopped. */
export function breather(signal: AbortSignal, now: () => number = Date.now): () => Promise<void> {
  let since = now();
  return async () => {
    if (now() - since < AT_ONCE) return;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    since = now();
  };
}
