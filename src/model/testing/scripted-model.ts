import { ToolError } from '../../tools/contract/errors.ts';
import type { CompletionRequest, CompletionResult, ModelDelta, ToolCall, Usage } from '../../tools/contract/messages.ts';
import type { LanguageModel } from '../language-model.ts';

/** A gate in a reply: the model waits there until the test opens it, or until the request is aborted. */
export interface Gate {
  readonly open: () => void;
  readonly reached: Promise<void>;
  readonly pass: (signal: AbortSignal) => Promise<void>;
}

function signalled(): { readonly promise: Promise<void>; readonly fire: () => void } {
  let fire = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    fire = resolve;
  });
  return { promise, fire };
}

export function createGate(): Gate {
  const arrived = signalled();
  const opened = signalled();
  return {
    open: opened.fire,
    reached: arrived.promise,
    async pass(signal) {
      arrived.fire();
      if (signal.aborted) return;
      const stop = signalled();
      signal.addEventListener('abort', stop.fire, { once: true });
      await Promise.race([opened.promise, stop.promise]);
      signal.removeEventListener('abort', stop.fire);
    },
  };
}

interface ScriptedCall {
  readonly name: string;
  /** An object becomes JSON; a string is sent unchanged, so that invalid JSON can be tried. */
  readonly arguments: Readonly<Record<string, unknown>> | string;
  readonly id?: string;
}

interface ScriptedAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly error?: Error;
  /** Characters per delta; by default the whole text at once. */
  readonly chunk?: number;
  readonly gateStart?: Gate;
  readonly gateEnd?: Gate;
  readonly usage?: Usage;
  readonly finishReason?: string;
}

export type ScriptedReply = string | ScriptedAnswer | ((request: CompletionRequest) => string | ScriptedAnswer);

export interface ScriptedModel extends LanguageModel {
  readonly requests: readonly CompletionRequest[];
  readonly remaining: number;
  push(...replies: readonly ScriptedReply[]): void;
}

function pieces(text: string, size: number | undefined): string[] {
  if (!size) return text ? [text] : [];
  const letters = [...text];
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, index) => letters.slice(index * size, (index + 1) * size).join(''));
}

const stopped = (): ToolError => new ToolError('aborted', 'the answer was stopped', 'send again when you want to go on');

/** Streams one answer as a model would: each piece in a microtask of its own, and none after an abort. */
async function play(
  answer: ScriptedAnswer,
  tool_calls: readonly ToolCall[],
  signal: AbortSignal,
  onDelta: (delta: ModelDelta) => void,
): Promise<CompletionResult> {
  const emit = async (delta: ModelDelta): Promise<void> => {
    await Promise.resolve();
    if (signal.aborted) throw stopped();
    onDelta(delta);
  };
  const { text = '', reasoning = '', chunk } = answer;
  await answer.gateStart?.pass(signal);
  if (signal.aborted) throw stopped();
  for (const piece of pieces(reasoning, chunk)) await emit({ type: 'reasoning', text: piece });
  for (const piece of pieces(text, chunk)) await emit({ type: 'text', text: piece });
  await answer.gateEnd?.pass(signal);
  if (signal.aborted) throw stopped();
  if (answer.error) throw answer.error;
  for (const [index, call] of tool_calls.entries()) {
    await emit({ type: 'toolCallStart', index, id: call.id, name: call.function.name });
    await emit({ type: 'toolCallArgs', index, argumentsDelta: call.function.arguments });
  }
  const usage = answer.usage ?? { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  await emit({ type: 'usage', usage });
  const finishReason = answer.finishReason ?? (tool_calls.length ? 'tool_calls' : 'stop');
  return { content: text, tool_calls, usage, finishReason, time: { firstToken: 1, total: 2 }, reasoning: reasoning || undefined };
}

/** Returns the prepared replies in order and logs the requests. A request beyond the last reply throws a named error. */
export function createScriptedModel(replies: readonly ScriptedReply[], name = 'scripted'): ScriptedModel {
  const queue = [...replies];
  const requests: CompletionRequest[] = [];
  let calls = 0;

  function toCall(call: ScriptedCall): ToolCall {
    calls += 1;
    const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
    return { id: call.id ?? `scripted${calls}`, type: 'function', function: { name: call.name, arguments: text } };
  }

  async function complete(
    request: CompletionRequest,
    signal: AbortSignal,
    onDelta: (delta: ModelDelta) => void,
  ): Promise<CompletionResult> {
    requests.push(structuredClone(request));
    const next = queue.shift();
    if (next === undefined) throw new Error(`scripted model: no reply left for request ${requests.length}`);
    const made = typeof next === 'function' ? next(request) : next;
    const answer = typeof made === 'string' ? { text: made } : made;
    return play(answer, (answer.calls ?? []).map(toCall), signal, onDelta);
  }

  return {
    label: name,
    model: name,
    complete,
    requests,
    get remaining() {
      return queue.length;
    },
    push: (...more) => void queue.push(...more),
  };
}
