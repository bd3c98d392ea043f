import { isToolError } from '../tools/contract/errors.ts';
import type {
  ChatOption,
  Complete,
  CompletionRequest,
  CompletionResult,
  JsonSchema,
  ModelDelta,
  ToolCall,
  ToolDefinition,
} from '../tools/contract/messages.ts';
import type { ToolArguments } from '../tools/contract/types.ts';
import { coerceArguments } from '../tools/executor/arguments.ts';
import { readCall } from '../tools/executor/legal-calls.ts';
import { linkSignals } from '../tools/util/abort.ts';
import { schemaAllows } from '../tools/util/schema.ts';
import type { ParsedToolRequest, RequestStream, StreamPart, ToolCallingProtocol, ToolDefinitionInput } from './contract.ts';
import { resolveRequest, resolveToolName } from './resolve.ts';
import { groupsOf, hasStop, textRequest } from './text-request.ts';
import { isMixed, nodeOf } from './text-values.ts';

/** A request's arguments as fragments of JSON text: text passes as it arrives, other values wait until they have a type. */
class ArgumentFragments {
  private readonly schema: JsonSchema | undefined;
  private readonly send: (fragment: string) => void;
  private readonly sent = new Set<string>();
  /** The argument whose value is being written; `text` if it waits. */
  private open: { readonly key: string; readonly isText: boolean; readonly isMixed: boolean; text: string } | undefined;
  private begun = false;

  constructor(schema: JsonSchema | undefined, send: (fragment: string) => void) {
    this.schema = schema;
    this.send = send;
  }

  take(key: string, text: string): void {
    if (this.open?.key !== key) {
      this.closeValue();
      const node = nodeOf(this.schema, key);
      const isText = node === undefined || (schemaAllows(node, 'string') && !isMixed(node));
      this.open = { key, isText, isMixed: isMixed(node), text: '' };
      if (isText) this.send(`${this.nameOf(key)}"`);
    }
    if (this.open.isText) this.send(JSON.stringify(text).slice(1, -1));
    else this.open.text += text;
  }

  end(args: ToolArguments): void {
    this.closeValue();
    for (const [key, value] of Object.entries(args)) if (!this.sent.has(key)) this.sendValue(key, value);
    this.send(this.begun ? '}' : '{}');
  }

  private closeValue(): void {
    const { open } = this;
    this.open = undefined;
    if (open?.isText) this.send('"');
    // Its type is known when the whole request has been read.
    else if (open && !open.isMixed && open.text.trim() !== 'null')
      for (const [key, value] of Object.entries(coerceArguments({ [open.key]: open.text }, this.schema ?? {}))) this.sendValue(key, value);
  }

  private sendValue(key: string, value: unknown): void {
    this.send(`${this.nameOf(key)}${JSON.stringify(value)}`);
  }

  private nameOf(key: string): string {
    this.sent.add(key);
    const before = this.begun ? ',' : '{';
    this.begun = true;
    return `${before}${JSON.stringify(key)}:`;
  }
}

interface TextAnswerParts {
  readonly protocol: ToolCallingProtocol;
  readonly tools: readonly ToolDefinition[];
  readonly onDelta: (delta: ModelDelta) => void;
  /** A new id for each request, even if the model gives one: it may give it again in a later round. */
  readonly newCallId: () => string;
}

interface OpenRequest {
  readonly id: string;
  name: string;
  /** Undefined until the name is known: arguments that arrive before it wait in `early`. */
  fragments: ArgumentFragments | undefined;
  readonly early: (readonly [key: string, text: string])[];
}

/** Splits an arriving answer into text and deltas of calls; after a request only requests count, and an invented result ends it. */
export class TextAnswer {
  private readonly parts: TextAnswerParts;
  private readonly stream: RequestStream;
  private readonly known: readonly ToolDefinitionInput[];
  private readonly requests = new Map<number, OpenRequest>();
  private readonly calls: ToolCall[] = [];
  private readonly made = new Set<string>();
  private content = '';
  /** White space that ends the words if a request follows, and belongs to them otherwise. */
  private space = '';
  private ended = false;
  /** Something other than a request follows one: parsing stops. */
  private over = false;
  private behind = '';
  private cut = false;
  private thought = false;

  constructor(parts: TextAnswerParts) {
    this.parts = parts;
    this.known = groupsOf(parts.tools);
    this.stream = parts.protocol.stream((name) => resolveToolName(name, this.known) !== undefined);
  }

  /** The model's reasoning arrives separately, so that nothing in the text is reasoning. */
  noteThought(): void {
    this.thought = true;
  }

  get isCut(): boolean {
    return this.cut;
  }

  get text(): string {
    return this.content;
  }

  get isInterrupted(): boolean {
    return this.calls.at(-1)?.invalid !== undefined;
  }

