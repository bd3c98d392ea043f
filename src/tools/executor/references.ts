import { ToolError } from '../contract/errors.ts';
import type { JsonSchema } from '../contract/messages.ts';
import type { Variable } from '../contract/variable.ts';
import { sliceCharacters } from '../util/graphemes.ts';
import { copyPlain } from '../util/plain-value.ts';
import { type SchemaNode, schemaAllows, schemaOf } from '../util/schema.ts';
import type { VariableSystem } from './variables.ts';

/** UTF-16 units of all strings in one call's arguments together. */
export const MAX_RESOLVED_CHARACTERS = 1024 * 1024;

const REFERENCE = /(\\?)\$VAR_REF\{\{([^{}\n]*)\}\}/gu;
const TARGET = /^\s*([\p{L}\p{M}\p{N}_\-/.]+)(?::(\d{1,9}))?(?::(\d{1,9}))?\s*$/u;

export interface ResolvedReferences {
  readonly value: unknown;
  /** Every variable in the value, for rights and provenance. */
  readonly used: readonly Variable[];
}

/** Tells if resolving would change anything, including an escaped reference. */
export function hasReferences(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('$VAR_REF{{');
  if (Array.isArray(value)) return value.some(hasReferences);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasReferences);
}

/** Escapes a text so that resolving it gives the same text: a reference in it is not a variable of the chat. */
export const literalText = (text: string): string => text.replaceAll(REFERENCE, (reference) => `\\${reference}`);

export function asLiteral(value: unknown): unknown {
  if (typeof value === 'string') return literalText(value);
  if (Array.isArray(value)) return value.map(asLiteral);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, asLiteral(each)]));
}

/** Resolves `$VAR_REF{{name}}` and `{{name:start:length}}` in parsed strings, in one pass; a whole one may become the required JSON. */
export function resolveReferences(value: unknown, variables: VariableSystem, schema?: JsonSchema): ResolvedReferences {
  const used = new Map<string, Variable>();
  let total = 0;
  const spend = (amount: number): void => {
    total += amount;
    if (total > MAX_RESOLVED_CHARACTERS) {
      throw new ToolError(
        'too_large',
        'the arguments are over 1 MiB with their references',
        'refer to a part: $VAR_REF{{name:start:length}}',
      );
    }
  };
  const resolveText = (text: string, node: SchemaNode): unknown => {
    const parts: string[] = [];
    let last = 0;
    for (const match of text.matchAll(REFERENCE)) {
      const [whole, backslash = '', target = ''] = match;
      const literal = backslash === '' ? readTarget(target, variables, used) : whole.slice(1);
      spend(literal.length + match.index - last);
      parts.push(text.slice(last, match.index), literal);
      last = match.index + whole.length;
      if (whole === text && backslash === '') return parseWhereWanted(literal, node);
    }
    spend(text.length - last);
    parts.push(text.slice(last));
    return parts.join('');
  };
  const walk = (item: unknown, node: SchemaNode): unknown => {
    if (typeof item === 'string') return resolveText(item, node);
    if (Array.isArray(item)) return item.map((entry) => walk(entry, schemaOf(node, 'items')));
    if (typeof item !== 'object' || item === null) return item;
    return Object.fromEntries(Object.entries(item).map(([key, entry]) => [key, walk(entry, schemaOf(node, 'properties', key))]));
  };
  return { value: walk(value, schema), used: [...used.values()] };
}

function readTarget(target: string, variables: VariableSystem, used: Map<string, Variable>): string {
  const match = TARGET.exec(target);
  if (match === null) {
    const next = 'write $VAR_REF{{name}}, $VAR_REF{{name:start:length}}, or \\$VAR_REF{{…}} for the text itself';
    throw new ToolError('bad_reference', `"$VAR_REF{{${target.slice(0, 80)}}}" names no variable`, next);
  }
  const [, name = '', start, length] = match;
  const variable = variables.getVariable(name);
  if (variable === undefined) throw unknownVariable(name, variables);
  used.set(name, variable);
  if (start === undefined) return variable.value;
  return sliceCharacters(variable.value, Number(start), length === undefined ? variable.value.length : Number(length)).text;
}

export function unknownVariable(name: string, variables: VariableSystem): ToolError {
  const near = variables.near(name);
  const next = near.length > 0 ? `use one of: ${near.join(', ')}` : 'call ListVars to see the names';
  return new ToolError('unknown_variable', `there is no variable "${name}"`, next);
}

/** A list or object if the schema requires one and the text is one; otherwise the validation reports the argument. */
function parseWhereWanted(text: string, node: SchemaNode): unknown {
  if (node === undefined || schemaAllows(node, 'string')) return text;
  try {
    const value = copyPlain(JSON.parse(text));
    const type = Array.isArray(value) ? 'array' : 'object';
    return typeof value === 'object' && value !== null && schemaAllows(node, type) ? value : text;
  } catch {
    return text;
  }
}
