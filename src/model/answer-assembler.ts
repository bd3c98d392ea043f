import type { CompletionResult, ModelDelta, ToolCall, Usage } from '../tools/contract/messages.ts';

interface OpenCall {
  readonly id: string;
  /** What the server called it, to tell two calls apart that share an index. */
  readonly serverId: string | undefined;
  name: string;
  arguments: string;
  extra?: unknown;
}

/** Where servers put what a model thinks, and want it back. */
export type ReasoningField = 'reasoning_content' | 'reasoning';

export interface AssemblerOptions {
  readonly onDelta: (delta: ModelDelta) => void;
  /** Milliseconds, of any origin. */
  readonly now: () => number;
  readonly startedAt: number;
  readonly newCallId: () => string;
  /** Call ids that the conversation already holds. */
  readonly usedCallIds: ReadonlySet<string>;
}

const REASONING_FIELDS: readonly ReasoningField[] = ['reasoning_content', 'reasoning'];

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields | undefined => (typeof value === 'object' && value !== null ? (value as Fields) : undefined);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

function usageOf(value: unknown): Usage | undefined {
  const usage = fields(value);
  if (!usage) return undefined;
  const prompt = count(usage.prompt_tokens);
  const completion = count(usage.completion_tokens);
  // OpenAI and most others; DeepSeek.
  const cached = count(fields(usage.prompt_tokens_details)?.cached_tokens) || count(usage.prompt_cache_hit_tokens);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: count(usage.total_tokens) || prompt + completion,
    cached_tokens: cached > 0 ? cached : undefined,
  };
}

/** Content is text, or parts of which the text ones count. */
function contentText(value: unknown): string {
  if (!Array.isArray(value)) return text(value);
  return value.map((part) => text(fields(part)?.text)).join('');
}

/** Thoughts among the parts of a content, each of which has parts of its own. */
function thinkingText(value: unknown): string {
  return Array.isArray(value) ? value.map((part) => contentText(fields(part)?.thinking)).join('') : '';
}

/** Arguments of a call in a piece of it: text, or from some servers the object itself. */
function fragmentOf(piece: Fields): string {
  const sent = fields(piece.function)?.arguments;
  return typeof sent === 'string' ? sent : sent ? JSON.stringify(sent) : '';
}

