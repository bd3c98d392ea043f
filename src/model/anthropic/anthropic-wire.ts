import type { CompletionRequest, ToolDefinition } from '../../tools/contract/messages.ts';
import { fieldOf, isRecord, textOrEmpty } from '../../tools/util/plain-value.ts';
import type { AnswerAssembler } from '../answer/answer-assembler.ts';
import { ThoughtRecord } from '../answer/signed-thoughts.ts';
import type { ModelSettings } from '../language-model.ts';
import { bareName } from '../model-marks.ts';
import { type RequestBody, without } from '../request-body.ts';
import type { AnswerReader, WireFormat } from '../server/wire-format.ts';
import { ANTHROPIC, cachedText, lacksThoughts, type Turn, turnsOf, withCacheMarks } from './anthropic-messages.ts';
import { anthropicHeaders, anthropicRoute } from './anthropic-server.ts';

/** How a model is asked to think: it finds the measure itself, or gets a budget of tokens. */
type Thinking = 'adaptive' | 'budget' | 'none';

interface AnthropicOptions {
  readonly thinking: Thinking;
  readonly sampling: boolean;
  readonly signed: boolean;
  readonly cached: boolean;
  readonly most: number;
}

/** The protocol requires a limit; this one where nobody set any. */
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

function optionsByName(model: string): AnthropicOptions {
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
  // A set limit is for both together; without one the answer gets as much as without thoughts.
  const whole = limit === undefined ? Math.min(ANSWER_TOKENS + wanted, most) : max;
  const budget = Math.min(wanted, Math.floor(whole / 2));
  return budget < LEAST_BUDGET
    ? { max: whole, thoughts: {} }
    : { max: whole, thoughts: { thinking: { type: 'enabled', budget_tokens: budget } } };
}

const temperatureOf = (value: unknown): Fields => (typeof value === 'number' ? { temperature: Math.min(1, Math.max(0, value)) } : {});

