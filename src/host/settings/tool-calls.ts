import * as v from 'valibot';
import { DEFAULT_TOOL_CALL_BEHAVIOR } from '../../tools/contract/tool-call-config.ts';

const yesOrNo = (otherwise: boolean) => v.fallback(v.boolean(), otherwise);
const seconds = (count: number): number => count * 1000;

/** An unreadable value counts as the one that does less automatically. */
export const toolCallsFormat = v.looseObject({
  enabled: v.optional(yesOrNo(false), DEFAULT_TOOL_CALL_BEHAVIOR.enabled),
  mode: v.optional(v.fallback(v.picklist(['auto', 'manual']), 'manual'), DEFAULT_TOOL_CALL_BEHAVIOR.mode),
  requireConfirmation: v.optional(yesOrNo(true), DEFAULT_TOOL_CALL_BEHAVIOR.requireConfirmation),
  parallelExecution: v.optional(yesOrNo(false), DEFAULT_TOOL_CALL_BEHAVIOR.parallelExecution),
  timeout: v.optional(
    v.fallback(v.pipe(v.number(), v.minValue(seconds(1)), v.maxValue(seconds(3600))), DEFAULT_TOOL_CALL_BEHAVIOR.timeout),
    DEFAULT_TOOL_CALL_BEHAVIOR.timeout,
  ),
  /** The default of groups that `groups` does not list; absent: each group's own default. */
  defaultToolEnabled: v.optional(yesOrNo(false)),
});

type SavedToolCalls = v.InferOutput<typeof toolCallsFormat>;

/** If calls waited for the person in a broken file, they still do. */
export function lostToolCalls(text: string): { readonly toolCalls: SavedToolCalls } | undefined {
  const manual = /"mode"\s*:\s*"manual"/.test(text);
  const confirm = /"requireConfirmation"\s*:\s*true/.test(text);
  const off = /"toolCalls"\s*:\s*\{[^{}]*"enabled"\s*:\s*false/.test(text);
  if (!manual && !confirm && !off) return undefined;
  const kept = {
    mode: manual ? 'manual' : undefined,
    requireConfirmation: confirm ? true : undefined,
    enabled: off ? false : undefined,
  };
  return { toolCalls: v.parse(toolCallsFormat, kept) };
}