/** Arguments that are all there: whatever comes with a name now belongs to another call. */
function isObject(json: string): boolean {
  if (!json.trimEnd().endsWith('}')) return false;
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

/**
 * Puts an answer together from the chunks of a stream, or from one whole answer, and reports each piece. Nothing of a
 * chunk is trusted: servers that call themselves compatible differ in indexes, ids, null fields and where reasoning is.
 */
export class AnswerAssembler {
  private readonly options: AssemblerOptions;
  private content = '';
  private reasoning = '';
  private field: ReasoningField | undefined;
  private readonly calls: OpenCall[] = [];
  private readonly byIndex = new Map<number, number>();
  /** Calls by their place in the last chunk. */
  private places: readonly number[] = [];
  private usage: Usage | undefined;
  private firstToken: number | undefined;
  private finish: string | undefined;
  private choices = 0;

  constructor(options: AssemblerOptions) {
    this.options = options;
  }

  /** A `chat.completion.chunk`, or a whole `chat.completion`. */
  take(chunk: unknown): void {
    const body = fields(chunk);
    if (!body) return;
    const choice = Array.isArray(body.choices) ? fields(body.choices[0]) : undefined;
    // Most tell it beside the choices, Groq in a field of its own, Moonshot inside of the choice.
    const usage = usageOf(body.usage) ?? usageOf(fields(body.x_groq)?.usage) ?? usageOf(choice?.usage);
    if (usage) {
      this.usage = usage;
      this.options.onDelta({ type: 'usage', usage });
    }
    if (!choice) return;
    this.choices += 1;
    const whole = fields(choice.message);
    const delta = fields(choice.delta) ?? whole ?? {};
    const field = REASONING_FIELDS.find((name) => text(delta[name]) !== '');
    this.field ??= field;
    this.takeReasoning(field ? text(delta[field]) : thinkingText(delta.content));
    this.takeText(contentText(delta.content));
    if (Array.isArray(delta.tool_calls)) this.takeCalls(delta.tool_calls, delta === whole);
    if (typeof choice.finish_reason === 'string') this.finish = choice.finish_reason;
  }

  /** False while no chunk had a choice: what came was no answer of a chat model. */
  get answered(): boolean {
    return this.choices > 0;
  }

  /** Undefined where the answer had none. */
  get reasoningField(): ReasoningField | undefined {
    return this.field;
  }

  get finished(): boolean {
    return this.finish !== undefined;
  }

  get empty(): boolean {
    return this.content === '' && this.reasoning === '' && this.calls.length === 0;
  }

  result(): CompletionResult {
    const total = this.options.now() - this.options.startedAt;
    const tool_calls = this.calls.map(toToolCall);
    return {
      content: this.content,
      tool_calls,
      finishReason: this.finish ?? 'unknown',
      time: { firstToken: this.firstToken ?? total, total },
      reasoning: this.reasoning || undefined,
      usage: this.usage,
    };
  }

  private markFirstToken(): void {
    this.firstToken ??= this.options.now() - this.options.startedAt;
  }

  private takeText(piece: string): void {
    if (!piece) return;
    this.markFirstToken();
    this.content += piece;
    this.options.onDelta({ type: 'text', text: piece });
  }

  private takeReasoning(piece: string): void {
    if (!piece) return;
    this.markFirstToken();
    this.reasoning += piece;
    this.options.onDelta({ type: 'reasoning', text: piece });
  }

  /** The calls of a chunk. Those of a whole answer stand complete beside each other, whatever their ids and indexes are. */
  private takeCalls(pieces: readonly unknown[], isWhole: boolean): void {
    const places: number[] = [];
    for (const [place, each] of pieces.entries()) {
      const piece = fields(each) ?? {};
      const name = text(fields(piece.function)?.name);
      const fresh = isWhole || (pieces.length > 1 && name !== '' && typeof piece.index !== 'number');
      const known = fresh ? undefined : this.positionOf(piece, name, pieces.length > 1 ? this.places[place] : undefined);
      const position = known ?? this.openCall(piece, name);
      places.push(position);
      this.grow(position, piece, name);
    }
    this.places = places;
  }

  private grow(position: number, piece: Fields, name: string): void {
    this.markFirstToken();
    const call = this.calls[position];
    if (!call) return;
    if (piece.extra_content !== undefined) call.extra = piece.extra_content;
    // Some servers repeat the whole name with every fragment, others send it in pieces.
    if (name && name !== call.name) call.name += name;
    const fragment = fragmentOf(piece);
    if (!fragment) return;
    call.arguments += fragment;
    this.options.onDelta({ type: 'toolCallArgs', index: position, argumentsDelta: fragment });
  }

  /**
   * The call that a piece belongs to; undefined for a new one. By index; by id where the index is missing; by its place among
   * the pieces of a chunk; else it is of the last call. With a name it may begin another one under the same index or none.
   */
  private positionOf(piece: Fields, name: string, place: number | undefined): number | undefined {
    const serverId = text(piece.id) || undefined;
    const index = typeof piece.index === 'number' ? piece.index : undefined;
    const sameId = serverId === undefined ? -1 : this.calls.findIndex((call) => call.serverId === serverId);
    const last = this.calls.length - 1;
    const known = index !== undefined ? this.byIndex.get(index) : sameId >= 0 ? sameId : (place ?? last);
    const call = known === undefined ? undefined : this.calls[known];
    if (call === undefined) return undefined;
    if (name === '' || (serverId !== undefined && serverId === call.serverId)) return known;
    if (serverId !== undefined) return undefined;
    const begun = call.arguments !== '';
    if (name !== call.name) return begun || index === undefined ? undefined : known;
    return isObject(call.arguments) && fragmentOf(piece) !== '' ? undefined : known;
  }

  private openCall(piece: Fields, name: string): number {
    const serverId = text(piece.id) || undefined;
    const id = this.callId(serverId);
    const position = this.calls.length;
    this.calls.push({ id, serverId, name, arguments: '' });
    if (typeof piece.index === 'number') this.byIndex.set(piece.index, position);
    this.options.onDelta({ type: 'toolCallStart', index: position, id, name });
    return position;
  }

  /**
   * Ids name variables, so they have to be unique in the whole chat. Some servers count from `call_0` in every answer and
   * some send none: such ids are replaced by nine letters and digits, the one form that every server takes back.
   */
  private callId(serverId: string | undefined): string {
    const taken = (id: string): boolean => this.options.usedCallIds.has(id) || this.calls.some((call) => call.id === id);
    if (serverId && serverId.length >= 9 && !taken(serverId)) return serverId;
    let id = this.options.newCallId();
    while (taken(id)) id = this.options.newCallId();
    return id;
  }
}

function toToolCall(call: OpenCall): ToolCall {
  const base = {
    id: call.id,
    type: 'function' as const,
    function: { name: call.name, arguments: call.arguments.trim() || '{}' },
    extra_content: call.extra,
  };
  return call.name ? base : { ...base, invalid: 'the call has no tool name' };
}
