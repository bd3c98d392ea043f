import type { AnswerPart, CompletionRequest, Message } from '../../tools/contract/messages.ts';
import { legalCall, readCall } from '../../tools/executor/legal-calls.ts';
import { fieldOf, isRecord } from '../../tools/util/plain-value.ts';
import { inOrder, partsFor } from '../answer/signed-thoughts.ts';
import type { ModelSettings } from '../language-model.ts';
import { bareName } from '../model-marks.ts';
import { type RequestBody, without } from '../request-body.ts';

type Fields = Readonly<Record<string, unknown>>;

export const RESPONSES = 'openai-responses';

export interface ResponsesOptions {
  /** Thoughts come encrypted, and go back. */
  readonly encrypted: boolean;
  readonly summary: boolean;
  readonly sampling: boolean;
}

/** OpenAI's models without thoughts refuse to encrypt any. */
export const optionsByName = (model: string): ResponsesOptions => ({
  encrypted: !/^(?:gpt-[34]|chatgpt-4)/u.test(bareName(model)),
  summary: true,
  sampling: true,
});

const ENCRYPTED = 'reasoning.encrypted_content';
/** Options of chat completions: written under their name here, if any, else left out. */
const OTHERS = [
  ...['model', 'messages', 'input', 'tools', 'n', 'seed', 'stop', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs'],
  ...[
    'stream_options',
    'modalities',
    'prediction',
    'max_tokens',
    'max_completion_tokens',
    'response_format',
    'reasoning_effort',
    'verbosity',
  ],
  ...['tool_choice', 'reasoning', 'text', 'include', 'store', 'previous_response_id', 'conversation', 'background'],
];
const SAMPLING = ['temperature', 'top_p'];

/** Nothing is stored there, so that a thought without its words is known to nobody. */
const comesBack = (part: AnswerPart): boolean =>
  !('thought' in part) ||
  [part.thought.encrypted_content, part.thought.content].some(
    (words) => (Array.isArray(words) || typeof words === 'string') && words.length > 0,
  );

function itemsOf(message: Message, model: string, encrypted: boolean): readonly Fields[] {
  if (message.role === 'tool') return [{ type: 'function_call_output', call_id: message.tool_call_id, output: message.content }];
  if (message.role === 'user' && message.images?.length) {
    const pictures = message.images.map(({ url }) => ({ type: 'input_image', image_url: url, detail: 'auto' }));
    const text = message.content === '' ? [] : [{ type: 'input_text', text: message.content }];
    return [{ type: 'message', role: 'user', content: [...text, ...pictures] }];
  }
  const text = message.content === '' ? [] : [{ type: 'message', role: message.role, content: message.content }];
  if (message.role !== 'assistant') return text;
  const calls = (message.tool_calls ?? []).map((call) => {
    const { id, function: called } = legalCall(readCall(call));
    return { type: 'function_call', call_id: id, ...called };
  });
  const parts = encrypted ? partsFor(message, RESPONSES, model)?.filter(comesBack) : undefined;
  return parts?.some((part) => 'thought' in part) ? inOrder(parts, text, calls) : [...text, ...calls];
}

/** A named function is one level higher here. */
function choiceOf(choice: unknown): Fields {
  const named = fieldOf(fieldOf(choice, 'function'), 'name');
  if (typeof named === 'string') return { tool_choice: { type: 'function', name: named } };
  return choice === undefined ? {} : { tool_choice: choice };
}

function formatOf({ response_format: format, verbosity, text }: Fields): Fields {
  const schema = fieldOf(format, 'json_schema');
  const flat = isRecord(schema) ? { ...schema, type: 'json_schema' } : format;
  const own = {
    ...(isRecord(text) ? text : {}),
    ...(flat === undefined ? {} : { format: flat }),
    ...(verbosity === undefined ? {} : { verbosity }),
  };
  return Object.keys(own).length === 0 ? {} : { text: own };
}

/** Thoughts are summed up for whoever reads them, where the model was asked to think. */
function reasoningOf({ reasoning_effort: effort, reasoning }: Fields, summary: boolean): Fields {
  const own = { ...(effort === undefined ? {} : { effort }), ...(isRecord(reasoning) ? reasoning : {}) };
  if (Object.keys(own).length === 0) return {};
  return { reasoning: summary && own.effort !== 'none' ? { summary: 'auto', ...own } : without(own, summary ? [] : ['summary']) };
}

export function buildResponsesBody(settings: ModelSettings, request: CompletionRequest, wire: ResponsesOptions): RequestBody {
  const options: Fields = { ...settings.chatOption, ...request.chatOption };
  const [first, ...rest] = request.messages;
  const messages = first?.role === 'system' ? rest : request.messages;
  const limit = options.max_completion_tokens ?? options.max_tokens;
  const tools = (request.tools ?? []).map(({ type, function: body }) => ({ type, ...body, strict: false }));
  const include = [...(Array.isArray(options.include) ? options.include : []), ...(wire.encrypted ? [ENCRYPTED] : [])];
  return {
    ...without(options, wire.sampling ? OTHERS : [...OTHERS, ...SAMPLING]),
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...reasoningOf(options, wire.summary),
    ...formatOf(options),
    ...(tools.length > 0 ? { tools, ...choiceOf(options.tool_choice) } : {}),
    model: settings.model,
    stream: options.stream !== false,
    // Nothing is left with the provider: what it would remember goes along.
    store: false,
    ...(include.length > 0 ? { include } : {}),
    ...(first?.role === 'system' ? { instructions: first.content } : {}),
    input: messages.flatMap((message) => itemsOf(message, settings.model, wire.encrypted)),
  };
}
