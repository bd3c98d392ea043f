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

/** Checks that are not sent: where one is missing, a schema allows more than it says. */
const LEFT_OUT = new Set([
  ...['pattern', 'patternProperties', 'format', 'unevaluatedProperties', 'unevaluatedItems', 'dependentRequired', 'dependencies'],
  ...['additionalItems', '$dynamicRef', '$recursiveRef'],
]);

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

/** Whether nothing that it checks is left out. */
function isWhole(node: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (Array.isArray(node)) return node.every((item) => isWhole(item, depth + 1));
  if (!isRecord(node)) return true;
  return Object.entries(node).every(([key, value]) => {
    if (LEFT_OUT.has(key)) return false;
    if (NAMED_SCHEMAS.has(key) && isRecord(value))
      return Object.entries(value).every(([name, schema]) => isPlainValue(name) && isWhole(schema, depth + 1));
    if (key === 'enum' || key === 'required') return Array.isArray(value) && value.every(isPlainLiteral);
    return key === 'const' ? isPlainLiteral(value) : !SCHEMAS.has(key) || isWhole(value, depth + 1);
  });
}

/** Without keywords that would refuse more than the stranger does, once parts of others are left out. */
function withoutStricter(node: Readonly<Record<string, unknown>>, depth: number): Readonly<Record<string, unknown>> {
  const rest = { ...node };
  const whole = (key: string): boolean => isWhole(node[key], depth + 1);
  if ('patternProperties' in node) delete rest.additionalProperties;
  if (!whole('not')) delete rest.not;
  if (!whole('contains')) delete rest.maxContains;
  if (!whole('if')) for (const key of ['if', 'then', 'else']) delete rest[key];
  if (whole('oneOf')) return rest;
  const { oneOf, ...others } = rest;
  return 'anyOf' in node ? others : { ...others, anyOf: oneOf };
}

/**
 * A stranger's schema as it may be sent: checking keywords, plain one-line texts; no patterns, whose check could take exponential time. It
 * allows whatever the schema allows, but for texts that are left out.
 */
export function neutralSchema(node: unknown, depth = 0): unknown {
  if (depth > MAX_DEPTH) return {};
  if (Array.isArray(node)) return node.map((item) => neutralSchema(item, depth + 1));
  if (!isRecord(node)) return node === true || node === false ? node : {};
  const parts = Object.entries(withoutStricter(node, depth)).map(([key, value]) => [key, neutralKeyword(key, value, depth)] as const);
  return Object.fromEntries(parts.filter(([, value]) => value !== undefined));
}
