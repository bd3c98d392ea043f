import type OpenAI from 'openai';
import { APIError } from 'openai';
import { describeThrown, ToolError } from '../../tools/contract/errors.ts';
import type { Complete, CompletionRequest, CompletionResult, ModelDelta } from '../../tools/contract/messages.ts';
import { DEFINITION_WEIGHT, estimateTokens } from '../../tools/util/estimate-tokens.ts';
import { isRecord } from '../../tools/util/plain-value.ts';
import { AnswerAssembler } from '../answer/answer-assembler.ts';
import { readAnswer } from '../answer/answer-stream.ts';
import { newCallId } from '../call-id.ts';
import { InterruptedAnswer, type LanguageModel, type ModelSettings, type Prepare } from '../language-model.ts';
import { windowKey } from '../learnt-of-model.ts';
import { isLocalAddress } from '../local-address.ts';
import { abortedError, toModelError } from '../model-errors.ts';
import { ModelWindow, type WindowMemory, windowMemory } from '../model-window.ts';
import { headerValues } from './host-names.ts';
import { createClient, LONGEST_MS, noAddress } from './openai-client.ts';
import { addressOf, readAddress, type ServerAddress } from './server-address.ts';
import { type AskServer, askServerFacts, servedWindow } from './server-window.ts';
import { type MakeWireFormat, type WireFormat, withThoughts } from './wire-format.ts';

export interface ServerModelOptions extends ModelSettings {
  readonly fetch?: typeof globalThis.fetch;
  readonly idleMs?: number;
  readonly now?: () => number;
  /** What overflows revealed; by default for the page only. */
  readonly windows?: WindowMemory;
  /** Called when a local server publishes whether the model accepts tools; before the request that asked for its window. */
  readonly onTakesTools?: (takesTools: boolean) => void;
  readonly hostConfig?: () => unknown;
  readonly newCallId?: () => string;
  readonly readingMs?: number;
}

function usedCallIds(request: CompletionRequest): ReadonlySet<string> {
  return new Set(
    request.messages.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []).map((call) => call.id) : [])),
  );
}

const carriesThoughts = ({ messages }: CompletionRequest): boolean =>
  messages.some((message) => message.role === 'assistant' && message.tool_calls?.some(({ extra_fields }) => extra_fields?.thoughts));

const isRefusal = (error: unknown): error is APIError => error instanceof APIError && (error.status === 400 || error.status === 422);

function checked(assembler: AnswerAssembler, sawEnd: boolean, settings: ModelSettings): CompletionResult {
  if (!assembler.answered) {
    throw new ToolError(
      'model_bad_answer',
      `${settings.baseURL} answered without a choice`,
      'send again; if it happens again, choose another model',
    );
  }
  if (assembler.finished || (sawEnd && !assembler.broken)) return assembler.result();
  throw new InterruptedAnswer(
    'the connection ended in the middle of the answer',
    'what had arrived is kept; send again to get a whole answer',
    assembler.result(),
  );
}

/** A model may think for minutes before its first word; a dead connection stays silent for ever. */
const IDLE_MS = 300_000;
/** A local one may read a long question for longer; its connection stays open as long as it works. */
const LOCAL_IDLE_MS = LONGEST_MS;

/** For a quicker one the line would only flicker. */
const READING_MS = 2000;

class IdleTimer {
  expired = false;
  private readonly ms: number;
  private readonly onExpired: () => void;
  private timer: ReturnType<typeof setTimeout>;
  private last = Date.now();

  constructor(ms: number, onExpired: () => void) {
    this.ms = ms;
    this.onExpired = onExpired;
    this.timer = setTimeout(this.look, ms);
  }

