import { ToolError } from '../contract/errors.ts';
import type { JsonSchema } from '../contract/messages.ts';
import type { ToolArguments } from '../contract/types.ts';
import { parseLenient } from '../util/lenient-json.ts';
import { copyPlain, isRecord, NotPlain } from '../util/plain-value.ts';
import { type SchemaNode, schemaAllows, schemaOf, schemaTypes } from '../util/schema.ts';

const REPEAT = 'send the call again with one complete JSON object as its arguments';
const SIMPLER = 'send the call again with fewer levels and fewer values';
/** UTF-16 units of one call's arguments: four times the maximum size of the largest argument. */
const MAX_TEXT = 4 * 1024 * 1024;

/** Parses arguments as models write them (`parseLenient`), never truncated ones. Throws `bad_arguments` or `arguments_cut`. */
export function parseArguments(raw: unknown): ToolArguments {
  const value = typeof raw === 'string' ? parseText(raw) : (raw ?? {});
  const inner = typeof value === 'string' ? parseText(value) : value;
  const plain = plainArguments(inner);
  if (isRecord(plain)) return plain;
  throw new ToolError('bad_arguments', `the arguments are ${describeValue(plain)}, not a JSON object`, REPEAT);
}

function plainArguments(value: unknown): unknown {
  try {
    return copyPlain(value);
  } catch (error) {
    if (error instanceof NotPlain) throw new ToolError('bad_arguments', `the arguments cannot be used: ${error.message}`, SIMPLER);
    throw error;
  }
}

function parseText(raw: string): unknown {
  if (raw.length > MAX_TEXT) {
    throw new ToolError('bad_arguments', `the arguments have ${raw.length} characters, more than ${MAX_TEXT}`, 'send less at a time');
  }
  const text = raw.trim();
  if (text === '') return {};
  const strict = tryParse(text);
  if (strict.parsed) return strict.value;
  // Escaped once too often, without quotes around it.
  const unescaped = /^\{\s*\\"/u.test(text) ? tryParse(`"${text}"`) : strict;
  if (unescaped.parsed) return unescaped.value;
  const lenient = parseLenient(text);
  if (lenient.kind === 'value') return lenient.value;
  if (lenient.kind === 'wrong') throw new ToolError('bad_arguments', `the arguments are not JSON: ${lenient.reason}`, REPEAT);
  throw new ToolError(
    'arguments_cut',
    'the arguments break off in the middle',
    'send the call again, in smaller parts if the text is long',
  );
}

type Parsed = { readonly parsed: true; readonly value: unknown } | { readonly parsed: false };

function tryParse(text: string): Parsed {
  try {
    return { parsed: true, value: JSON.parse(text) };
  } catch {
    // The caller parses it differently, or reports the error.
    return { parsed: false };
  }
}

/** Converts values to the schema's types where the intent is clear: "50" → 50, "true" → true, a list as JSON text, null. Else unchanged. */
export function coerceArguments(args: ToolArguments, schema: JsonSchema): ToolArguments {
  return coerceObject(args, schema, parseStructure);
}

/** The same without parsing lists and objects from text: for values from references, whose shape is not the model's. */
export function coerceScalars(args: ToolArguments, schema: JsonSchema): ToolArguments {
  return coerceObject(args, schema, () => undefined);
}

type ReadStructure = (text: string) => object | undefined;

function coerceObject(args: ToolArguments, schema: JsonSchema, read: ReadStructure): ToolArguments {
  const entries = Object.entries(args).flatMap(([key, value]): [string, unknown][] => {
    const node = schemaOf(schema, 'properties', key);
    if (value === null && node !== undefined && !schemaAllows(node, 'null')) return [];
    return [[key, coerce(value, node, read)]];
  });
  return Object.fromEntries(entries);
}

function coerce(value: unknown, node: SchemaNode, read: ReadStructure): unknown {
  if (node === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => coerce(item, schemaOf(node, 'items'), read));
  if (isRecord(value)) return schemaOf(node, 'properties') === undefined ? value : coerceObject(value, node, read);
  if (typeof value !== 'string' || schemaAllows(node, 'string')) return value;
  const types = schemaTypes(node);
  const text = value.trim();
  if (types.includes('boolean') && /^(?:true|false)$/iu.test(text)) return text.toLowerCase() === 'true';
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(text)) return Number(text);
  const structure = read(text);
  if (structure === undefined || !types.includes(Array.isArray(structure) ? 'array' : 'object')) return value;
  return coerce(structure, node, read);
}

/** Truncated JSON stays text, which the validation refuses. */
function parseStructure(text: string): object | undefined {
  if (!text.startsWith('[') && !text.startsWith('{')) return undefined;
  const strict = tryParse(text);
  const value = strict.parsed ? strict.value : lenientValue(text);
  if (typeof value !== 'object' || value === null) return undefined;
  const plain = plainArguments(value);
  return typeof plain === 'object' && plain !== null ? plain : undefined;
}

function lenientValue(text: string): unknown {
  const read = parseLenient(text);
  return read.kind === 'value' ? read.value : undefined;
}

function describeValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