  isEmpty = true;

  take(text: string): void {
    if (text !== '') this.isEmpty = false;
    if (!this.ended) for (const part of this.stream.take(text)) this.takePart(part);
  }

  /** The end: what is open is interrupted, unless generation was `stopped` at the end of a request. */
  end(stopped = false): void {
    if (this.ended) return;
    for (const part of this.stream.end(stopped)) this.takePart(part);
    this.ended = true;
    if (this.calls.length === 0) this.say(this.space);
  }

  /** The parsed answer instead of the raw text; calls made by the provider stay, except those that are also in the text. */
  resultOf(inner: Omit<CompletionResult, 'content'>): CompletionResult {
    const calls = [...this.calls, ...inner.tool_calls.filter((call) => !this.made.has(readCall(call).key))];
    return { ...inner, content: this.content, tool_calls: calls, finishReason: calls.length > 0 ? 'tool_calls' : inner.finishReason };
  }

  private takePart(part: StreamPart): void {
    if (part.type === 'text') this.takeText(part.text);
    else if (this.over) return;
    else if (part.type === 'start') this.requestAt(part.index);
    else if (part.type === 'name') this.begin(this.requestAt(part.index), part.index, part.toolName);
    else if (part.type === 'argument') this.takeArgument(part.index, part.key, part.text);
    else this.finish(part.index, part.request);
  }

  private takeText(text: string): void {
    const isBehindRequest = this.calls.length > 0;
    if (isBehindRequest) {
      const { resultStart } = this.parts.protocol;
      this.over ||= text.trim() !== '';
      const behind = this.behind + text;
      this.cut ||= this.over && (this.thought || behind.includes(resultStart));
      this.behind = behind.slice(1 - resultStart.length);
      return;
    }
    const words = (this.space + text).trimEnd();
    this.space = (this.space + text).slice(words.length);
    this.say(words);
  }

  private say(text: string): void {
    if (text === '') return;
    this.content += text;
    this.parts.onDelta({ type: 'text', text });
  }

  private requestAt(index: number): OpenRequest {
    const known = this.requests.get(index);
    if (known) return known;
    const made: OpenRequest = { id: this.parts.newCallId(), name: '', fragments: undefined, early: [] };
    this.requests.set(index, made);
    return made;
  }

  private begin(request: OpenRequest, index: number, written: string): ArgumentFragments {
    if (request.fragments) return request.fragments;
    request.name = resolveToolName(written, this.known) ?? written;
    const { onDelta } = this.parts;
    onDelta({ type: 'toolCallStart', index, id: request.id, name: request.name });
    const fragments = new ArgumentFragments(this.toolOf(request.name)?.function.parameters, (argumentsDelta) =>
      onDelta({ type: 'toolCallArgs', index, argumentsDelta }),
    );
    request.fragments = fragments;
    for (const [key, text] of request.early) fragments.take(key, text);
    return fragments;
  }

  private takeArgument(index: number, key: string, text: string): void {
    const request = this.requestAt(index);
    if (request.fragments) request.fragments.take(key, text);
    else request.early.push([key, text]);
  }

  private finish(index: number, parsed: ParsedToolRequest): void {
    const { toolName: name, args: written } = resolveRequest(parsed, this.known);
    const args = this.coerced(name, written);
    const { key } = readCall({ id: '', type: 'function', function: { name, arguments: JSON.stringify(args) } });
    // The same call runs once in an answer, as a native one does: some models write it again, in this form or in their own.
    if (parsed.invalid === undefined && this.made.has(key)) {
      this.requests.delete(index);
      return;
    }
    if (parsed.invalid === undefined) this.made.add(key);
    const request = this.requestAt(index);
    const fragments = this.begin(request, index, name);
    // A field after the first ones may have named the tool.
    if (request.name !== name) this.parts.onDelta({ type: 'toolCallStart', index, id: request.id, name });
    fragments.end(args);
    this.requests.delete(index);
    this.calls.push({
      ...{ id: request.id, type: 'function', function: { name, arguments: JSON.stringify(args) } },
      ...(parsed.invalid === undefined ? {} : { invalid: parsed.invalid }),
      ...(parsed.warnings.length === 0 ? {} : { warnings: parsed.warnings }),
    });
  }

  private toolOf(name: string): ToolDefinition | undefined {
    return this.parts.tools.find((tool) => tool.function.name === name);
  }

  /** Converted to the types of the tool's schema; what does not fit is unchanged, and reported by the executor. */
  private coerced(name: string, args: ToolArguments): ToolArguments {
    const schema = this.toolOf(name)?.function.parameters;
    return schema === undefined ? args : coerceArguments(args, schema);
  }
}