  restart(): void {
    this.last = Date.now();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private readonly look = (): void => {
    const left = this.last + this.ms - Date.now();
    if (left > 0) {
      this.timer = setTimeout(this.look, left);
      return;
    }
    this.expired = true;
    this.onExpired();
  };
}

function silent({ baseURL }: ModelSettings): ToolError {
  return new ToolError(
    'model_unreachable',
    `nothing more came from ${baseURL}`,
    'check that the provider works, then send again; a quicker model may help',
  );
}

class ServerModel implements LanguageModel {
  readonly label: string;
  readonly model: string;
  readonly window: ModelWindow;
  private readonly options: ServerModelOptions;
  private readonly wire: WireFormat;
  private readonly server: ServerAddress | null;
  private readonly settings: ModelSettings;
  private readonly now: () => number;
  private client: OpenAI | undefined;

  constructor(options: ServerModelOptions, makeWire: MakeWireFormat) {
    this.options = options;
    this.server = readAddress(options.baseURL);
    this.settings = { ...options, baseURL: this.server?.base ?? options.baseURL };
    this.wire = makeWire(this.settings);
    this.now = options.now ?? Date.now;
    this.label = options.label ?? options.model;
    this.model = options.model;
    this.window = new ModelWindow({
      model: options.model,
      key: windowKey(options.baseURL, options.model),
      memory: options.windows ?? windowMemory(),
      given: options.window,
      isLocal: isLocalAddress(this.settings.baseURL),
      isListed: this.wire.modelRoute !== undefined,
      served: (signal) => this.served(signal),
    });
  }

  // Bound: a chat calls it without its object.
  readonly complete: Complete = async (request, signal, onDelta) => {
    if (signal.aborted) throw abortedError();
    if (this.server === null) throw noAddress(this.options.baseURL);
    const client = this.clientFor(this.server.base);
    const assembler = this.assemblerFor(request, onDelta);
    const reader = this.wire.reader(assembler);
    const controller = new AbortController();
    const forward = (): void => controller.abort(signal.reason);
    const idle = new IdleTimer(this.silenceMs(), () => controller.abort());
    signal.addEventListener('abort', forward, { once: true });
    const reading = this.announceReading(request, signal, onDelta);
    try {
      const sawEnd = await readAnswer(await this.post(client, request, controller.signal, onDelta), (chunk) => {
        if (signal.aborted) throw abortedError();
        idle.restart();
        clearTimeout(reading);
        return reader.take(chunk);
      });
      if (signal.aborted) throw abortedError();
      return withThoughts(checked(assembler, sawEnd, this.settings), reader.thoughts);
    } catch (error) {
      if (signal.aborted) throw abortedError();
      throw this.failure(idle.expired ? silent(this.settings) : error, assembler);
    } finally {
      clearTimeout(reading);
      idle.stop();
      signal.removeEventListener('abort', forward);
    }
  };

  readonly prepare: Prepare = async (request) => {
    if (this.server === null) throw noAddress(this.options.baseURL);
    return { address: addressOf(this.server, this.wire.route(this.server.base)), body: JSON.stringify(this.wire.body(request)) };
  };

  private silenceMs(): number {
    const { idleMs, timeoutMs = 0 } = this.options;
    return idleMs ?? Math.min(LONGEST_MS, Math.max(isLocalAddress(this.settings.baseURL) ? LOCAL_IDLE_MS : IDLE_MS, timeoutMs));
  }

  private async served(signal: AbortSignal): Promise<number | undefined> {
    if (this.server === null) return undefined;
    const { model, baseURL: base } = this.settings;
    const client = this.clientFor(this.server.base);
    const ask: AskServer = (url, until, body) =>
      body === undefined ? client.get(url, { signal: until }) : client.post(url, { signal: until, body });
    const { modelRoute, listRoute } = this.wire;
    if (modelRoute && !isLocalAddress(base)) {
      const described = await client.get(modelRoute(base, model), { signal });
      return servedWindow({ data: [isRecord(described) ? { ...described, id: model } : {}] }, model);
    }
    const list = await client.get(listRoute(base), { signal });
    const { window, takesTools } = await askServerFacts({ base, model }, list, ask, signal);
    if (takesTools !== undefined) this.options.onTakesTools?.(takesTools);
    return window ?? servedWindow(list, model);
  }

