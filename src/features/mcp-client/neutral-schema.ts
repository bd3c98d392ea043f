import { frameName, isPlainValue } from '../../tools/util/markers.ts';
import { isRecord } from '../../tools/util/plain-value.ts';

const MAX_WORDS = 600;
const MAX_DEPTH = 32;

const NUMBERS_AND_FLAGS = new Set([
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength', 'minItems', 'maxItems'],
  ...['uniqueItems', 'minProperties', 'maxProperties', 'minContains', 'maxContains', 'nullable'],
]);
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
const SCHEMAS = new Set([
  ...['items', 'prefixItems', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'],
  ...['anyOf', 'oneOf', 'allOf'],
]);
const NAMES = new Set(['type', 'required', '$ref']);

const isPlainLiteral = (value: unknown): boolean => isPlainValue(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

function namedSchemas(value: unknown, depth: number): unknown {
  if (!isRecord(value)) return undefined;
  const plain = Object.entries(value).filter(([name]) => isPlainValue(name));
  return Object.fromEntries(plain.map(([name, schema]) => [name, neutralSchema(schema, depth)]));
}

function plainNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((name) => typeof name === 'string' && isPlainValue(name));
  return typeof value === 'string' && isPlainValue(value) ? value : undefined;
}

/** The part of a keyword that is sent; undefined for nothing. */
function neutralKeyword(key: string, value: unknown, depth: number): unknown {
  if (key === 'description') return typeof value === 'string' ? frameName(value, MAX_WORDS) : undefined;
  if (NUMBERS_AND_FLAGS.has(key)) return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
  if (NAMED_SCHEMAS.has(key)) return namedSchemas(value, depth + 1);
  if (SCHEMAS.has(key)) return neutralSchema(value, depth + 1);
  if (NAMES.has(key)) return plainNames(value);
  if (key === 'const' || key === 'default') return isPlainLiteral(value) ? value : undefined;
  if (key !== 'enum' || !Array.isArray(value)) return undefined;
  const choices = value.filter(isPlainLiteral);
  return choices.length > 0 ? choices : undefined;
}

/** A stranger's schema as it may be sent: checking keywords, plain one-line texts; no patterns, whose check could take exponential time. */
export function neutralSchema(node: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return {};
  if (Array.isArray(node)) return node.map((item) => neutralSchema(item, depth + 1));
  if (!isRecord(node)) return node === true || node === false ? node : {};
  const parts = Object.entries(node).map(([key, value]) => [key, neutralKeyword(key, value, depth)] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}
