import { isToolError } from '../../tools/contract/errors.ts';
import type { Complete, CompletionRequest } from '../../tools/contract/messages.ts';
import { orAborted } from '../../tools/util/abort.ts';
import { lazyPart } from '../../tools/util/lazy.ts';

/** Refusals of native calls. Only the first is about the model; the other is about the description, and is not learned. */
const REFUSALS = ['model_no_tools', 'model_schema_refused'] as const;

export const refusalOf = (error: unknown): (typeof REFUSALS)[number] | undefined =>
  REFUSALS.find((code) => isToolError(error) && error.code === code);

const lazy = lazyPart(async () => (await import('../../tools/executor/fit-tools.ts')).simpleTools);

/** The request with fewer and simpler tools; undefined if that would change nothing. */
async function simplerRequest(request: CompletionRequest, signal: AbortSignal): Promise<CompletionRequest | undefined> {
  const { tools = [] } = request;
  const simple = (await orAborted(lazy(), signal))(tools);
  return JSON.stringify(simple) === JSON.stringify(tools) ? undefined : { ...request, tools: simple };
}

/**
 * If a server refuses the tools as described, sends the request again with fewer and simpler ones, and does so for the rest of the
 * turn; the first such answer begins with `simpler-tools`. Rejects like `inner`.
 */
export function withSimplerTools(inner: Complete): Complete {
  const simplified = new WeakSet<object>();
  let isSaid = false;
  return async (request, signal, onDelta) => {
    const turn = request.turn ?? request;
    const ask = (simpler: CompletionRequest): ReturnType<Complete> =>
      inner(simpler, signal, (delta) => {
        if (!isSaid && delta.type !== 'retry' && delta.type !== 'reading') {
          isSaid = true;
          onDelta({ type: 'simpler-tools', tools: simpler.tools?.length ?? 0 });
        }
        onDelta(delta);
      });
    if (simplified.has(turn)) {
      const known = await simplerRequest(request, signal);
      if (known !== undefined) return ask(known);
    }
    try {
      return await inner(request, signal, onDelta);
    } catch (error) {
      const isTooMuch = refusalOf(error) === 'model_schema_refused' && !signal.aborted;
      const simpler = isTooMuch ? await simplerRequest(request, signal) : undefined;
      if (simpler === undefined) throw error;
      simplified.add(turn);
      return ask(simpler);
    }
  };
}
