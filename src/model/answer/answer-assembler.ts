import type { CompletionResult, ModelDelta, Usage } from '../../tools/contract/messages.ts';
import { isRecord, textOrEmpty } from '../../tools/util/plain-value.ts';
import { CallAssembler } from './call-assembler.ts';
import { type AnswerPart, ThoughtSplitter } from './thoughts.ts';

/** Lists next to an answer that their servers expect back with its calls: OpenRouter; LiteLLM. */
const LISTS = ['reasoning_details', 'thinking_blocks'] as const;
const TEXTS = ['reasoning_signature', 'reasoning_encrypted', 'encrypted_content', 'thought_signature'] as const;
const GROWING = ['text', 'summary', 'thinking'] as const;

/** Signed reasoning, assembled from its pieces and sent back unchanged. */
class ReasoningDetails {
  private readonly lists = new Map<string, Fields[]>();
  private readonly texts = new Map<string, string>();

  /** Returns the reasoning text in the part. `isWhole`: the complete value, whatever came before. */
  take(part: Fields, isWhole: boolean): string {
    let reasoning = '';
    for (const name of LISTS) {
      const pieces = Array.isArray(part[name]) ? part[name].filter(isRecord) : [];
      if (pieces.length === 0) continue;
      const list = isWhole ? [] : (this.lists.get(name) ?? []);
      for (const piece of pieces) join(list, piece);
      this.lists.set(name, list);
      reasoning ||= pieces.map((piece) => GROWING.map((key) => textOrEmpty(piece[key])).join('')).join('');
    }
    for (const name of TEXTS) {
      const piece = textOrEmpty(part[name]);
      if (piece !== '') this.texts.set(name, isWhole ? piece : (this.texts.get(name) ?? '') + piece);
    }
    return reasoning;
  }

  fields(): Fields | undefined {
    const all = [...this.lists, ...this.texts];
    return all.length === 0 ? undefined : Object.fromEntries(all);
  }
}

/** Appends to the last detail if it continues that, else after it. */
function join(list: Fields[], piece: Fields): void {
  const last = list.at(-1);
  if (last === undefined || !goesOn(last, piece)) {
    list.push(piece);
    return;
  }
  const given = Object.fromEntries(Object.entries(piece).filter(([, value]) => value !== null && value !== undefined && value !== ''));
  const grown = GROWING.filter((key) => textOrEmpty(piece[key]) !== '').map((key) => [
    key,
    textOrEmpty(last[key]) + textOrEmpty(piece[key]),
  ]);
  list[list.length - 1] = { ...last, ...given, ...Object.fromEntries(grown) };
}

/** Only text arrives in pieces; encrypted details are complete, and a signature ends a text. */
function goesOn(last: Fields, piece: Fields): boolean {
  const isText = GROWING.some((key) => typeof last[key] === 'string') && piece.data === undefined;
  if (!isText || last.type !== piece.type || last.index !== piece.index) return false;
  return textOrEmpty(last.signature) === '' && (last.id === piece.id || piece.id === undefined || piece.id === null || last.id === null);
}

export type ReasoningField = 'reasoning_content' | 'reasoning';

export interface AssemblerOptions {
  readonly onDelta: (delta: ModelDelta) => void;
  readonly now: () => number;
  readonly startedAt: number;
  readonly newCallId: () => string;
  readonly usedCallIds: ReadonlySet<string>;
}

const REASONING_FIELDS: readonly ReasoningField[] = ['reasoning_content', 'reasoning'];

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields | undefined => (typeof value === 'object' && value !== null ? (value as Fields) : undefined);
const count = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

function usageOf(value: unknown): Usage | undefined {
  const usage = fields(value);
  if (!usage) return undefined;
  const prompt = count(usage.prompt_tokens);
  const completion = count(usage.completion_tokens);
  const cached = count(fields(usage.prompt_tokens_details)?.cached_tokens) || count(usage.prompt_cache_hit_tokens);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: count(usage.total_tokens) || prompt + completion,
    cached_tokens: cached > 0 ? cached : undefined,
  };
}

/** Content is text, or parts of which the text parts count. */
function contentText(value: unknown): string {
  if (!Array.isArray(value)) return textOrEmpty(value);
  return value.map((part) => textOrEmpty(fields(part)?.text)).join('');
}

function thinkingText(value: unknown): string {
  return Array.isArray(value) ? value.map((part) => contentText(fields(part)?.thinking)).join('') : '';
}

/** Why an answer ended: OpenAI's word for the words of other servers. */
const FINISHES: readonly (readonly [string, RegExp])[] = [
  ['length', /^(?:max_?(?:output_?)?tokens?|length|model_length|token_limit|model_context_window_exceeded|max_length)$/i],
  [
    'content_filter',
    /^(?:content_?filter(?:ed)?|safety|sensitive|recitation|blocklist|prohibited_content|spii|image_safety|moderation|guardrails?|data_inspection_failed)$/i,
  ],
  ['refusal', /^refus(?:al|ed)$/i],
  ['tool_calls', /^(?:tool_?calls?|tool_?use|function_?call)$/i],
  ['stop', /^(?:stop|stop_sequence|end_turn|eos|eos_token|complete[d]?|end|finish(?:ed)?)$/i],
];

