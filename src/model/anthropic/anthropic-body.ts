import type { CompletionRequest, ToolDefinition } from '../../tools/contract/messages.ts';
import { fieldOf, isRecord } from '../../tools/util/plain-value.ts';
import type { ModelSettings } from '../language-model.ts';
import { bareName } from '../model-marks.ts';
import { type RequestBody, without } from '../request-body.ts';
import { cachedText, lacksThoughts, type Turn, turnsOf, withCacheMarks } from './anthropic-messages.ts';

type Fields = Readonly<Record<string, unknown>>;

/** How a model is asked to think: it finds the measure itself, or gets a budget of tokens. */
type Thinking = 'adaptive' | 'budget' | 'none';

/** How a server takes requests, as it has shown. */
export interface AnthropicOptions {
  readonly thinking: Thinking;
  readonly sampling: boolean;
  readonly signed: boolean;
  readonly cached: boolean;
  /** The most tokens of an answer that it takes. */
  readonly most: number;
}

/** The protocol wants a limit of every answer; where nobody set one. */
const ANSWER_TOKENS = 16_000;
const LEAST_BUDGET = 1024;
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: LEAST_BUDGET,
  low: 2048,
  medium: 8192,
  high: 16_000,
  xhigh: 24_576,
  max: 32_768,
};

/** Claude until 4.5, and what other makers call their models. */
const BUDGETED = /^claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[015])?(?:-\d{8})?$)/u;
const UNTHINKING = /^claude-(?:[12]|instant|3-(?!7))/u;
/** They choose their words in one way only. */
const FIXED = /^claude-(?:[a-z]+-(?:4-[7-9]|[5-9]))/u;
const SHORT: readonly (readonly [RegExp, number])[] = [
  [/^claude-3-5/u, 8192],
  [/^claude-(?:[12]|instant|3-(?!7))/u, 4096],
];

/** What the name of a model lets expect. */
export function optionsByName(model: string): AnthropicOptions {
  const name = bareName(model).replaceAll('.', '-');
  const thinking = BUDGETED.test(name) || !name.startsWith('claude-') ? 'budget' : 'adaptive';
  return {
    thinking: UNTHINKING.test(name) ? 'none' : thinking,
    sampling: !FIXED.test(name),
    signed: true,
    cached: true,
    most: SHORT.find(([pattern]) => pattern.test(name))?.[1] ?? Number.POSITIVE_INFINITY,
  };
}

/** Options of chat completions: those with another name here are written under it, the rest means nothing to this protocol. */
const OTHERS = [
  ...['model', 'messages', 'tools', 'n', 'seed', 'presence_penalty', 'frequency_penalty', 'logit_bias', 'logprobs', 'top_logprobs', 'user'],
  ...['response_format', 'stream_options', 'store', 'verbosity', 'modalities', 'prediction', 'max_tokens', 'max_completion_tokens', 'stop'],
  ...['tool_choice', 'parallel_tool_calls', 'reasoning_effort', 'reasoning', 'prompt_cache_key'],
];
const SAMPLING = ['temperature', 'top_p', 'top_k'];

const positive = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined;

function toolsOf(tools: readonly ToolDefinition[], turns: readonly Turn[]): readonly Fields[] {
  if (tools.length > 0)
    return tools.map(({ function: { name, description, parameters } }) => ({ name, description, input_schema: parameters }));
  // Calls of the conversation are refused where no tool is described.
  const called = turns.flatMap(({ content }) => content.flatMap(({ type, name }) => (type === 'tool_use' ? [name] : [])));
  return [...new Set(called)].map((name) => ({ name, input_schema: { type: 'object' } }));
}

