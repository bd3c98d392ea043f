import type { JsonSchema } from '../tools/contract/messages.ts';
import type { ToolArguments } from '../tools/contract/types.ts';
import { isRecord, parsedJson } from '../tools/util/plain-value.ts';
import { type SchemaNode, schemaAllows, schemaOf, schemaTypes } from '../tools/util/schema.ts';

const JSON_START = /^["[{\-\dtfn]/u;

/** The schema of one argument of a tool: undefined if the tool or the argument is unknown. */
export function nodeOf(schema: JsonSchema | undefined, key: string): SchemaNode {
  const own = schemaOf(schema, 'properties', key);
  const others = schema?.additionalProperties;
  if (own !== undefined || schema === undefined || others === false) return own;
  return isRecord(others) ? others : {};
}

/** Tells if a text may be meant as another value: only its form decides. */
export function isMixed(node: SchemaNode): boolean {
  if (node === undefined) return false;
  return schemaAllows(node, 'string') && !(schemaTypes(node).length > 0 && schemaTypes(node).every((type) => type === 'string'));
}

/** A value that arrived as text. If several types are allowed, it is parsed as JSON if it looks like JSON; others are coerced. */
function readText(text: string, node: SchemaNode): unknown {
  const trimmed = text.trim();
  if (node === undefined) return text;
  if (!schemaAllows(node, 'string')) return trimmed === 'null' ? null : text;
  if (!isMixed(node) || !JSON_START.test(trimmed)) return text;
  const value = parsedJson(trimmed);
  // A number that JSON would write differently (`007`, `1.0`, one with twenty digits) is text that looks like a number.
  if (value === undefined || (typeof value === 'number' && JSON.stringify(value) !== trimmed)) return text;
  return allows(node, value) ? value : text;
}

function allows(node: JsonSchema, value: unknown): boolean {
  if (Array.isArray(node.enum) && !node.enum.includes(value)) return false;
  if (node.const !== undefined && node.const !== value) return false;
  if (value === null) return schemaAllows(node, 'null');
  if (Array.isArray(value)) return schemaAllows(node, 'array');
  if (typeof value === 'number') return schemaAllows(node, 'number') || (Number.isInteger(value) && schemaAllows(node, 'integer'));
  return schemaAllows(node, typeof value);
}

/** Arguments that all arrived as text, converted as far as their schema is clear. */
export function readTexts(args: ToolArguments, schema: JsonSchema): ToolArguments {
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => [key, typeof value === 'string' ? readText(value, nodeOf(schema, key)) : value]),
  );
}

/** A value as text that is parsed back to the same value; undefined for one that means "not given". */
export function writeText(value: unknown, node: SchemaNode): string | undefined {
  if (typeof value === 'string') return readText(value, node) === value ? value : JSON.stringify(value);
  return value === null && node !== undefined && !schemaAllows(node, 'null') ? undefined : JSON.stringify(value);
}
