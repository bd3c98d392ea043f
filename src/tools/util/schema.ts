import type { JsonSchema } from '../contract/messages.ts';

/** A part of a JSON schema, or nothing where the schema says nothing. */
export type SchemaNode = JsonSchema | undefined;

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The schema below a keyword: `items`, or one of `properties`. */
export function schemaOf(node: SchemaNode, keyword: 'items' | 'properties', key?: string): SchemaNode {
  const part = node?.[keyword];
  if (!isSchema(part)) return undefined;
  if (key === undefined) return part;
  const child = Object.hasOwn(part, key) ? part[key] : undefined;
  return isSchema(child) ? child : undefined;
}

/** The types that a schema names, by `type` or by the values of `enum`; empty when it names none. */
export function schemaTypes(node: SchemaNode): readonly string[] {
  const type = node?.type;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((entry) => typeof entry === 'string');
  const choices = node?.enum;
  return Array.isArray(choices) ? choices.map((choice) => (choice === null ? 'null' : typeof choice)) : [];
}

/** A schema without a type allows everything. */
export function schemaAllows(node: SchemaNode, type: string): boolean {
  const types = schemaTypes(node);
  return types.length === 0 || types.includes(type);
}

/** What a schema wants, in a few words for a model: `integer`, `one of "list", "read"`, `array of object`. */
export function describeSchema(node: SchemaNode): string {
  if (node === undefined) return 'a value';
  const choices = node.enum;
  if (Array.isArray(choices)) return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  const types = schemaTypes(node);
  if (types.includes('array')) return `array of ${describeSchema(schemaOf(node, 'items'))}`;
  const { minimum, maximum, pattern } = node;
  const range = typeof minimum === 'number' || typeof maximum === 'number' ? ` from ${minimum ?? '…'} to ${maximum ?? '…'}` : '';
  const form = typeof pattern === 'string' ? ` like ${pattern}` : '';
  return (types.join(' or ') || 'value') + range + form;
}
