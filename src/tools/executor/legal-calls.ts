import type { AnswerPart, ExtraFields, SignedThoughts, ToolCall } from '../contract/messages.ts';
import type { ToolArguments } from '../contract/types.ts';
import { canonicalJson, fieldOf, isRecord, readableJson } from '../util/plain-value.ts';
import { parseArguments } from './arguments.ts';

/** Names of functions that the chat API accepts. */
const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/u;

export function isLegalName(name: unknown): boolean {
  return typeof name === 'string' && LEGAL_NAME.test(name);
}

/** A call of an answer, parsed once: the same arguments are run, checked, shown and sent back. */
export interface ReadCall {
  readonly call: ToolCall;
  /** undefined if they cannot be parsed: the executor answers such a call with the reason. */
  readonly args: ToolArguments | undefined;
  /** Equal for calls that would do the same. */
  readonly key: string;
}

export function readCall(call: ToolCall): ReadCall {
  const args = readableArguments(call);
  return { call, args, key: `${call.function.name}\n${args === undefined ? call.function.arguments.trim() : canonicalJson(args)}` };
}

function readableArguments(call: ToolCall): ToolArguments | undefined {
  try {
    return parseArguments(call.function.arguments);
  } catch {
    return undefined;
  }
}

/** A call as servers accept it back: an invented name in legal letters, arguments as JSON, {} if they could not be parsed. */
export function legalCall({ call, args }: ReadCall): ToolCall {
  const { id, extra_content, extra_fields } = call;
  const legal = { name: legalName(call.function.name), arguments: JSON.stringify(args ?? {}) };
  return { id, type: 'function', function: legal, extra_content, ...(extra_fields === undefined ? {} : { extra_fields }) };
}

/** A name invented by a model may contain anything: markers, references, lines. */
export function legalName(name: string): string {
  return name.replaceAll(/[^a-zA-Z0-9_-]/gu, '_').slice(0, 64) || 'unknown_tool';
}

/** A call of an answer whose parts may all be missing or of another type. */
export function toToolCall(value: unknown): ToolCall {
  const id = fieldOf(value, 'id');
  const body = fieldOf(value, 'function');
  const name = fieldOf(body, 'name');
  const sent = fieldOf(body, 'arguments');
  const invalid = fieldOf(value, 'invalid');
  const extra = fieldOf(value, 'extra_content');
  const fields = fieldOf(value, 'extra_fields');
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    type: 'function',
    function: {
      name: typeof name === 'string' ? name : '',
      arguments: argumentsText(sent ?? ''),
    },
    invalid: typeof invalid === 'string' ? invalid : undefined,
    ...warningsOf(fieldOf(value, 'warnings')),
    extra_content: extra,
    ...(isRecord(fields) ? { extra_fields: extraFields(fields) } : {}),
  };
}

function warningsOf(given: unknown): Pick<ToolCall, 'warnings'> {
  const warnings = Array.isArray(given) ? given.filter((warning) => typeof warning === 'string') : [];
  return warnings.length === 0 ? {} : { warnings };
}

const argumentsText = (sent: unknown): string => (typeof sent === 'string' ? sent : readableJson(sent));

function extraFields({ call, answer, thoughts }: Readonly<Record<string, unknown>>): ExtraFields {
  const signed = signedThoughts(thoughts);
  return { ...(isRecord(call) ? { call } : {}), ...(isRecord(answer) ? { answer } : {}), ...(signed ? { thoughts: signed } : {}) };
}

function signedThoughts(value: unknown): SignedThoughts | undefined {
  const [protocol, model, parts] = ['protocol', 'model', 'parts'].map((name) => fieldOf(value, name));
  if (typeof protocol !== 'string' || typeof model !== 'string' || !Array.isArray(parts)) return undefined;
  return { protocol, model, parts: parts.filter(isAnswerPart) };
}

const isAnswerPart = (value: unknown): value is AnswerPart =>
  ['thought', 'text', 'call'].filter((name) => isRecord(fieldOf(value, name))).length === 1;
