import { type CheckedArgument, type CheckedArguments, checkArguments } from '../../../../protocol/check-arguments.ts';
import { type EventError, toEventError, toToolError } from '../../../../tools/contract/errors.ts';
import type { JsonSchema } from '../../../../tools/contract/messages.ts';
import type { ToolArguments } from '../../../../tools/contract/types.ts';
import { coerceArguments, parseArguments } from '../../../../tools/executor/arguments.ts';
import { isRecord } from '../../../../tools/util/plain-value.ts';
import { type SchemaNode, schemaOf, schemaTypes } from '../../../../tools/util/schema.ts';
import type { Translate } from '../../../../ui/ports/i18n.ts';

/** A call being edited: its arguments, and the same as JSON text. */
export interface CallDraft {
  readonly args: ToolArguments;
  readonly text: string;
  /** Why the text is invalid: then `args` are the previous ones. */
  readonly problem?: EventError;
}

export const draftOf = (args: ToolArguments): CallDraft => ({ args, text: JSON.stringify(args, null, 2) });

/** From the JSON editor, read as the executor reads what a model wrote. */
export function draftFromText(text: string, { args }: CallDraft): CallDraft {
  try {
    return { args: parseArguments(text), text };
  } catch (error) {
    return { args, text, problem: toEventError(toToolError(error)) };
  }
}

/** Each argument next to what the tool expects; undefined if a value is not JSON, which cannot happen in a draft. */
export function checkDraft({ args }: Pick<CallDraft, 'args'>, schema: JsonSchema): CheckedArguments | undefined {
  try {
    return checkArguments(args, schema);
  } catch {
    return undefined;
  }
}

/** The error at a field; '' if it is valid or missing. */
export function faultOf(checked: CheckedArgument | undefined, t: Translate): string {
  if (!checked || checked.status === 'ok' || checked.status === 'missing') return '';
  const what = t(`tester.check.${checked.status}`);
  return checked.wanted === '' ? what : t('tester.wrong', { what, wanted: checked.wanted });
}

export const choicesOf = (node: SchemaNode): readonly unknown[] => (Array.isArray(node?.enum) ? node.enum : []);

const NAMED = ['string', 'integer', 'number', 'boolean', 'object', 'null'] as const;

/** "text", "list of objects", "text or number". */
export function typeName(node: SchemaNode, t: Translate): string {
  if (choicesOf(node).length > 0) return t('schema.choice');
  const names = schemaTypes(node).map((type) => {
    if (type === 'array') return t('schema.list', { of: typeName(schemaOf(node, 'items'), t) });
    const named = NAMED.find((each) => each === type);
    return named ? t(`schema.${named}`) : type;
  });
  return names.length === 0 ? t('schema.any') : [...new Set(names)].join(t('schema.or'));
}

export const shownValue = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** "from 1 to 8 · default 2" */
export function limitsOf(node: SchemaNode, t: Translate): string {
  const { minimum: from, maximum: to, minItems, maxItems, maxLength, pattern } = node ?? {};
  const isNumber = (value: unknown): value is number => typeof value === 'number';
  const words: string[] = [];
  if (isNumber(from) && isNumber(to)) words.push(t('schema.between', { from, to }));
  else if (isNumber(from)) words.push(t('schema.from', { from }));
  else if (isNumber(to)) words.push(t('schema.upTo', { to }));
  if (isNumber(minItems) && minItems > 0) words.push(t('schema.minItems', { n: minItems }));
  if (isNumber(maxItems)) words.push(t('schema.maxItems', { n: maxItems }));
  if (isNumber(maxLength)) words.push(t('schema.maxLength', { n: maxLength.toLocaleString(t('language.tag')) }));
  if (typeof pattern === 'string') words.push(pattern);
  if (node && Object.hasOwn(node, 'default')) words.push(t('schema.default', { value: shownValue(node.default) }));
  return words.join(' · ');
}

export interface Field {
  readonly name: string;
  readonly node: SchemaNode;
  readonly required: boolean;
}

export function fieldsOf(node: SchemaNode): readonly Field[] {
  const required: readonly unknown[] = Array.isArray(node?.required) ? node.required : [];
  const fields = Object.keys(schemaOf(node, 'properties') ?? {}).map((name) => ({
    ...{ name, node: schemaOf(node, 'properties', name), required: required.includes(name) },
  }));
  return fields.sort((one, other) => Number(other.required) - Number(one.required));
}

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

/** How a field shows a value; a value that is no list or object in a field for one is shown as JSON. */
export function fieldView(node: SchemaNode, value: unknown, t: Translate) {
  const own = fieldKind(node);
  const fits = value === undefined || (own === 'list' ? Array.isArray(value) : own !== 'object' || isRecord(value));
  const kind = fits ? own : 'json';
  const yesOrNo = [true, false].map((choice) => ({ choice, name: t(choice ? 'schema.yes' : 'schema.no') }));
  const choices = kind === 'boolean' ? yesOrNo : choicesOf(node).map((choice) => ({ choice, name: shownValue(choice) }));
  const given = kind === 'boolean' ? String(value) : JSON.stringify(value);
  const byDefault = node && Object.hasOwn(node, 'default') ? shownValue(node.default) : '';
  return {
    ...{ kind, choices, chosen: choices.findIndex(({ choice }) => JSON.stringify(choice) === given) },
    words: [typeof node?.description === 'string' ? node.description : '', limitsOf(node, t)].filter(Boolean).join(' · '),
    placeholder: value === '' ? t('tester.emptyText') : byDefault,
  };
}

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

export function blankOf(node: SchemaNode): unknown {
  const blanks: Readonly<Record<FieldKind, unknown>> = {
    ...{ object: {}, list: [], boolean: false, choice: choicesOf(node)[0], text: '', number: '', json: '' },
  };
  return blanks[fieldKind(node)];
}