function choiceOf(choice: unknown, parallel: unknown, isOffered: boolean): Fields | undefined {
  if (!isOffered) return { type: 'none' };
  const named = fieldOf(fieldOf(choice, 'function'), 'name');
  const alone = parallel === false ? { disable_parallel_tool_use: true } : {};
  if (choice === 'none' || fieldOf(choice, 'type') === 'none') return { type: 'none' };
  if (typeof named === 'string') return { type: 'tool', name: named, ...alone };
  if (choice === 'required') return { type: 'any', ...alone };
  if (isRecord(choice) && typeof choice.type === 'string') return { ...choice, ...alone };
  return choice === 'auto' || parallel === false ? { type: 'auto', ...alone } : undefined;
}

interface Limited {
  readonly max: number;
  readonly thoughts: Fields;
}

/** Thinking with its share of the answer's tokens. Nothing is said of it where nobody set an effort: then the model has its own way. */
function thoughtsOf(effort: unknown, { thinking, most }: AnthropicOptions, limit: number | undefined): Limited {
  const max = Math.min(limit ?? ANSWER_TOKENS, most);
  if (typeof effort !== 'string' || effort === '' || thinking === 'none') return { max, thoughts: {} };
  if (effort === 'none') return { max, thoughts: { thinking: { type: 'disabled' } } };
  if (thinking === 'adaptive') {
    return { max, thoughts: { thinking: { type: 'adaptive' }, output_config: { effort: effort === 'minimal' ? 'low' : effort } } };
  }
  const wanted = BUDGETS[effort] ?? BUDGETS.medium ?? LEAST_BUDGET;
  // What is set is the limit of both together; where nothing is, the answer itself gets as much as without thoughts.
  const whole = limit === undefined ? Math.min(ANSWER_TOKENS + wanted, most) : max;
  const budget = Math.min(wanted, Math.floor(whole / 2));
  return budget < LEAST_BUDGET
    ? { max: whole, thoughts: {} }
    : { max: whole, thoughts: { thinking: { type: 'enabled', budget_tokens: budget } } };
}

const temperatureOf = (value: unknown): Fields => (typeof value === 'number' ? { temperature: Math.min(1, Math.max(0, value)) } : {});

export function buildAnthropicBody(settings: ModelSettings, request: CompletionRequest, wire: AnthropicOptions): RequestBody {
  const options: Fields = { ...settings.chatOption, ...request.chatOption };
  const { system, turns } = turnsOf(request.messages, settings.model, wire.signed);
  const offered = request.tools ?? [];
  const tools = toolsOf(offered, turns);
  const choice = tools.length === 0 ? undefined : choiceOf(options.tool_choice, options.parallel_tool_calls, offered.length > 0);
  const isForced = choice?.type === 'any' || choice?.type === 'tool';
  const effort = options.reasoning_effort ?? fieldOf(options.reasoning, 'effort');
  const limit = positive(options.max_tokens) ?? positive(options.max_completion_tokens);
  // A budget is refused with a call that has to come, and behind calls whose thoughts are not there.
  const isBarred = isForced || (wire.thinking === 'budget' && lacksThoughts(turns));
  const { max, thoughts } = thoughtsOf(isBarred ? undefined : effort, wire, limit);
  const kept = without(options, OTHERS);
  const isThinking =
    fieldOf(kept.thinking ?? thoughts.thinking, 'type') !== undefined && fieldOf(kept.thinking ?? thoughts.thinking, 'type') !== 'disabled';
  const sampling = wire.sampling && !isThinking ? { ...kept, ...temperatureOf(kept.temperature) } : without(kept, SAMPLING);
  const stops = typeof options.stop === 'string' ? [options.stop] : options.stop;
  const sent = wire.cached ? withCacheMarks(turns) : turns;
  return {
    ...thoughts,
    ...sampling,
    ...(Array.isArray(stops) && stops.length > 0 ? { stop_sequences: stops.filter((stop) => String(stop).trim() !== '') } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(choice ? { tool_choice: choice } : {}),
    model: settings.model,
    max_tokens: max,
    stream: options.stream !== false,
    ...(system === '' ? {} : { system: wire.cached ? cachedText(system) : system }),
    messages: sent,
  };
}
