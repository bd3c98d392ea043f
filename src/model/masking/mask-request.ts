import type { ChatOption, CompletionRequest, CompletionResult, Message, ToolCall, ToolDefinition } from '../../tools/contract/messages.ts';
import type { MaskTable } from './mask-table.ts';

type Rewrite = (text: string) => string;

/** Fields whose values are protocol words, or ids created here: of a message, of a tool's schema, of the options. */
const MESSAGE_WORDS = new Set(['role', 'type', 'id', 'tool_call_id', 'format', 'detail', 'status']);
const SCHEMA_WORDS = new Set(['type', 'required', 'enum', 'const', 'format', 'pattern', '$ref', '$schema']);
const OPTION_WORDS = new Set([...SCHEMA_WORDS, 'tool_choice', 'response_format', 'model', 'models', 'role']);
/** Options with a fixed set of words, and options that contain such options. */
const CHOICES = new Set([
  ...['modalities', 'size', 'quality', 'style', 'background', 'language', 'timestamp_granularities', 'include'],
  ...['reasoning_effort', 'effort', 'verbosity', 'summary', 'service_tier', 'syntax'],
]);
const HOLDERS = new Set(['', 'reasoning', 'text', 'grammar']);
const NAMED = new Set(['function', 'json_schema', 'tool_choice', 'tools', 'custom']);
/** Fields that are never sent (see messages.ts). */
const LOCAL = new Set(['sources', 'withheld', 'repeats']);
/** Fields with pictures and sound: their bytes are not text. */
const BYTES = new Set(['url', 'data', 'file_data']);
const DATA_URL = /^data:[\w.+/-]+(?:;[\w=.-]+)*;base64,[\w+/=]*$/;
const BASE64 = /^[\w+/=]{200,}$/;

const isBytes = (key: string, text: string): boolean => BYTES.has(key) && (DATA_URL.test(text) || (key !== 'url' && BASE64.test(text)));

const isPlain = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isWord = (value: unknown): boolean => isPlain(value) || (Array.isArray(value) && value.every(isPlain));

const isOptionWord = (name: string, key: string): boolean => (name === 'name' ? NAMED.has(key) : CHOICES.has(name) && HOLDERS.has(key));

/** Rewrites every text in it, except the values of `words`, and names of tools and schemas. Keys stay. */
function rewriteTexts(value: unknown, rewrite: Rewrite, words: ReadonlySet<string>, key = ''): unknown {
  if (typeof value === 'string') return isBytes(key, value) ? value : rewrite(value);
  if (Array.isArray(value)) return value.map((each) => rewriteTexts(each, rewrite, words, key));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]): [string, unknown] => {
    const isFixed = isWord(each) && key !== 'metadata' && (words.has(name) || (words === OPTION_WORDS && isOptionWord(name, key)));
    return [name, isFixed ? each : rewriteTexts(each, rewrite, words, name)];
  });
  return Object.fromEntries(entries);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const LITERAL = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;

/** The strings and numbers of a call's arguments, keys included; a rewritten number becomes a string. Everything else is unchanged. */
function rewriteJson(json: string, rewrite: Rewrite): string {
  if (!isJson(json)) return rewrite(json);
  return json.replace(LITERAL, (literal) => {
    const text = literal.startsWith('"') ? String(JSON.parse(literal)) : literal;
    const rewritten = rewrite(text);
    return rewritten === text ? literal : JSON.stringify(rewritten);
  });
}

const rewriteCall = (call: ToolCall, rewrite: Rewrite, rewriteArgs: Rewrite): ToolCall => ({
  ...call,
  function: { ...call.function, arguments: rewriteArgs(call.function.arguments) },
  ...(call.invalid === undefined ? {} : { invalid: rewrite(call.invalid) }),
});

/** Fields that nobody can read. */
const SEALED = new Set(['signature', 'data', 'encrypted_content', 'thought_signature', 'id']);

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => (SEALED.has(name) && typeof each === 'string' ? [] : textsIn(each)));
}

/** What its provider signed cannot be rewritten: thoughts that name something private, from before it was to be masked, stay here. */
function withoutPrivateThoughts({ extra_fields, ...call }: ToolCall, table: MaskTable): ToolCall {
  if (extra_fields === undefined || textsIn(extra_fields).some((text) => table.holdsPrivate(text))) return call;
  return { ...call, extra_fields };
}

function maskMessage(message: Message, table: MaskTable): Message {
  const mask: Rewrite = (text) => table.mask(text);
  const kept = Object.entries(message).filter(([name]) => !LOCAL.has(name) && name !== 'tool_calls');
  const calls = message.role === 'assistant' && message.tool_calls;
  const masked = rewriteTexts(Object.fromEntries(kept), mask, MESSAGE_WORDS);
  const maskArguments = (text: string): string => rewriteJson(text, mask);
  // The shape is the message's own: only texts were rewritten.
  return {
    ...(masked as Message),
    ...(calls ? { tool_calls: calls.map((call) => rewriteCall(withoutPrivateThoughts(call, table), mask, maskArguments)) } : {}),
  };
}

/** A name is unchanged: a call finds its tool by it. */
const maskTool = (tool: ToolDefinition, mask: Rewrite): ToolDefinition => ({
  ...tool,
  function: {
    ...tool.function,
    description: mask(tool.function.description),
    parameters: rewriteTexts(tool.function.parameters, mask, SCHEMA_WORDS) as ToolDefinition['function']['parameters'],
  },
});

export function maskOptions(options: ChatOption, table: MaskTable): ChatOption {
  return rewriteTexts(options, (text) => table.mask(text), OPTION_WORDS) as ChatOption;
}

/** Every text that would be sent with the request. Tools first, as providers cache them: their placeholders come first, too. */
export function maskRequest({ tools, messages, chatOption, ...own }: CompletionRequest, table: MaskTable): CompletionRequest {
  const mask: Rewrite = (text) => table.mask(text);
  return {
    ...own,
    tools: tools ? tools.map((tool) => maskTool(tool, mask)) : undefined,
    messages: messages.map((message) => maskMessage(message, table)),
    chatOption: chatOption ? maskOptions(chatOption, table) : undefined,
  };
}

export const insideJson = (value: string): string => JSON.stringify(value).slice(1, -1);

/** A value written with JSON escapes, with this many levels removed. */
function withoutEscapes(value: string, levels: number): string {
  const quoted = `"${value}"`;
  return levels > 0 && isJson(quoted) ? withoutEscapes(String(JSON.parse(quoted)), levels - 1) : value;
}

/** The arguments of a call as they are run; JSON inside text stays JSON, however deeply nested. */
function restoreArguments(json: string, table: MaskTable, depth = 0): string {
  if (table.restore(json) === json) return json;
  if (!isJson(json)) return table.restore(json, insideJson);
  return rewriteJson(json, (text) => {
    if (/^\s*[[{]/.test(text) && isJson(text)) return restoreArguments(text, table, depth + 1);
    return table.restore(text, (value, escapes) => withoutEscapes(value, Math.min(escapes, depth)));
  });
}

export function restoreResult<T extends CompletionResult>(result: T, table: MaskTable): T {
  const restore: Rewrite = (text) => table.restore(text);
  return {
    ...result,
    content: restore(result.content),
    ...(result.reasoning === undefined ? {} : { reasoning: restore(result.reasoning) }),
    tool_calls: result.tool_calls.map((call) => rewriteCall(call, restore, (text) => restoreArguments(text, table))),
  };
}
