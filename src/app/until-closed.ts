import { ToolError } from '../tools/contract/errors.ts';
import { lazyPart } from '../tools/util/lazy.ts';

/** Disposes of a part whose loading finished after the product had ended. */
export function untilClosed<T>(load: () => Promise<T>, signal: AbortSignal): () => Promise<T> {
  return lazyPart(async () => {
    const part = await load();
    if (signal.aborted) throw new ToolError('aborted', 'Marginalia was closed', 'open it again');
    return part;
  });
}
