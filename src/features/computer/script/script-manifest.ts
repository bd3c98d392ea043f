import * as v from 'valibot';
import type { JsonSchema } from '../../../tools/contract/messages.ts';

const NAME = /^[a-z][a-z0-9_]{0,29}$/u;
const count = (least: number, most: number) => v.pipe(v.number(), v.integer(), v.minValue(least), v.maxValue(most));

const parameters = v.looseObject({ type: v.literal('object'), properties: v.optional(v.record(v.string(), v.looseObject({})), {}) });

const tool = v.object({
  name: v.pipe(v.string(), v.regex(NAME)),
  description: v.pipe(v.string(), v.minLength(1), v.maxLength(2000)),
  parameters: v.optional(parameters, { type: 'object', properties: {} }),
  // There is no `auto`: a file may ask for more consent, never for less.
  executionPolicy: v.optional(v.picklist(['ask-once', 'ask-always'])),
  resultApprovalPolicy: v.optional(v.picklist(['never', 'on-error', 'always']), 'never'),
  effect: v.optional(v.picklist(['read', 'write', 'outgoing']), 'outgoing'),
  timeout: v.optional(count(1, 600), 60),
  memory: v.optional(count(32, 4096), 512),
  output: v.optional(count(1, 4096), 1024),
});

const format = v.looseObject({ tools: v.pipe(v.array(tool), v.minLength(1), v.maxLength(20)) });

/** `timeout` in seconds, `memory` in MiB, `output` (what it may print) in KiB (docs/guide/scripts.md). */
export interface ScriptTool extends Omit<v.InferOutput<typeof tool>, 'parameters'> {
  readonly parameters: JsonSchema;
}

/** The tools of a manifest, or a description of what is wrong with it. */
export function readManifest(text: string): { readonly tools: readonly ScriptTool[] } | { readonly problem: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { problem: `it is not JSON (${error instanceof Error ? error.message : ''})` };
  }
  const read = v.safeParse(format, value);
  if (!read.success) {
    const [issue] = read.issues;
    return { problem: `${v.getDotPath(issue) ?? 'the file'}: ${issue.message}` };
  }
  const names = read.output.tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice === undefined ? read.output : { problem: `there are two tools ${twice}` };
}
