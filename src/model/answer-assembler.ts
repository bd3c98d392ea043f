import type { CompletionResult, ModelDelta, ToolCall, Usage } from '../tools/messages.ts';

interface OpenCall {
  readonly id: string;
  /** What the server called it, to tell two calls apart that share an index. */
  readonly serverId: string | undefined;
  name: string;
  arguments: string;
}

export interface AssemblerOptions {
  readonly onDelta: (delta: ModelDelta) => void;
  /** Milliseconds, of any origin. */
  readonly now: () => number;
  readonly startedAt: number;
  readonly newCallId: () => string;
  /** Call ids that the conversation already holds. */
  readonly usedCallIds: ReadonlySet<string>;
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields | undefined => (typeof value === 'object' && value !== null ? (value as Fields) : undefined);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

function usageOf(value: unknown): Usage | undefined {
  const usage = fields(value);
  if (!usage) return undefined;
  const prompt = count(usage.prompt_tokens);
  const completion = count(usage.completion_tokens);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: count(usage.total_tokens) || prompt + completion };
}

/** Content is text, or parts of which the text ones count. */
function contentText(value: unknown): string {
  if (!Array.isArray(value)) return text(value);
  return value.map((part) => text(fields(part)?.text)).join('');
}

/**
 * Puts an answer together from the chunks of a stream, or from one whole answer, and reports each piece. Nothing of a
 * chunk is trusted: servers that call themselves compatible differ in indexes, ids, null fields and where reasoning is.
 */
export class AnswerAssembler {
  private readonly options: AssemblerOptions;
  private content = '';
  private reasoning = '';
  private readonly calls: OpenCall[] = [];
  private readonly byIndex = new Map<number, number>();
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
    const usage = usageOf(body.usage);
    if (usage) {
      this.usage = usage;
      this.options.onDelta({ type: 'usage', usage });
    }
    const choice = Array.isArray(body.choices) ? fields(body.choices[0]) : undefined;
    if (!choice) return;
    this.choices += 1;
    const delta = fields(choice.delta) ?? fields(choice.message) ?? {};
    this.takeReasoning(text(delta.reasoning_content) || text(delta.reasoning));
    this.takeText(contentText(delta.content));
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) this.takeCall(fields(call) ?? {});
    if (typeof choice.finish_reason === 'string') this.finish = choice.finish_reason;
  }

  /** False while no chunk had a choice: what came was no answer of a chat model. */
  get answered(): boolean {
    return this.choices > 0;
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
      ...(this.reasoning ? { reasoning: this.reasoning } : {}),
      ...(this.usage ? { usage: this.usage } : {}),
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

  private takeCall(piece: Fields): void {
    this.markFirstToken();
    const body = fields(piece.function) ?? {};
    const name = text(body.name);
    const position = this.positionOf(piece, name);
    const call = this.calls[position];
    if (!call) return;
    // Some servers repeat the whole name with every fragment, others send it in pieces.
    if (name && name !== call.name) call.name += name;
    const fragment = typeof body.arguments === 'string' ? body.arguments : body.arguments ? JSON.stringify(body.arguments) : '';
    if (!fragment) return;
    call.arguments += fragment;
    this.options.onDelta({ type: 'toolCallArgs', index: position, argumentsDelta: fragment });
  }

  /** By index; by id where the index is missing or two calls share one; else the last call goes on. */
  private positionOf(piece: Fields, name: string): number {
    const serverId = text(piece.id) || undefined;
    const index = typeof piece.index === 'number' ? piece.index : undefined;
    const known = index === undefined ? this.calls.length - 1 : this.byIndex.get(index);
    const call = known === undefined ? undefined : this.calls[known];
    const another = serverId !== undefined && serverId !== call?.serverId && name !== '';
    if (known !== undefined && call && !another) return known;
    const position = this.calls.length;
    this.calls.push({ id: this.callId(serverId), serverId, name: '', arguments: '' });
    if (index !== undefined) this.byIndex.set(index, position);
    const opened = this.calls[position];
    if (opened) opened.name = name;
    this.options.onDelta({ type: 'toolCallStart', index: position, id: opened?.id ?? '', name });
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
  const base = { id: call.id, type: 'function' as const, function: { name: call.name, arguments: call.arguments.trim() || '{}' } };
  return call.name ? base : { ...base, invalid: 'the call has no tool name' };
}
