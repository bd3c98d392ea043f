import { ToolError } from '../contract/errors.ts';
import type { CompletionResult, ToolCall, Usage } from '../contract/messages.ts';
import { toToolCall } from '../executor/legal-calls.ts';
import { fieldOf } from '../util/plain-value.ts';

/** Normalizes a model's answer for the chain: a model port is external code, and missing fields must not end a turn. */
export function checkAnswer(value: unknown): CompletionResult {
  const content = fieldOf(value, 'content');
  const reasoning = fieldOf(value, 'reasoning');
  const usage = readUsage(fieldOf(value, 'usage'));
  const finishReason = fieldOf(value, 'finishReason');
  const time = readTime(fieldOf(value, 'time'));
  return {
    content: typeof content === 'string' ? content : '',
    tool_calls: readCalls(fieldOf(value, 'tool_calls')),
    finishReason: typeof finishReason === 'string' ? finishReason : 'unknown',
    ...(typeof reasoning === 'string' ? { reasoning } : {}),
    ...(usage === undefined ? {} : { usage }),
    ...(time === undefined ? {} : { time }),
  };
}

function readTime(value: unknown): CompletionResult['time'] {
  const firstToken = fieldOf(value, 'firstToken');
  const total = fieldOf(value, 'total');
  return typeof firstToken === 'number' && typeof total === 'number' ? { firstToken, total } : undefined;
}

function readCalls(value: unknown): readonly ToolCall[] {
  try {
    return Array.isArray(value) ? value.map(toToolCall) : [];
  } catch {
    return [];
  }
}

function readUsage(value: unknown): Usage | undefined {
  const [prompt, completion, total] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map((name) => fieldOf(value, name));
  if (typeof prompt !== 'number' || typeof completion !== 'number' || typeof total !== 'number') return undefined;
  const cached = fieldOf(value, 'cached_tokens');
  return {
    ...{ prompt_tokens: prompt, completion_tokens: completion, total_tokens: total },
    ...(typeof cached === 'number' ? { cached_tokens: cached } : {}),
  };
}

export function emptyAnswer(finishReason: string | undefined): ToolError {
  if (finishReason === 'length') {
    return new ToolError(
      'model_limit_used',
      'the model reached the limit of its answer before it wrote anything',
      'raise the limit of an answer (max_tokens) in the settings, or let it think less, then send again',
    );
  }
  if (finishReason === 'content_filter' || finishReason === 'refusal') {
    return new ToolError('model_filtered', 'the provider’s filter stopped the answer', 'ask in other words, or choose another model');
  }
  return new ToolError('model_bad_answer', 'the model gave an empty answer', 'send again, or choose another model');
}
