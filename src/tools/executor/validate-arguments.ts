// A separate file in the built plugin: no call runs before it is loaded, but the panel opens without it.
import { type OutputUnit, type ValidationResult, Validator } from '@cfworker/json-schema';
import { ToolError } from '../contract/errors.ts';
import type { JsonSchema } from '../contract/messages.ts';
import type { ToolArguments } from '../contract/types.ts';
import { describeSchema, type SchemaNode, schemaOf } from '../util/schema.ts';

const validators = new WeakMap<JsonSchema, Validator>();

function validatorOf(schema: JsonSchema): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const made = new Validator({ ...schema }, '2020-12', false);
  validators.set(schema, made);
  return made;
}

/** Throws ToolError `bad_arguments` for names that no address can have. */
function validate(args: ToolArguments, schema: JsonSchema): ValidationResult {
  try {
    return validatorOf(schema).validate(args);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    throw new ToolError('bad_arguments', 'the name of an argument contains half of a character', 'call it again with names of its own');
  }
}

/** Checks against the tool's schema, without eval. Throws ToolError `bad_arguments` naming each wrong argument. */
export function validateArguments(tool: string, args: ToolArguments, schema: JsonSchema): void {
  const { valid, errors } = validate(args, schema);
  if (valid) return;
  const problems = [...new Set(errors.flatMap((error) => wording(error, schema)))].slice(0, 4);
  const what = problems.length > 0 ? problems.join('; ') : 'they do not fit the schema';
  throw new ToolError('bad_arguments', what, `call ${tool} again with ${signature(schema)}`);
}

export interface ArgumentFault {
  readonly key: string;
  readonly kind: 'missing' | 'typeError' | 'unknown';
  readonly wanted: string;
}

/** Every argument that `validateArguments` would refuse, with the deepest cause of each. */
export function findArgumentFaults(args: ToolArguments, schema: JsonSchema): readonly ArgumentFault[] {
  const found = new Map<string, ArgumentFault>();
  for (const error of validate(args, schema).errors) {
    const path = pathOf(error);
    const missing = error.keyword === 'required' ? missingIn(error) : undefined;
    if (missing === undefined && (path.length === 0 || REPEATING.has(error.keyword))) continue;
    const full = missing === undefined ? path : [...path, missing];
    const [key = ''] = full;
    const inside = full.length > 1 ? `${full.slice(1).join('.')}: ` : '';
    const wanted = error.keyword === 'false' ? `${inside}nothing` : inside + describeSchema(nodeAt(schema, full));
    if (!found.has(key)) found.set(key, { key, kind: full.length > 1 ? 'typeError' : kindOfFault(error.keyword), wanted });
  }
  return [...found.values()];
}

function kindOfFault(keyword: string): ArgumentFault['kind'] {
  if (keyword === 'required') return 'missing';
  return keyword === 'false' ? 'unknown' : 'typeError';
}

/** Keywords whose errors only repeat those of a deeper error. */
const REPEATING: ReadonlySet<string> = new Set(['properties', 'items', 'additionalProperties']);
/** Names on the way, which the location has as a part of an address. */
const pathOf = (error: OutputUnit): readonly string[] =>
  error.instanceLocation
    .replace(/^#\/?/u, '')
    .split('/')
    .filter(Boolean)
    .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
const missingIn = (error: OutputUnit): string => /property "(.+)"/u.exec(error.error)?.[1] ?? '';

function wording(error: OutputUnit, schema: JsonSchema): readonly string[] {
  const path = pathOf(error);
  const name = path.join('.') || 'arguments';
  if (REPEATING.has(error.keyword)) return [];
  if (error.keyword === 'false') return [`argument "${name}" does not exist`];
  if (error.keyword === 'required') {
    const full = [...path, missingIn(error)];
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

function signature(schema: JsonSchema): string {
  const properties = schemaOf(schema, 'properties') ?? {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  const parts = Object.keys(properties).map(
    (key) => `${key}${required.includes(key) ? '' : '?'}: ${describeSchema(schemaOf(schema, 'properties', key))}`,
  );
  return `{${parts.join(', ')}}`;
}
