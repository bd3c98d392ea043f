import type { CompletionRequest, Message, MessageImage } from '../tools/contract/messages.ts';
import { legalCall, readCall } from '../tools/executor/legal-calls.ts';
import type { ReasoningField } from './answer/answer-assembler.ts';
import type { ModelSettings } from './language-model.ts';
import { bareName } from './model-marks.ts';

export interface RequestBody {
  readonly model: string;
  readonly stream: boolean;
  readonly [option: string]: unknown;
}

export const without = (options: Readonly<Record<string, unknown>>, names: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(options).filter(([name, value]) => !names.includes(name) && value !== undefined));

export interface WireOptions {
  /** False for servers that refused `stream_options`. */
  readonly withUsage: boolean;
  /** True for servers that refused fields which another server had put next to a call. */
  readonly refusesExtra?: boolean;
  /** Where it sent its model's reasoning, which is sent back there; absent if it sent none, or refused it. */
  readonly reasoningField?: ReasoningField | undefined;
}

/** A message without our own fields, which some servers refuse, and with legal names and arguments in calls of older chats. */
function wireMessage(message: Message, { refusesExtra = false, reasoningField: field }: WireOptions): Record<string, unknown> {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.tool_call_id, content: message.content };
  if (message.role === 'user' && message.images?.length) return { role: 'user', content: contentParts(message.content, message.images) };
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  if (!message.tool_calls?.length) return { role: 'assistant', content: message.content };
  const calls = message.tool_calls.map((call) => {
    const { extra_content, extra_fields, ...legal } = legalCall(readCall(call));
    if (refusesExtra) return legal;
    return { ...legal, ...extra_fields?.call, ...(extra_content === undefined ? {} : { extra_content }) };
  });
  const answer = refusesExtra ? {} : (message.tool_calls.find(({ extra_fields }) => extra_fields?.answer)?.extra_fields?.answer ?? {});
  return {
    role: 'assistant',
    content: message.content === '' ? null : message.content,
    tool_calls: calls,
    ...(field && message.reasoning ? { [field]: message.reasoning } : {}),
    ...answer,
  };
}

function contentParts(text: string, images: readonly MessageImage[]): readonly Record<string, unknown>[] {
  const pictures = images.map(({ url }) => ({ type: 'image_url', image_url: { url } }));
  // Several servers refuse an empty text part.
  return text === '' ? pictures : [{ type: 'text', text }, ...pictures];
}

/** Merges consecutive questions: templates of several local models refuse two. A failed answer or a summary leaves them. */
function joinQuestions(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    if (message.role !== 'user' || before?.role !== 'user') {
      joined.push(message);
      continue;
    }
    const content = [before.content, message.content].filter((text) => text !== '').join('\n\n');
    const images = [...(before.images ?? []), ...(message.images ?? [])];
    joined[joined.length - 1] = { role: 'user', content, images: images.length > 0 ? images : undefined };
  }
  return joined;
}

/** OpenAI's reasoning models refuse `max_tokens` and accept the same number under another name. */
function withTokenLimit(model: string, options: Record<string, unknown>): Record<string, unknown> {
  const { max_tokens, ...others } = options;
  if (max_tokens === undefined || !/^(?:o\d|gpt-5)/.test(bareName(model))) return options;
  return { max_completion_tokens: max_tokens, ...others };
}

export function buildRequestBody(settings: ModelSettings, request: CompletionRequest, wire: WireOptions): RequestBody {
  const options = { ...settings.chatOption, ...request.chatOption };
  const stream = options.stream !== false;
  const tools = request.tools?.length ? { tools: request.tools.map(({ type, function: body }) => ({ type, function: body })) } : {};
  // Several servers refuse a tool choice without tools.
  if (!request.tools?.length) delete options.tool_choice;
  return {
    ...withTokenLimit(settings.model, options),
    ...tools,
    ...(stream && wire.withUsage ? { stream_options: { include_usage: true } } : {}),
    model: settings.model,
    stream,
    messages: joinQuestions(request.messages).map((message) => wireMessage(message, wire)),
  };
}
