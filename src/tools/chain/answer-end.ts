import type { CompletionResult } from '../contract/messages.ts';
import { bareToolName } from '../util/near-names.ts';

/** The end of an answer, if not normal. `text-call`: it is a tool call written as text, which did not run. */
export type AnswerEnd = 'length' | 'filter' | 'refusal' | 'text-call';

const ENDS: Readonly<Record<string, AnswerEnd>> = { length: 'length', content_filter: 'filter', refusal: 'refusal' };

/** How models of several families begin a call when it is not parsed: Hermes, Qwen, Llama, DeepSeek, Mistral, Kimi, GLM, Gemma, gpt-oss. */
const CALL =
  /<(?:\w+[:_])?(?:tool_?calls?|tool_code|function_?calls?|invoke|function)\b|<[|｜]{1,2}(?:tool|dsml|action_start|start_action|python_)|<\|channel\|>commentary to=|\bto=functions\.|\[TOOL_CALLS?\]|<start_function_call>|^\s*(?:functools)?(?:```(?:json|tool_call|tool_code)?\s*)?(?:\[\s*)?\{\s*"(?:name|tool|function|tool_name|type)"|^\s*(?:```tool_code\s*)?[[(]?\w+\(/iu;
/** Characters after such a mark within which the tool's name begins. */
const MAX_NAME_AT = 400;

/** Markdown without its code, except a fence that is the whole text: models explain calls in code. */
function withoutCode(content: string): string {
  const text = content.trim();
  if (/^```[^\n]*\n[^`]*```$/u.test(text)) return text;
  return text.replace(/^[ \t>]*(`{3,}|~{3,})[\s\S]*?(?:^[ \t>]*\1|$(?![\s\S]))/gmu, '').replace(/`[^`\n]+`/gu, '');
}

export function hasTextCall(content: string, tools: readonly string[]): boolean {
  if (content === '' || tools.length === 0) return false;
  const text = withoutCode(content);
  const found = CALL.exec(text);
  if (found === null) return false;
  const named = text.slice(found.index, found.index + MAX_NAME_AT);
  return (named.match(/[\w.:-]{2,64}/gu) ?? []).some(
    (word) => tools.includes(word) || tools.includes(bareToolName(word.replace(/\.call$/u, ''))),
  );
}

export function answerEnd(
  { content, finishReason }: Pick<CompletionResult, 'content' | 'finishReason'>,
  tools: readonly string[],
): AnswerEnd | undefined {
  return ENDS[finishReason] ?? (hasTextCall(content, tools) ? 'text-call' : undefined);
}
