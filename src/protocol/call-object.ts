import { isToolError } from '../tools/contract/errors.ts';
import type { ToolArguments } from '../tools/contract/types.ts';
import { parseArguments } from '../tools/executor/arguments.ts';
import { isRecord } from '../tools/util/plain-value.ts';
import type { RequestDraft } from './scanner/syntax.ts';

export const NAME_KEYS: readonly string[] = ['name', 'tool', 'tool_name', 'function_name', 'function', 'action', 'recipient_name'];
export const ARGUMENT_KEYS: readonly string[] = ['arguments', 'parameters', 'args', 'input', 'tool_input', 'action_input'];
const OTHER_KEYS: readonly string[] = ['id', 'type', 'index', 'call_id', 'tool_call_id'];

export const BROKE_OFF = 'the answer broke off before the end of the call; send the whole call again';

export function invalidDraft(invalid: string, toolName: string): RequestDraft {
  return { toolName, args: {}, invalid, warnings: [], argumentSpans: {} };
}

export function draftsOfValue(value: unknown): readonly RequestDraft[] {
  const calls = Array.isArray(value) && value.length > 0 ? value : [value];
  return calls.map(draftOfCall);
}

/** The same for a form whose values are always JSON, whatever the protocol. */
export const draftsOfJson = (value: unknown): readonly RequestDraft[] => draftsOfValue(value).map((draft) => ({ ...draft, isText: false }));

/** A call whose name and arguments are separate. `isText`: its values are text. */
export const draftOf = (toolName: string, args: ToolArguments, isText: boolean): RequestDraft => ({
  ...{ toolName, args, isText },
  ...{ warnings: [], argumentSpans: {} },
});

type Fields = Readonly<Record<string, unknown>>;

/** `{"function": {"name": …}}`, as in the chat API. */
const callIn = (given: Fields): Fields => (isRecord(given.function) ? { ...given.function, id: given.id } : given);

/** The arguments object of a call, whatever its key; undefined if there is none. */
function argumentsIn(given: Fields): unknown {
  return ARGUMENT_KEYS.map((key) => callIn(given)[key]).find((values) => values !== undefined && values !== null);
}

function draftOfCall(value: unknown): RequestDraft {
  if (!isRecord(value)) return invalidDraft('it is not an object; write {"name": …, "arguments": {…}}', '');
  const given = callIn({ ...value });
  const nameKey = NAME_KEYS.find((key) => typeof given[key] === 'string' && given[key].trim() !== '');
  const toolName = nameKey === undefined ? '' : String(given[nameKey]).trim();
  const known = new Set([...ARGUMENT_KEYS, ...OTHER_KEYS, 'name', nameKey]);
  const others = Object.entries(given).filter(([key, field]) => !known.has(key) && field !== undefined);
  const warnings = others.map(([key]) => `"${key}" beside "arguments" was ignored`);
  const { id } = given;
  const requestId = typeof id === 'string' || typeof id === 'number' ? String(id).trim() : '';
  const draft = { ...(requestId === '' ? {} : { requestId }), toolName, warnings, argumentSpans: {} };
  if (toolName === '') return { ...draft, args: {}, invalid: 'it has no "name"; write {"name": …, "arguments": {…}}' };
  const values = argumentsIn(given);
  // An object parsed from JSON with few levels is plain already.
  if (isRecord(values)) return { ...draft, args: { ...values } };
  try {
    return { ...draft, args: parseArguments(values) };
  } catch (error) {
    if (!isToolError(error)) throw error;
    return { ...draft, args: {}, invalid: error.message };
  }
}
