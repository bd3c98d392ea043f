import type { JsonSchema } from '../../tools/contract/messages.ts';
import { type SchemaNode, schemaOf, schemaTypes } from '../../tools/util/schema.ts';
import { writeField } from './markers.ts';

/**
 * A schema in as few tokens as possible: `id: string (block id), limit?: integer 1..200 (default 20), op: get|set, ids: [string]`.
 * Lengths are left out: the check of the arguments reports them if they are exceeded.
 */
export function writeParameters(schema: JsonSchema): string {
  const properties = schemaOf(schema, 'properties') ?? {};
  return Object.keys(properties)
    .map((key) => `${key}${requiredOf(schema).includes(key) ? '' : '?'}: ${writeNode(schemaOf(schema, 'properties', key))}`)
    .join(', ');
}

function requiredOf(schema: SchemaNode): readonly string[] {
  const required = schema?.required;
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

function writeNode(node: SchemaNode): string {
  const words = node?.description;
  return writeType(node) + (typeof words === 'string' && words !== '' ? ` (${words})` : '');
}

function writeType(node: SchemaNode): string {
  if (node === undefined) return 'any';
  if (Array.isArray(node.enum)) return node.enum.map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice))).join('|');
  if (node.const !== undefined) return JSON.stringify(node.const);
  const types = schemaTypes(node);
  const [type = 'any'] = types;
  if (types.length > 1) return types.join('|');
  if (type === 'array') return `[${writeNode(schemaOf(node, 'items'))}]`;
  if (type === 'object') return writeObject(node);
  const { minimum, maximum } = node;
  if (typeof minimum !== 'number' && typeof maximum !== 'number') return type;
  return `${type} ${minimum ?? ''}..${maximum ?? ''}`;
}

function writeObject(node: JsonSchema): string {
  const fields = writeParameters(node);
  if (fields !== '') return `{${fields}}`;
  const others = node.additionalProperties;
  return typeof others === 'object' && others !== null ? `{key: ${writeType({ ...others })}}` : 'object';
}

/** The field `example`: the fields of a call with all required arguments, or with the first argument if none is required. */
export function writeExample(schema: JsonSchema): string {
  const required = requiredOf(schema);
  const keys = required.length > 0 ? required : Object.keys(schemaOf(schema, 'properties') ?? {}).slice(0, 1);
  const fields = keys.map((key) => {
    const value = exampleOf(schemaOf(schema, 'properties', key));
    return writeField(key, typeof value === 'string' ? value : JSON.stringify(value));
  });
  const example = fields.join(' ');
  // As a model should write it, without backslashes, unless it would end the field.
  return /ESCAPE」/iu.test(example) ? writeField('example', example) : `example:「始ESCAPE」${example}「末ESCAPE」`;
}

function exampleOf(node: SchemaNode): unknown {
  const choices = node?.enum;
  if (Array.isArray(choices)) return choices[0];
  const [type] = schemaTypes(node);
  if (type === 'array') return [exampleOf(schemaOf(node, 'items'))];
  if (type === 'object') return Object.fromEntries(requiredOf(node).map((key) => [key, exampleOf(schemaOf(node, 'properties', key))]));
  if (type === 'integer' || type === 'number') return typeof node?.minimum === 'number' ? node.minimum : 1;
  return type === 'boolean' ? true : '…';
}