export interface TextCompleteDeps {
  readonly protocol: ToolCallingProtocol;
  readonly options?: ChatOption;
  readonly stops: StopSequences;
  readonly newCallId: () => string;
  /** The error that interrupted an answer, with its partial answer rewritten; any other error unchanged. */
  readonly rewritePartial: (error: unknown, rewrite: (partial: CompletionResult) => CompletionResult) => unknown;
  readonly now: () => number;
}

/** Whether requests to a server have stop sequences. */
export interface StopSequences {
  areOff(): boolean;
  /** The server refused them: no request has them from now on. */
  refuse(): void;
  /** One was inside a request and cut it, or drafts of calls were in thoughts: the next request has none, or it would be cut there. */
  pause(paused: boolean): void;
}

/** A request as it is sent to a model whose tools are described in text. */
export function requestInText(request: CompletionRequest, { protocol, options = {}, stops }: TextCompleteDeps): CompletionRequest {
  const isOpen = !stops.areOff() && !hasStop({ ...options, ...request.chatOption });
  return textRequest(request, protocol, isOpen ? protocol.stopSequences : []);
}

/** Makes a model that calls tools in text look like one with native calls; only its own answer is searched. Rejects like `inner`. */
export function textComplete(inner: Complete, deps: TextCompleteDeps): Complete {
  return async (request, signal, onDelta) => {
    const sent = requestInText(request, deps);
    try {
      return await readTextAnswer(inner, request, sent, signal, onDelta, deps);
    } catch (error) {
      if (!refusesStop(error, sent, request) || signal.aborted) throw error;
      deps.stops.refuse();
      return readTextAnswer(inner, request, requestInText(request, deps), signal, onDelta, deps);
    }
  };
}

const hasOurStop = (sent: CompletionRequest, asked: CompletionRequest): boolean =>
  hasStop(sent.chatOption ?? {}) && !hasStop(asked.chatOption ?? {});

/** A server that does not support `stop`, if it was added here. */
function refusesStop(error: unknown, sent: CompletionRequest, asked: CompletionRequest): boolean {
  return hasOurStop(sent, asked) && isToolError(error) && error.code === 'model_bad_request' && /\bstop\b/i.test(error.message);
}

/** Indexes of calls that the provider itself parsed: after those that were parsed here. */
const NATIVE_FROM = 1000;

/** Reads one answer until it ends, or until it continues after its requests with what it cannot know. */
async function readTextAnswer(
  inner: Complete,
  asked: CompletionRequest,
  sent: CompletionRequest,
  signal: AbortSignal,
  onDelta: (delta: ModelDelta) => void,
  deps: TextCompleteDeps,
): Promise<CompletionResult> {
  const { protocol, newCallId, now } = deps;
  const begin = (): TextAnswer => new TextAnswer({ protocol, tools: asked.tools ?? [], onDelta, newCallId });
  let answer = begin();
  const startedAt = now();
  let firstToken: number | undefined;
  let reasoning = '';
  let wasThought = false;
  const enough = new AbortController();
  const linked = linkSignals([signal, enough.signal]);
  let settle = (_: null): void => undefined;
  const cut = new Promise<null>((resolve) => {
    settle = resolve;
  });
  const take = (delta: ModelDelta): void => {
    if (answer.isCut) return;
    if (delta.type === 'text' || delta.type === 'reasoning') firstToken ??= now() - startedAt;
    if (delta.type === 'reasoning') reasoning += delta.text;
    // A call in thoughts is a draft.
    if (delta.type === 'text-was-reasoning') {
      [reasoning, answer, wasThought] = [reasoning + answer.text, begin(), true];
    }
    if (delta.type === 'reasoning' || delta.type === 'text-was-reasoning') answer.noteThought();
    if (delta.type === 'text') answer.take(delta.text);
    else onDelta('index' in delta ? { ...delta, index: NATIVE_FROM + delta.index } : delta);
    if (!answer.isCut) return;
    // First, so that the abort does not count as a failure.
    settle(null);
    enough.abort();
  };
  try {
    const result = await Promise.race([inner(sent, linked.signal, take), cut]);
    if (result === null) {
      const total = now() - startedAt;
      return answer.resultOf({
        ...{ tool_calls: [], finishReason: 'tool_calls', time: { firstToken: firstToken ?? total, total } },
        ...(reasoning === '' ? {} : { reasoning }),
      });
    }
    if (answer.isEmpty) answer.take(result.content);
    // The server omits the stop sequence.
    const isStopped = result.finishReason === 'stop' && hasOurStop(sent, asked);
    answer.end(isStopped);
    deps.stops.pause(wasThought || (isStopped && answer.isInterrupted));
    return answer.resultOf(result);
  } catch (error) {
    answer.end();
    throw deps.rewritePartial(error, (partial) => ({ ...partial, content: answer.text }));
  } finally {
    linked.release();
  }
}
