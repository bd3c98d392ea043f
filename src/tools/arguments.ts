import { type OutputUnit, Validator } from '@cfworker/json-schema';
import { jsonrepair } from 'jsonrepair';
import { ToolError } from './errors.ts';
import type { JsonSchema } from './messages.ts';
import { describeSchema, type SchemaNode, schemaAllows, schemaOf, schemaTypes } from './schema.ts';
import type { ToolArguments } from './types.ts';

const REPEAT = 'send the call again with one complete JSON object as its arguments';

/**
 * The arguments of a call as an object. Repairs what models really produce: fences, trailing commas, raw line breaks,
 * a JSON string that holds the object. JSON that breaks off in the middle is refused, never completed: half a text
 * must not be written as if it were whole. Throws ToolError `bad_arguments` or `arguments_cut`.
 */
export function parseArguments(raw: unknown): ToolArguments {
  const value = typeof raw === 'string' ? parseText(raw) : (raw ?? {});
  const inner = typeof value === 'string' ? parseText(value) : value;
  if (isArguments(inner)) return inner;
  throw new ToolError('bad_arguments', `the arguments are ${describeValue(inner)}, not a JSON object`, REPEAT);
}

function isArguments(value: unknown): value is ToolArguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseText(raw: string): unknown {
  const text = withoutFence(raw.trim());
  if (text === '') return {};
  const strict = tryParse(text);
  if (strict.parsed) return strict.value;
  if (text.startsWith('{') && breaksOff(text)) {
    throw new ToolError(
      'arguments_cut',
      'the arguments break off in the middle',
      'send the call again, in smaller parts if the text is long',
    );
  }
  const repaired = tryRepair(text);
  if (repaired.parsed) return repaired.value;
  throw new ToolError('bad_arguments', `the arguments are not JSON: ${strict.reason}`, REPEAT);
}

/** What stands between a fence's first line and its end. By hand: a pattern would cost the square of a broken fence's length. */
function withoutFence(text: string): string {
  const lineEnd = text.indexOf('\n');
  if (lineEnd < 0 || !/^```[a-z]*\s*$/iu.test(text.slice(0, lineEnd)) || !text.endsWith('```')) return text;
  return text.slice(lineEnd + 1, -3).trim();
}

type Parsed = { readonly parsed: true; readonly value: unknown } | { readonly parsed: false; readonly reason: string };

function tryParse(text: string): Parsed {
  try {
    return { parsed: true, value: JSON.parse(text) };
  } catch (error) {
    return { parsed: false, reason: error instanceof Error ? error.message.slice(0, 120) : 'unreadable' };
  }
}

function tryRepair(text: string): Parsed {
  try {
    return tryParse(jsonrepair(text));
  } catch (error) {
    return { parsed: false, reason: error instanceof Error ? error.message.slice(0, 120) : 'unreadable' };
  }
}

/** True when an object's text ends inside a string or before its last brace. Errs on the side of true. */
function breaksOff(text: string): boolean {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (character === '\\') index++;
    else if (character === '"') inString = !inString;
    else if (inString) continue;
    else if (character === '{' || character === '[') depth++;
    else if (character === '}' || character === ']') depth--;
  }
  return inString || depth > 0;
}

/**
 * Values in the types that the schema wants, where the intent is beyond doubt: "50" → 50, "true" → true, an array or
 * object that was sent as JSON text, null for "not given". Everything else is left for the validation to name.
 */
export function coerceArguments(args: ToolArguments, schema: JsonSchema): ToolArguments {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(args)) {
    const node = schemaOf(schema, 'properties', key);
    if (value === null && node !== undefined && !schemaAllows(node, 'null')) continue;
    result[key] = coerce(value, node);
  }
  return result;
}

function coerce(value: unknown, node: SchemaNode): unknown {
  if (node === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => coerce(item, schemaOf(node, 'items')));
  if (isArguments(value)) return schemaOf(node, 'properties') === undefined ? value : coerceArguments(value, node);
  if (typeof value !== 'string' || schemaAllows(node, 'string')) return value;
  const types = schemaTypes(node);
  const text = value.trim();
  if (types.includes('boolean') && /^(?:true|false)$/iu.test(text)) return text.toLowerCase() === 'true';
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(?:\.\d+)?$/u.test(text)) return Number(text);
  if ((types.includes('array') && text.startsWith('[')) || (types.includes('object') && text.startsWith('{'))) {
    const parsed = breaksOff(text) ? tryParse(text) : tryRepair(text);
    return parsed.parsed ? coerce(parsed.value, node) : value;
  }
  return value;
}

const validators = new WeakMap<JsonSchema, Validator>();

function validatorOf(schema: JsonSchema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const made = new Validator({ ...schema }, '2020-12', false);
  validators.set(schema, made);
  return made;
}

/** Checks against the tool's schema, without eval. Throws ToolError `bad_arguments` naming each wrong argument. */
export function validateArguments(tool: string, args: ToolArguments, schema: JsonSchema): void {
  const { valid, errors } = validatorOf(schema).validate(args);
  if (valid) return;
  const problems = [...new Set(errors.flatMap((error) => wording(error, schema)))].slice(0, 4);
  const what = problems.length > 0 ? problems.join('; ') : 'they do not fit the schema';
  throw new ToolError('bad_arguments', what, `call ${tool} again with ${signature(schema)}`);
}

/** One error in words; keywords that only repeat what a deeper error says give nothing. */
function wording(error: OutputUnit, schema: JsonSchema): readonly string[] {
  const path = error.instanceLocation.replace(/^#\/?/u, '').split('/').filter(Boolean);
  const name = path.join('.') || 'arguments';
  if (error.keyword === 'properties' || error.keyword === 'items' || error.keyword === 'additionalProperties') return [];
  if (error.keyword === 'false') return [`argument "${name}" does not exist`];
  if (error.keyword === 'required') {
    const missing = /property "(.+)"/u.exec(error.error)?.[1] ?? '';
    const full = [...path, missing];
    return [`argument "${full.join('.')}" is missing, expected ${describeSchema(nodeAt(schema, full))}`];
  }
  return [`argument "${name}" is wrong, expected ${describeSchema(nodeAt(schema, path))}`];
}

function nodeAt(schema: SchemaNode, path: readonly string[]): SchemaNode {
  return path.reduce<SchemaNode>(
    (node, step) => (/^\d+$/u.test(step) ? schemaOf(node, 'items') : schemaOf(node, 'properties', step)),
    schema,
  );
}

/** `{id: string, blocks?: integer}` */
function signature(schema: JsonSchema): string {
  const properties = schemaOf(schema, 'properties') ?? {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const parts = Object.keys(properties).map(
    (key) => `${key}${required.includes(key) ? '' : '?'}: ${describeSchema(schemaOf(schema, 'properties', key))}`,
  );
  return `{${parts.join(', ')}}`;
}

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
