import type { JsonSchema } from '../../../../tools/contract/messages.ts';
import { type SchemaNode, schemaOf, schemaTypes } from '../../../../tools/util/schema.ts';
import type { MessageKey, Translate } from '../../../../ui/ports/i18n.ts';

/** One argument of a tool, or a field inside of one, as a line of a table. */
export interface ParameterRow {
  /** `edits.old`; a field in a list has the list's name before it. */
  readonly path: string;
  readonly name: string;
  /** 0 for an argument itself. */
  readonly depth: number;
  readonly required: boolean;
  readonly type: string;
  /** Values to choose from, as they are written. */
  readonly choices: readonly string[];
  readonly description: string;
  /** Bounds, form and default in words; '' where there are none. */
  readonly limits: string;
}

const TYPES: Readonly<Record<string, MessageKey>> = {
  string: 'schema.string',
  integer: 'schema.integer',
  number: 'schema.number',
  boolean: 'schema.boolean',
  object: 'schema.object',
  null: 'schema.null',
};

/** "text", "list of objects", "text or number". */
export function typeName(node: SchemaNode, t: Translate): string {
  if (choicesOf(node).length > 0) return t('schema.choice');
  const types = schemaTypes(node);
  if (types.length === 0) return t('schema.any');
  const names = types.map((type) => {
    if (type === 'array') return t('schema.list', { of: typeName(schemaOf(node, 'items'), t) });
    const key = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
    return key ? t(key) : type;
  });
  return [...new Set(names)].join(t('schema.or'));
}

/** As they are written in JSON, texts without their quotes. */
export const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function choicesOf(node: SchemaNode): readonly unknown[] {
  const own = node?.enum;
  return Array.isArray(own) ? own : [];
}

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** "from 1 to 8 · default 2" */
export function limitsOf(node: SchemaNode, t: Translate): string {
  const { minimum, maximum, minItems, maxItems, maxLength, pattern } = node ?? {};
  const words: string[] = [];
  if (isNumber(minimum) && isNumber(maximum)) words.push(t('schema.between', { from: minimum, to: maximum }));
  else if (isNumber(minimum)) words.push(t('schema.from', { from: minimum }));
  else if (isNumber(maximum)) words.push(t('schema.upTo', { to: maximum }));
  if (isNumber(minItems) && minItems > 0) words.push(t('schema.minItems', { n: minItems }));
  if (isNumber(maxItems)) words.push(t('schema.maxItems', { n: maxItems }));
  if (isNumber(maxLength)) words.push(t('schema.maxLength', { n: maxLength.toLocaleString(t('language.tag')) }));
  if (typeof pattern === 'string') words.push(pattern);
  if (node && Object.hasOwn(node, 'default')) words.push(t('schema.default', { value: shownValue(node.default) }));
  return words.join(' · ');
}

export const requiredOf = (node: SchemaNode): readonly unknown[] => (Array.isArray(node?.required) ? node.required : []);

/** Names of an object's fields, those that are needed first. */
export function fieldNames(node: SchemaNode): readonly string[] {
  const names = Object.keys(schemaOf(node, 'properties') ?? {});
  const needed = requiredOf(node);
  return [...names.filter((name) => needed.includes(name)), ...names.filter((name) => !needed.includes(name))];
}

/** Of a list, what it holds; of anything else itself. */
function inner(node: SchemaNode): SchemaNode {
  return schemaTypes(node).includes('array') ? inner(schemaOf(node, 'items')) : node;
}

/** Every argument of a schema with the fields inside of it, in the order in which they are asked for. */
export function parameterRows(schema: JsonSchema, t: Translate, path = '', depth = 0): readonly ParameterRow[] {
  return fieldNames(schema).flatMap((name): ParameterRow[] => {
    const node = schemaOf(schema, 'properties', name);
    const full = path === '' ? name : `${path}.${name}`;
    const below = inner(node);
    const description = node?.description ?? below?.description;
    const row: ParameterRow = {
      path: full,
      name,
      depth,
      required: requiredOf(schema).includes(name),
      type: typeName(node, t),
      choices: choicesOf(below).map(shownValue),
      description: typeof description === 'string' ? description : '',
      limits: limitsOf(node, t),
    };
    return [row, ...(below && schemaOf(below, 'properties') ? parameterRows(below, t, full, depth + 1) : [])];
  });
}