const BROKEN = /^(?:error|abort(?:ed)?|cancel(?:l?ed)?|network_error|insufficient_system_resource|server_error|timeout)$/i;

function finishOf(value: unknown): string | undefined {
  const given = textOrEmpty(value).trim();
  if (given === '' || given === 'null') return undefined;
  return FINISHES.find(([, pattern]) => pattern.test(given))?.[0] ?? given;
}

/** Minimum length of a piece that repeats the whole text so far: long enough that nobody would write it twice. */
const holdsAll = (piece: string, before: string): boolean => before.length >= 24 && piece.startsWith(before) && new Set(before).size > 8;

/** Assembles an answer from the chunks of a stream or from a whole answer, and trusts nothing in them: compatible servers differ. */
export class AnswerAssembler {
  private readonly options: AssemblerOptions;
  private raw = '';
  private readonly splitter = new ThoughtSplitter();
  private content = '';
  private reasoning = '';
  private field: ReasoningField | undefined;
  private refusal = '';
  private readonly calls: CallAssembler;
  private readonly details = new ReasoningDetails();
  private usage: Usage | undefined;
  private firstToken: number | undefined;
  private finish: string | undefined;
  private choices = 0;

  constructor(options: AssemblerOptions) {
    this.options = options;
    this.calls = new CallAssembler(options);
  }

  /** A `chat.completion.chunk`, or a whole `chat.completion`. */
  take(chunk: unknown): void {
    const body = fields(chunk);
    if (!body) return;
    const choice = Array.isArray(body.choices) ? fields(body.choices[0]) : undefined;
    // Most send it next to the choices, Groq in a field of its own, Moonshot inside the choice.
    const usage = usageOf(body.usage) ?? usageOf(fields(body.x_groq)?.usage) ?? usageOf(choice?.usage);
    if (usage) {
      this.usage = usage;
      this.options.onDelta({ type: 'usage', usage });
    }
    if (!choice) return;
    this.choices += 1;
    const delta = fields(choice.delta);
    const message = fields(choice.message);
    const finish = finishOf(choice.finish_reason);
    if (delta) this.takePart(delta, false);
    // Some servers stream pieces under this name too.
    if (message) this.takePart(message, finish !== undefined || contentText(message.content).startsWith(this.raw));
    this.finish = finish ?? this.finish;
  }

  private takePart(part: Fields, isWhole: boolean): void {
    const field = REASONING_FIELDS.find((name) => textOrEmpty(part[name]) !== '');
    this.field ??= field;
    const thought = this.details.take(part, isWhole);
    this.takeReasoning(rest(field ? textOrEmpty(part[field]) : thinkingText(part.content) || thought, this.reasoning, isWhole));
    this.takeText(rest(contentText(part.content), this.raw, isWhole));
    this.takeRefusal(rest(textOrEmpty(part.refusal), this.refusal, isWhole));
    const calls = part.tool_calls ?? (fields(part.function_call) ? { index: 0, function: part.function_call } : undefined);
    if (Array.isArray(calls)) this.calls.take(calls, isWhole);
    else if (fields(calls)) this.calls.take([calls], isWhole);
  }

  /** False while no chunk had a choice: that was no answer of a chat model. */
  get answered(): boolean {
    return this.choices > 0;
  }

  get reasoningField(): ReasoningField | undefined {
    return this.field;
  }

  get finished(): boolean {
    return this.finish !== undefined && !BROKEN.test(this.finish);
  }

  get broken(): boolean {
    return this.finish !== undefined && BROKEN.test(this.finish);
  }

  get empty(): boolean {
    return this.raw === '' && this.reasoning === '' && this.calls.empty;
  }

  result(): CompletionResult {
    this.takeParts(this.splitter.finish());
    const total = this.options.now() - this.options.startedAt;
    const finish = this.refusal === '' ? this.finish : 'refusal';
    return {
      content: this.content,
      tool_calls: this.calls.toolCalls(finish === 'length' || finish === 'content_filter', this.details.fields()),
      finishReason: finish ?? 'unknown',
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
    this.raw += piece;
    this.takeParts(this.splitter.take(piece));
  }

  private takeParts(parts: readonly AnswerPart[]): void {
    for (const part of parts) {
      if (part.type === 'thought') this.takeReasoning(part.text);
      else if (part.type === 'text') this.emitText(part.text);
      else this.thinkBack();
    }
  }

  private emitText(piece: string): void {
    this.content += piece;
    this.options.onDelta({ type: 'text', text: piece });
  }

  private thinkBack(): void {
    this.reasoning += this.content.trim();
    this.content = '';
    this.options.onDelta({ type: 'text-was-reasoning' });
  }

  private takeReasoning(piece: string): void {
    if (!piece) return;
    this.markFirstToken();
    this.reasoning += piece;
    this.options.onDelta({ type: 'reasoning', text: piece });
  }

  private takeRefusal(piece: string): void {
    this.refusal += piece;
    this.takeText(piece);
  }
}

/** What a piece adds: if it is whole, or repeats everything so far, only the new part. */
function rest(piece: string, before: string, isWhole: boolean): string {
  if (!(isWhole && before !== '') && !holdsAll(piece, before)) return piece;
  return piece.startsWith(before) ? piece.slice(before.length) : '';
}
