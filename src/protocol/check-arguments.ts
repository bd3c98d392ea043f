import type { JsonSchema } from '../tools/contract/messages.ts';
import type { ToolArguments } from '../tools/contract/types.ts';
import { hasReferences } from '../tools/executor/references.ts';
import { shapeArguments } from '../tools/executor/shape-arguments.ts';
import { findArgumentFaults } from '../tools/executor/validate-arguments.ts';
import { preview } from '../tools/util/graphemes.ts';
import { describeSchema, schemaOf } from '../tools/util/schema.ts';

const MAX_CAME = 60;

export interface CheckedArgument {
  readonly key: string;
  readonly status: 'ok' | 'missing' | 'typeError' | 'unknown';
  /** The expectation of the schema in a few words; '' for an unknown argument. */
  readonly wanted: string;
  /** The given value as JSON, shortened; '' for a missing argument. */
  readonly came: string;
}

export interface CheckedArguments {
  /** The given ones in order, then the missing ones. */
  readonly checked: readonly CheckedArgument[];
  /** As the executor will see them; references to variables are resolved only when the call runs. */
  readonly coerced: ToolArguments;
  readonly isValid: boolean;
}

/** Each argument of a request with what the tool expects, parsed like the executor. Throws ToolError for values that are not JSON. */
export function checkArguments(args: ToolArguments, schema: JsonSchema): CheckedArguments {
  const coerced = shapeArguments(args, schema);
  const faults = findArgumentFaults(coerced, schema).filter(({ key, kind }) => kind !== 'typeError' || !hasReferences(coerced[key]));
  const came = Object.keys(args).filter((key) => Object.hasOwn(coerced, key) || !faults.some((fault) => fault.key === key));
  const checked = came.map((key) =>
    checkOne(
      key,
      args[key],
      schema,
      faults.find((fault) => fault.key === key),
    ),
  );
  const missing = faults.filter(({ key }) => !came.includes(key));
  return {
    checked: [...checked, ...missing.map(({ key, wanted }): CheckedArgument => ({ key, status: 'missing', wanted, came: '' }))],
    coerced,
    isValid: faults.length === 0,
  };
}

type Fault = ReturnType<typeof findArgumentFaults>[number];

function checkOne(key: string, value: unknown, schema: JsonSchema, fault: Fault | undefined): CheckedArgument {
  const node = schemaOf(schema, 'properties', key);
  const came = preview(JSON.stringify(value) ?? '', MAX_CAME);
  const isUnknown = fault?.kind === 'unknown' || (node === undefined && schema.additionalProperties === undefined);
  if (isUnknown) return { key, status: 'unknown', wanted: '', came };
  return { key, status: fault === undefined ? 'ok' : 'typeError', wanted: fault?.wanted ?? describeSchema(node), came };
}
