import { type LanguageModel, type PreparedRequest, prepareOf } from '../../model/language-model.ts';
import { type EventError, ToolError, toToolError } from '../../tools/contract/errors.ts';

/** The first request that `ask` makes; sends nothing and ends there. Rejects with ToolError if the turn sends nothing. */
export async function firstRequest(
  model: LanguageModel,
  ask: (previewModel: LanguageModel) => Promise<EventError | undefined>,
): Promise<PreparedRequest> {
  let prepared: PreparedRequest | undefined;
  let failure: ToolError | undefined;
  const problem = await ask({
    ...model,
    // Whatever the model's type: a preview must not generate anything.
    type: 'chat',
    complete: async (request, signal) => {
      try {
        prepared = await prepareOf(model)(request, signal);
      } catch (error) {
        failure = toToolError(error);
      }
      throw new ToolError('aborted', 'only a preview', '');
    },
  });
  if (prepared) return prepared;
  throw failure ?? new ToolError(problem?.code ?? 'no_answer', problem?.message ?? 'nothing would be sent', problem?.next ?? 'send it');
}
