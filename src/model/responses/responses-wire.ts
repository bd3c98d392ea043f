import type { AnswerPart, CompletionRequest, Message } from '../../tools/contract/messages.ts';
import { legalCall, readCall } from '../../tools/executor/legal-calls.ts';
import { fieldOf, isRecord, textOrEmpty } from '../../tools/util/plain-value.ts';
import type { AnswerAssembler } from '../answer/answer-assembler.ts';
import { inOrder, partsFor, ThoughtRecord } from '../answer/signed-thoughts.ts';
import type { ModelSettings } from '../language-model.ts';
import { bareName } from '../model-marks.ts';
import { type RequestBody, without } from '../request-body.ts';
import { bearer } from '../server/openai-client.ts';
import type { AnswerReader, WireFormat } from '../server/wire-format.ts';

const RESPONSES = 'openai-responses';

interface ResponsesOptions {
  /** Thoughts come encrypted, and go back. */
  readonly encrypted: boolean;
  readonly summary: boolean;
  readonly sampling: boolean;
}

/** OpenAI's models without thoughts refuse to encrypt any. */
const optionsByName = (model: string): ResponsesOptions => ({
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

function buildResponsesBody(settings: ModelSettings, request: CompletionRequest, wire: ResponsesOptions): RequestBody {
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

type Fields = Readonly<Record<string, unknown>>;
type Said = 'content' | 'reasoning' | 'refusal';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textsOf = (list: unknown, name = 'text'): string =>
  listOf(list)
    .map((part) => textOrEmpty(fieldOf(part, name)))
    .join('');

/** A finished item of an answer as a part of it; undefined for what nothing has to come back of. */
function partOf(item: unknown): AnswerPart | undefined {
  if (!isRecord(item)) return undefined;
  const { type, id, phase } = item;
  if (type === 'reasoning') return { thought: item };
  if (type === 'function_call') return { call: typeof id === 'string' ? { id } : {} };
  return type === 'message' ? { text: typeof phase === 'string' ? { phase } : {} } : undefined;
}

const END = /^response\.(completed|incomplete|failed|cancelled)$/u;

interface OpenCall {
  /** Its place among the calls. */
  readonly at: number;
  id: string;
  callId: string;
  index: unknown;
  hasName: boolean;
  hasArguments: boolean;
}

/** The calls of an answer. Servers leave `output_index` out or write 0, change the ids of items, or give several calls one id. */
class OpenCalls {
  private readonly calls: OpenCall[] = [];

  ofItem(item: unknown, index: unknown): OpenCall {
    const [id, callId] = [textOrEmpty(fieldOf(item, 'id')), textOrEmpty(fieldOf(item, 'call_id'))];
    const call = this.calls.find((one) => {
      if (callId !== '' && one.callId !== '')
        return one.callId === callId && (one.index === index || one.index === undefined || index === undefined);
      return id !== '' && one.id !== '' ? one.id === id : one.index === index;
    });
    if (!call) return this.add(id, callId, index);
    call.callId ||= callId;
    return call;
  }

  /** Of a piece of arguments: by the id of its item, else by its place, else the last one. */
  ofPiece(event: unknown): OpenCall {
    const [id, index] = [textOrEmpty(fieldOf(event, 'item_id')), fieldOf(event, 'output_index')];
    const byId = this.calls.find((one) => id !== '' && one.id === id);
    const byPlace = index === undefined ? this.calls.at(-1) : this.calls.findLast((one) => one.index === index);
    return byId ?? byPlace ?? this.add(id, '', index);
  }

  private add(id: string, callId: string, index: unknown): OpenCall {
    const call = { at: this.calls.length, id, callId, index, hasName: false, hasArguments: false };
    this.calls.push(call);
    return call;
  }
}

const withoutSpaces = (text: string): string => text.replaceAll(/\s/gu, '');

/** Reads an answer of `/responses` into the chunks that the assembler takes, and keeps its thoughts as they were encrypted. */
class ResponsesReader implements AnswerReader {
  private readonly assembler: AnswerAssembler;
  private readonly record: ThoughtRecord;
  /** Items by place and kind, so that none is taken twice. */
  private readonly taken = new Set<string>();
  private readonly calls = new OpenCalls();
  private readonly ids = new Set<unknown>();
  private hasCalls = false;
  private last = '';
  private readonly said = new Map<Said, string>();

  constructor(assembler: AnswerAssembler, model: string) {
    this.assembler = assembler;
    this.record = new ThoughtRecord(RESPONSES, model);
  }

  get thoughts() {
    return this.record.thoughts;
  }

  take(event: unknown): boolean {
    const type = textOrEmpty(fieldOf(event, 'type'));
    const index = fieldOf(event, 'output_index') ?? fieldOf(event, 'item_id') ?? fieldOf(fieldOf(event, 'item'), 'id') ?? '';
    const piece = textOrEmpty(fieldOf(event, 'delta'));
    const within = `${fieldOf(event, 'summary_index') ?? ''} ${fieldOf(event, 'content_index') ?? ''}`;
    switch (type) {
      case 'response.created':
        this.choice({});
        return false;
      case 'response.output_text.delta':
        this.say('content', piece, index, '');
        return false;
      case 'response.refusal.delta':
        this.say('refusal', piece, index, '');
        return false;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.sayThought(type, piece, index, within);
        return false;
      case 'response.output_item.added':
        this.open(fieldOf(event, 'item'), fieldOf(event, 'output_index'));
        return false;
      case 'response.function_call_arguments.delta':
        this.growCall(this.calls.ofPiece(event), piece);
        return false;
      case 'response.function_call_arguments.done':
        this.closeCall(this.calls.ofPiece(event), textOrEmpty(fieldOf(event, 'arguments')));
        return false;
      case 'response.output_item.done':
        this.takeItem(index, fieldOf(event, 'item'), fieldOf(event, 'output_index'));
        this.keep(fieldOf(event, 'item'));
        return false;
    }
    const isWhole = fieldOf(event, 'object') === 'response';
    if (!isWhole && !END.test(type)) return false;
    this.takeEnd(isWhole ? event : fieldOf(event, 'response'), END.exec(type)?.[1]);
    return true;
  }

  private takeEnd(response: unknown, ended: string | undefined): void {
    const output = listOf(fieldOf(response, 'output'));
    for (const [index, item] of output.entries()) this.takeItem(index, item);
    if (output.length > 0) this.record.replace(output.flatMap((item) => partOf(item) ?? []));
    this.count(fieldOf(response, 'usage'));
    const status = ended ?? textOrEmpty(fieldOf(response, 'status'));
    const reason = textOrEmpty(fieldOf(fieldOf(response, 'incomplete_details'), 'reason'));
    this.choice({}, this.finishOf(status, reason));
  }

  private finishOf(status: string, reason: string): string {
    if (status === 'incomplete') return reason || 'length';
    if (status === 'failed' || status === 'cancelled') return 'error';
    return this.hasCalls ? 'tool_calls' : 'stop';
  }

  private keep(item: unknown): void {
    const part = partOf(item);
    if (part) this.record.add(part);
  }

  /** Takes the rest of a finished item that did not come in pieces. `index`: of its call, where the server names one. */
  private takeItem(place: unknown, item: unknown, index?: unknown): void {
    const type = fieldOf(item, 'type');
    if (type === 'function_call') {
      this.closeCall(this.open(item, index), textOrEmpty(fieldOf(item, 'arguments')));
    } else if (type === 'message') {
      this.sayWhole('content', textsOf(fieldOf(item, 'content')), place);
      this.sayWhole('refusal', textsOf(fieldOf(item, 'content'), 'refusal'), place);
    } else if (type === 'reasoning') {
      const summary = listOf(fieldOf(item, 'summary')).map((each) => textOrEmpty(fieldOf(each, 'text')));
      this.sayWhole('reasoning', summary.filter((text) => text !== '').join('\n\n') || textsOf(fieldOf(item, 'content')), place);
    }
  }

  private sayWhole(name: Said, text: string, place: unknown): void {
    if (this.taken.has(`${name} ${place}`) || withoutSpaces(this.said.get(name) ?? '').includes(withoutSpaces(text))) return;
    this.say(name, text, place, '');
  }

  private open(item: unknown, index: unknown): OpenCall | undefined {
    if (fieldOf(item, 'type') !== 'function_call') return undefined;
    const call = this.calls.ofItem(item, index);
    if (call.hasName) return call;
    call.hasName = true;
    this.hasCalls = true;
    const [named, name] = [fieldOf(item, 'call_id') ?? fieldOf(item, 'id'), fieldOf(item, 'name')];
    // The assembler gives a call without an id one of its own.
    const id = this.ids.has(named) ? undefined : named;
    this.ids.add(named);
    this.choice({ tool_calls: [{ index: call.at, id, function: { name } }] });
    return call;
  }

  private growCall(call: OpenCall, json: string): void {
    if (json === '') return;
    call.hasArguments = true;
    this.choice({ tool_calls: [{ index: call.at, function: { arguments: json } }] });
  }

  private closeCall(call: OpenCall | undefined, json: string): void {
    if (call && !call.hasArguments) this.growCall(call, json);
  }

  /** A server tells its thoughts or their summary; one that tells both tells them twice. */
  private sayThought(type: string, text: string, index: unknown, within: string): void {
    this.taken.add(`${type} ${index}`);
    const isSummary = type.includes('summary');
    if (this.taken.has(`response.reasoning_${isSummary ? '' : 'summary_'}text.delta ${index}`)) return;
    this.say('reasoning', text, index, within);
  }

  /** Items, and parts of a summary, stand apart. */
  private say(name: Said, text: string, index: unknown, within: string): void {
    if (text === '') return;
    this.taken.add(`${name} ${index}`);
    const place = `${name} ${index} ${within}`;
    const isApart = this.said.has(name) && this.last !== place && !this.taken.has(place);
    this.taken.add(place);
    this.last = place;
    this.said.set(name, (this.said.get(name) ?? '') + text);
    this.choice({ [name]: isApart ? `\n\n${text}` : text });
  }

  private choice(delta: Fields, finish?: string): void {
    this.assembler.take({ choices: [{ delta, ...(finish === undefined ? {} : { finish_reason: finish }) }] });
  }

  private count(usage: unknown): void {
    if (!isRecord(usage)) return;
    const { input_tokens: prompt, output_tokens: completion, total_tokens: total } = usage;
    const prompt_tokens_details = usage.input_tokens_details;
    this.assembler.take({ usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total, prompt_tokens_details } });
  }
}

class OpenAIResponses implements WireFormat {
  readonly route = (): string => '/responses';
  readonly listRoute = (): string => '/models';
  readonly headers = bearer;
  private readonly settings: ModelSettings;
  private options: ResponsesOptions;

  constructor(settings: ModelSettings) {
    this.settings = settings;
    this.options = optionsByName(settings.model);
  }

  body(request: CompletionRequest): RequestBody {
    return buildResponsesBody(this.settings, request, this.options);
  }

  reader(assembler: AnswerAssembler): ResponsesReader {
    return new ResponsesReader(assembler, this.settings.model);
  }

  dropRefused(words: string): boolean {
    const { encrypted, summary, sampling } = this.options;
    if (encrypted && /encrypted|reasoning.{0,20}item|item.{0,20}reasoning|'?include'?/iu.test(words))
      this.options = { ...this.options, encrypted: false };
    else if (summary && /summar/iu.test(words)) this.options = { ...this.options, summary: false };
    else if (sampling && /temperature|top_p/iu.test(words)) this.options = { ...this.options, sampling: false };
    else return false;
    return true;
  }

  dropAdded(): (() => void) | null {
    const before = this.options;
    if (!before.encrypted && !before.summary) return null;
    this.options = { ...before, encrypted: false, summary: false };
    return () => {
      this.options = before;
    };
  }
}

export const responsesWire = (settings: ModelSettings): WireFormat => new OpenAIResponses(settings);
