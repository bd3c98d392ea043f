import { ToolError, toToolError } from '../contract/errors.ts';
import type { Complete, CompletionRequest, CompletionResult } from '../contract/messages.ts';
import { orAborted } from '../util/abort.ts';
import type { EventEmitter } from './event-stream.ts';
import { checkAnswer } from './model-answer.ts';

export type ModelOutcome =
  | { readonly kind: 'answer'; readonly answer: CompletionResult }
  /** `text` is what had been streamed so far: it is kept. */
  | { readonly kind: 'aborted'; readonly text: string }
  | { readonly kind: 'error'; readonly error: ToolError; readonly text: string };

/**
 * One request to the model with its text and reasoning on the event stream; never rejects. A model port that ignores the
 * signal is not awaited.
 */
export async function requestModel(
  complete: Complete,
  request: CompletionRequest,
  context: { readonly signal: AbortSignal; readonly emitter: EventEmitter },
): Promise<ModelOutcome> {
  const { signal, emitter } = context;
  let text = '';
  let listening = true;
  let writing = emitter.callsInWriting();
  try {
    // What came before, such as a callback of the caller, may have stopped the turn.
    signal.throwIfAborted();
    const given = await orAborted(
      complete(request, signal, (delta) => {
        if (!listening) return;
        if (delta.type === 'retry' || delta.type === 'reading') emitter.emit(delta);
        if (delta.type === 'reasoning') emitter.delta('reasoning', delta.text);
        if (delta.type === 'text-was-reasoning') {
          text = '';
          // Calls inside reasoning are drafts.
          emitter.closeWriting();
          writing = emitter.callsInWriting();
          emitter.emit({ type: 'text-end', wasReasoning: true });
        }
        if (delta.type === 'toolCallStart' || delta.type === 'toolCallArgs') writing.take(delta);
        if (delta.type !== 'text') return;
        text += delta.text;
        emitter.delta('text', delta.text);
      }),
      signal,
    );
    listening = false;
    const answer = checkAnswer(given);
    sendUnstreamed(answer, text, emitter);
    emitter.closeText();
    return { kind: 'answer', answer };
  } catch (thrown) {
    listening = false;
    emitter.closeText();
    emitter.closeWriting();
    if (signal.aborted) return { kind: 'aborted', text };
    const error = toToolError(thrown, 'model_bad_answer');
    // An abort that was not requested here is a broken connection.
    if (error.code !== 'aborted') return { kind: 'error', error, text };
    return {
      kind: 'error',
      error: new ToolError('model_unreachable', 'the connection to the model broke', 'send the message again'),
      text,
    };
  }
}

/** A model that does not stream returns its text at once. */
function sendUnstreamed(answer: CompletionResult, streamed: string, emitter: EventEmitter): void {
  if (streamed === '') emitter.delta('text', answer.content);
}