  /** A local server may read a long request for minutes: reported if nothing arrives for a while. */
  private announceReading(
    request: CompletionRequest,
    signal: AbortSignal,
    onDelta: (delta: ModelDelta) => void,
  ): ReturnType<typeof setTimeout> | undefined {
    if (!isLocalAddress(this.settings.baseURL)) return undefined;
    return setTimeout(() => {
      const { messages, tools = [] } = request;
      const texts = messages.map(({ content }) => content).join('\n');
      const tokens = Math.round(estimateTokens(texts) + estimateTokens(JSON.stringify(tools)) * DEFINITION_WEIGHT);
      if (!signal.aborted) onDelta({ type: 'reading', tokens });
    }, this.options.readingMs ?? READING_MS);
  }

  /** Created for the first request: a model is often created only to show its name. What headers name may change from one to the next. */
  private clientFor(address: string): OpenAI {
    const { headers, hostConfig, apiKey } = this.options;
    const own = this.wire.headers(address, apiKey);
    if (headers) return createClient(this.options, address, { ...own, ...headerValues(headers, address, hostConfig?.()) });
    this.client ??= createClient(this.options, address, own);
    return this.client;
  }

  private assemblerFor(request: CompletionRequest, onDelta: (delta: ModelDelta) => void): AnswerAssembler {
    return new AnswerAssembler({
      onDelta,
      now: this.now,
      startedAt: this.now(),
      newCallId: this.options.newCallId ?? newCallId,
      usedCallIds: usedCallIds(request),
    });
  }

  private async post(
    client: OpenAI,
    request: CompletionRequest,
    signal: AbortSignal,
    onDelta: (delta: ModelDelta) => void,
  ): Promise<Response> {
    for (;;) {
      try {
        return await this.send(client, request, signal);
      } catch (error) {
        if (isRefusal(error) && this.wire.dropRefused(error.message)) continue;
        if (!this.mayBeOurs(error, request)) throw error;
        const response = await this.sendBare(client, request, signal, error);
        onDelta({ type: 'left-out' });
        return response;
      }
    }
  }

  private async send(client: OpenAI, request: CompletionRequest, signal: AbortSignal): Promise<Response> {
    return client.post(this.wire.route(this.settings.baseURL), { body: this.wire.body(request), signal }).asResponse();
  }

  /** Tells if a refusal whose words are not understood may be of something that we added. A thought that is gone is answered with 404. */
  private mayBeOurs(error: unknown, request: CompletionRequest): boolean {
    if (error instanceof APIError && error.status === 404) return carriesThoughts(request);
    return isRefusal(error) && toModelError(error, this.settings, this.now()).code === 'model_bad_request';
  }

  /** Once, without what we added; where that is refused as well, it was not the reason. */
  private async sendBare(client: OpenAI, request: CompletionRequest, signal: AbortSignal, refusal: unknown): Promise<Response> {
    const undo = this.wire.dropAdded(describeThrown(refusal));
    if (undo === null) throw refusal;
    try {
      return await this.send(client, request, signal);
    } catch {
      undo();
      throw refusal;
    }
  }

  private failure(error: unknown, assembler: AnswerAssembler): ToolError {
    const known = toModelError(error, this.settings, this.now());
    if (known.code === 'model_context_overflow') this.window.readLimit(known.message);
    if (assembler.empty || error instanceof InterruptedAnswer) return known;
    const message =
      known.code === 'model_unreachable' ? 'the connection broke in the middle of the answer' : `the answer broke off: ${known.message}`;
    return new InterruptedAnswer(message, 'what had arrived is kept; send again to get a whole answer', assembler.result(), known.detail);
  }
}

/** A model behind an address, in the wire format of its protocol; does not retry, and each failure names its next step. */
export function createServerModel(options: ServerModelOptions, makeWire: MakeWireFormat): LanguageModel {
  return new ServerModel(options, makeWire);
}
