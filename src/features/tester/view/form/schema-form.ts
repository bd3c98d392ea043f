import type { ToolArguments } from '../../../../tools/contract/types.ts';
import { coerceArguments } from '../../../../tools/executor/arguments.ts';
import { type SchemaNode, schemaOf, schemaTypes } from '../../../../tools/util/schema.ts';
import { choicesOf, shownValue } from './parameter-rows.ts';

/** The field that a schema is filled in with. `json`: whatever no other field can hold, as JSON. */
export type FieldKind = 'text' | 'number' | 'boolean' | 'choice' | 'list' | 'object' | 'json';

export function fieldKind(node: SchemaNode): FieldKind {
  if (choicesOf(node).length > 0) return 'choice';
  const [type, ...others] = schemaTypes(node).filter((each) => each !== 'null');
  if (others.length > 0) return type === 'string' || others.includes('string') ? 'text' : 'json';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  if (type === 'boolean') return 'boolean';
  if (type === 'array') return schemaOf(node, 'items') ? 'list' : 'json';
  return type === 'object' && schemaOf(node, 'properties') ? 'object' : 'json';
}

/** What a field shows of a value; '' of one that is not given. */
export const fieldText = (value: unknown): string => (value === undefined ? '' : shownValue(value));

/**
 * What is typed into a field, read as the executor reads it: "50" is a number where one is wanted, and stays text, for the check to
 * name, where it is none. Nothing typed is nothing given.
 */
export function fieldValue(text: string, node: SchemaNode): unknown {
  if (text === '') return undefined;
  return coerceArguments({ value: text }, node ? { properties: { value: node } } : {}).value;
}

/** The object with a field of this value, in its place; undefined takes the field out. */
export function withField(fields: ToolArguments, name: string, value: unknown): ToolArguments {
  if (value !== undefined) return { ...fields, [name]: value };
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}

/** A list is never given with gaps: what is not given in it is empty text. */
export const withItem = (list: readonly unknown[], place: number, value: unknown): readonly unknown[] =>
  list.map((item, index) => (index === place ? (value ?? '') : item));

/** What a new entry of a list begins as. */
export function blankOf(node: SchemaNode): unknown {
  const kind = fieldKind(node);
  if (kind === 'object') return {};
  if (kind === 'list') return [];
  if (kind === 'boolean') return false;
  return kind === 'choice' ? choicesOf(node)[0] : '';
}

/** A form can only show lists and objects that are such; anything else in their place is shown as JSON. */
export function asFields(value: unknown): ToolArguments | undefined {
  if (value === undefined) return {};
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.fromEntries(Object.entries(value)) : undefined;
}

export function asList(value: unknown): readonly unknown[] | undefined {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : undefined;
}
