import type { JsonSchema } from '../contract/messages.ts';
import { isRecord } from './plain-value.ts';

/** A part of a JSON schema, or undefined if the schema says nothing. */
export type SchemaNode = JsonSchema | undefined;

export function schemaOf(node: SchemaNode, keyword: 'items' | 'properties', key?: string): SchemaNode {
  const part = node?.[keyword];
  if (!isRecord(part)) return undefined;
  if (key === undefined) return part;
  const child = Object.hasOwn(part, key) ? part[key] : undefined;
  return isRecord(child) ? child : undefined;
}

/** The types of a schema, from `type` or from the values of `enum`; empty if there are none. */
export function schemaTypes(node: SchemaNode): readonly string[] {
  const type = node?.type;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((entry) => typeof entry === 'string');
  const choices = node?.enum;
  return Array.isArray(choices) ? choices.map((choice) => (choice === null ? 'null' : typeof choice)) : [];
}

export function schemaAllows(node: SchemaNode, type: string): boolean {
  const types = schemaTypes(node);
  return types.length === 0 || types.includes(type);
}

const MAX_REFERENCES = 8;

/** Resolves a `$ref` inside `root`, together with its sibling keywords; a dangling one allows everything. */
export function resolveSchema(node: JsonSchema, root: JsonSchema): JsonSchema {
  let found = node;
  for (let count = 0; typeof found.$ref === 'string' && count < MAX_REFERENCES; count += 1) {
    const { $ref, ...beside } = found;
    const steps = String($ref).split('/').slice(1);
    const target = steps.reduce<unknown>(
      (part, step) => (isRecord(part) ? part[step.replaceAll('~1', '/').replaceAll('~0', '~')] : undefined),
      root,
    );
    found = { ...(isRecord(target) ? target : {}), ...beside };
  }
  return found;
}

/** Ranges and counts in few words: `1 to 200`, `at most 8 entries`. Lengths and forms are named only if they are wrong. */
export function limitsInWords(node: JsonSchema): string {
  const { minimum, maximum, maxItems } = node;
  const parts: string[] = [];
  if (typeof maximum === 'number') parts.push(typeof minimum === 'number' ? `${minimum} to ${maximum}` : `at most ${maximum}`);
  else if (typeof minimum === 'number' && minimum > 1) parts.push(`at least ${minimum}`);
  if (typeof maxItems === 'number') parts.push(`at most ${maxItems} entries`);
  return parts.join(', ');
}

/** The requirement of a schema in a few words, for a model: `integer`, `one of "list", "read"`, `array of object`. */
export function describeSchema(node: SchemaNode): string {
  if (node === undefined) return 'a value';
  const choices = node.enum;
  if (Array.isArray(choices)) return `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
  const types = schemaTypes(node);
  const limits = limitsInWords(node);
  if (types.includes('array')) return `array of ${describeSchema(schemaOf(node, 'items'))}${limits === '' ? '' : `, ${limits}`}`;
  const { minimum, maximum, pattern } = node;
  const range = typeof minimum === 'number' || typeof maximum === 'number' ? ` from ${minimum ?? '…'} to ${maximum ?? '…'}` : '';
  const form = typeof pattern === 'string' ? ` like ${pattern}` : '';
  const { minLength, maxLength } = node;
  const least = typeof minLength === 'number' && minLength > 0 ? ' that is not empty' : '';
  const length = typeof maxLength === 'number' ? ` of at most ${maxLength} characters` : '';
  return (types.join(' or ') || 'value') + range + length + form + least;
}
