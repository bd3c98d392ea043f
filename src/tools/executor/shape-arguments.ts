import type { JsonSchema } from '../contract/messages.ts';
import type { ToolArguments } from '../contract/types.ts';
import { unescapeStructure } from '../util/markers.ts';
import { schemaOf } from '../util/schema.ts';
import { coerceArguments } from './arguments.ts';

/** Arguments with the types of the schema, then unescaped: in a list sent as JSON text, our backslash is written as two. */
export function shapeArguments(args: ToolArguments, schema: JsonSchema): ToolArguments {
  return mapEntries(coerceArguments(liftLimit(args, schema), schema), mapText);
}

/** `limit` 0 or -1 requests the whole result of any tool; one without `limit` never sees it. */
function liftLimit(args: ToolArguments, schema: JsonSchema): ToolArguments {
  if (!wantsWhole(args)) return args;
  const { limit, ...rest } = args;
  const own = schemaOf(schema, 'properties', 'limit');
  if (own === undefined) return schema.additionalProperties === false ? rest : args;
  const { minimum, maximum } = own;
  if (typeof minimum !== 'number' || Number(limit) >= minimum) return args;
  return typeof maximum === 'number' ? { ...rest, limit: maximum } : rest;
}

export function wantsWhole({ limit }: ToolArguments): boolean {
  return [0, -1, '0', '-1'].some((none) => none === limit);
}

/** Text that the model copied from an escaped result arrives as it is in the note. */
function mapText(value: unknown): unknown {
  if (typeof value === 'string') return unescapeStructure(value);
  if (Array.isArray(value)) return value.map(mapText);
  return typeof value === 'object' && value !== null ? mapEntries(value, mapText) : value;
}

function mapEntries(value: object, change: (item: unknown) => unknown): ToolArguments {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, change(item)]));
}