function buildAnthropicBody(settings: ModelSettings, request: CompletionRequest, wire: AnthropicOptions): RequestBody {
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

type Fields = Readonly<Record<string, unknown>>;

type Said = 'content' | 'reasoning';

const TOKENS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'] as const;

/** Reads an answer of `/messages` into the chunks that the assembler takes, and keeps its thoughts as they were signed. */
class AnthropicReader implements AnswerReader {
  private readonly assembler: AnswerAssembler;
  private readonly record: ThoughtRecord;
  private readonly open = new Map<number, Record<string, unknown>>();
  private readonly calls = new Set<number>();
  /** Cumulative: what comes later replaces what came before. */
  private readonly used: Partial<Record<(typeof TOKENS)[number], number>> = {};
  private lastType = '';
  private readonly said = new Set<Said>();
  private readonly apart = new Set<Said>();

  constructor(assembler: AnswerAssembler, model: string) {
    this.assembler = assembler;
    this.record = new ThoughtRecord(ANTHROPIC, model);
  }

  get thoughts() {
    return this.record.thoughts;
  }

  take(event: unknown): boolean {
    const index = Number(fieldOf(event, 'index') ?? 0);
    switch (fieldOf(event, 'type')) {
      case 'message_start':
        this.count(fieldOf(fieldOf(event, 'message'), 'usage'), {});
        return false;
      case 'content_block_start':
        this.begin(index, fieldOf(event, 'content_block'));
        return false;
      case 'content_block_delta':
        this.grow(index, fieldOf(event, 'delta'));
        return false;
      case 'message_delta':
        this.count(fieldOf(event, 'usage'), this.finishOf(fieldOf(event, 'delta')));
        return false;
      case 'message':
        this.takeWhole(event);
        return true;
      default:
        return fieldOf(event, 'type') === 'message_stop';
    }
  }

  private takeWhole(message: unknown): void {
    const blocks = fieldOf(message, 'content');
    if (Array.isArray(blocks)) for (const [index, block] of blocks.entries()) this.begin(index, block);
    this.count(fieldOf(message, 'usage'), this.finishOf(message));
  }

  private finishOf(place: unknown): Fields {
    const reason = fieldOf(place, 'stop_reason');
    // No tool of the server's is asked for, which alone would pause: what there is, is not whole.
    return { finish_reason: reason === 'pause_turn' ? 'length' : reason };
  }

  private begin(index: number, block: unknown): void {
    if (!isRecord(block)) return;
    const type = textOrEmpty(block.type);
    if (type === 'text') {
      if (this.lastType !== 'text') this.apart.add('content');
      this.record.add({ text: {} });
      this.send('content', textOrEmpty(block.text));
    } else if (type === 'thinking' || type === 'redacted_thinking') {
      const thought = { ...block };
      this.apart.add('reasoning');
      this.open.set(index, thought);
      this.record.add({ thought });
      this.send('reasoning', textOrEmpty(block.thinking));
    } else if (type === 'tool_use') {
      const input = isRecord(block.input) && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : '';
      this.record.add({ call: {} });
      this.calls.add(index);
      this.delta({ tool_calls: [{ index, id: block.id, function: { name: block.name, arguments: input } }] });
    }
    this.lastType = type;
  }

  private grow(index: number, delta: unknown): void {
    const thought = this.open.get(index);
    const signature = textOrEmpty(fieldOf(delta, 'signature'));
    const thinking = textOrEmpty(fieldOf(delta, 'thinking'));
    if (thought !== undefined) {
      thought.thinking = textOrEmpty(thought.thinking) + thinking;
      if (signature !== '') thought.signature = textOrEmpty(thought.signature) + signature;
    }
    this.send('reasoning', thinking);
    this.send('content', textOrEmpty(fieldOf(delta, 'text')));
    const json = textOrEmpty(fieldOf(delta, 'partial_json'));
    // Tools of the server itself have arguments, too.
    if (json !== '' && this.calls.has(index)) this.delta({ tool_calls: [{ index, function: { arguments: json } }] });
  }

  private send(name: Said, text: string): void {
    if (text === '') return;
    const isApart = this.apart.delete(name) && this.said.has(name);
    this.said.add(name);
    this.delta({ [name]: isApart ? `\n\n${text}` : text });
  }

  private delta(delta: Fields): void {
    this.assembler.take({ choices: [{ delta }] });
  }

  private count(usage: unknown, choice: Fields): void {
    for (const name of TOKENS) {
      const tokens = fieldOf(usage, name);
      // Gateways begin with zeros where they do not know it yet.
      if (typeof tokens === 'number' && tokens > 0) this.used[name] = tokens;
    }
    const { input_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0, output_tokens = 0 } = this.used;
    const prompt = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
    const counted = {
      prompt_tokens: prompt,
      completion_tokens: output_tokens,
      total_tokens: prompt + output_tokens,
      prompt_tokens_details: { cached_tokens: cache_read_input_tokens },
    };
    this.assembler.take({ ...(prompt + output_tokens > 0 ? { usage: counted } : {}), choices: [{ delta: {}, ...choice }] });
  }
}

/** How servers name the most that they write: “max_tokens: 20000 > 8192”. */
const MOST = /max_tokens:?\s*[\d,]+\s*>\s*([\d,]+)/u;

class AnthropicMessages implements WireFormat {
  readonly route = (base: string): string => anthropicRoute(base, '/messages');
  readonly listRoute = (base: string): string => `${anthropicRoute(base, '/models')}?limit=1000`;
  readonly modelRoute = (base: string, model: string): string => `${anthropicRoute(base, '/models')}/${encodeURIComponent(model)}`;
  private readonly settings: ModelSettings;
  private options: AnthropicOptions;
  private readonly unthought = new Set<AnthropicOptions['thinking']>();

  constructor(settings: ModelSettings) {
    this.settings = settings;
    this.options = optionsByName(settings.model);
  }

  headers(base: string, apiKey: string): Readonly<Record<string, string | null>> {
    return { authorization: null, ...anthropicHeaders(base, apiKey) };
  }

  body(request: CompletionRequest): RequestBody {
    return buildAnthropicBody(this.settings, request, this.options);
  }

  reader(assembler: AnswerAssembler): AnthropicReader {
    return new AnthropicReader(assembler, this.settings.model);
  }

  dropRefused(words: string): boolean {
    const left = this.without(words);
    if (left === undefined) return false;
    this.options = { ...this.options, ...left };
    return true;
  }

  dropAdded(): (() => void) | null {
    const before = this.options;
    if (!before.cached && !before.signed) return null;
    this.options = { ...before, cached: false, signed: false };
    return () => {
      this.options = before;
    };
  }

  /** The options without the refused one; undefined if the words name none of ours. */
  private without(words: string): Partial<AnthropicOptions> | undefined {
    const { most, cached, signed, sampling, thinking } = this.options;
    const named = Number(MOST.exec(words)?.[1]?.replaceAll(',', ''));
    if (named > 0 && named < most) return { most: named };
    if (cached && /cache_control/iu.test(words)) return { cached: false };
    if (signed && /signature|cannot be modified|thinking blocks?\b|\.thinking\b/iu.test(words)) return { signed: false };
    if (sampling && /temperature|top_[pk]/iu.test(words)) return { sampling: false };
    if (thinking === 'none' || !/thinking|budget_tokens|adaptive|output_config(?!\.)/iu.test(words)) return undefined;
    this.unthought.add(thinking);
    return { thinking: (['adaptive', 'budget'] as const).find((each) => !this.unthought.has(each)) ?? 'none' };
  }
}

export const anthropicWire = (settings: ModelSettings): WireFormat => new AnthropicMessages(settings);
