import { ToolError } from '../contract/errors.ts';
import type { AssistantMessage, Message, ToolCall } from '../contract/messages.ts';
import type { ToolArguments } from '../contract/types.ts';
import { parseArguments } from '../executor/arguments.ts';
import { preview } from '../util/graphemes.ts';
import { UNTRUSTED_TAG } from '../util/markers.ts';

const KEPT_CHARACTERS = 200;

/** The variables that hold a call's arguments and result, if they are kept. */
export interface CallVariables {
  readonly callId: string;
  readonly result: { readonly cacheVarArgs?: string; readonly cacheVarResult?: string };
}

type Entries = ReadonlyMap<string, CallVariables>;

/** The shortest form of a message, with instructions for reading the whole; itself if there is nothing to shorten. */
export function shortenMessage(message: Message, entries: Entries): Message {
  if (message.role === 'tool') return shortenResult(message, entries.get(message.tool_call_id)?.result.cacheVarResult);
  return message.role === 'assistant' && message.tool_calls !== undefined ? shortenCalls(message, entries) : message;
}

function shortenResult(message: Extract<Message, { role: 'tool' }>, variable: string | undefined): Message {
  const where = variable === undefined ? 'call the tool again if it is needed' : readNext(variable);
  const start = preview(message.content, KEPT_CHARACTERS);
  const frame = message.content.startsWith(`<${UNTRUSTED_TAG}`) ? `\n</${UNTRUSTED_TAG}>` : '';
  return { ...message, content: `${start}${frame}\n[shortened to save room; ${where}]` };
}

/** The model's own arguments are sent again with every request too, and may contain whole documents. */
function shortenCalls(message: AssistantMessage, entries: Entries): Message {
  const calls = message.tool_calls ?? [];
  const tool_calls = calls.map((call) => shortenCall(call, entries.get(call.id)?.result.cacheVarArgs));
  return tool_calls.every((call, index) => call === calls[index]) ? message : { ...message, tool_calls };
}

function shortenCall(call: ToolCall, variable: string | undefined): ToolCall {
  const { name, arguments: raw } = call.function;
  if (raw.length <= KEPT_CHARACTERS) return call;
  const note = `[shortened to save room${variable === undefined ? '' : `; ${readNext(variable)}`}]`;
  const args = shortenValues(raw, note);
  return { ...call, function: { name, arguments: JSON.stringify(args) } };
}

/** Still an object with the same keys: the API and some chat templates parse it as JSON. */
function shortenValues(raw: string, note: string): ToolArguments {
  const args = readable(raw);
  if (args === undefined) return { shortened: `${preview(raw, KEPT_CHARACTERS)} ${note}` };
  return Object.fromEntries(
    Object.entries(args).map(([key, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [key, text.length <= KEPT_CHARACTERS ? value : `${preview(text, KEPT_CHARACTERS)} ${note}`];
    }),
  );
}

function readable(raw: string): ToolArguments | undefined {
  try {
    return parseArguments(raw);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function readNext(variable: string): string {
  return `next: ReadVar(name="${variable}")`;
}
