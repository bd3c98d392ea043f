import {
  type ContentBlock,
  client,
  type InitializeResponse,
  type McpServer,
  methods,
  PROTOCOL_VERSION,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
  type Stream,
} from '@agentclientprotocol/sdk';
import { ToolError } from '../../tools/contract/errors.ts';
import { visibleText } from '../../tools/safe-content/unseen.ts';
import { abortableWait, linkSignals, orAborted } from '../../tools/util/abort.ts';
import { frameName } from '../../tools/util/markers.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { type AskedTool, isOfTheMachine, isOwnTool } from './agent-tools.ts';

/** What an agent tells while it works on a prompt. `used`: a tool that it does not say is ours; `refused`: it may not use it. */
export type GuestUpdate =
  | { readonly kind: 'text' | 'thought'; readonly text: string }
  | { readonly kind: 'plan'; readonly steps: readonly { readonly text: string; readonly isDone: boolean }[] }
  | { readonly kind: 'used'; readonly title: string }
  | { readonly kind: 'refused'; readonly title: string; readonly why: string };

/** The messages of a running program, both ways; `closed` resolves when it has ended. */
export interface AgentStream extends Stream {
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export interface AgentLinkDeps {
  /** For people. */
  readonly name: string;
  readonly version: string;
  /** An empty folder: an agent wants one to work in, and gets none of the user's. */
  readonly folder: () => Promise<string>;
  /** Starts the agent. Rejects with `program_missing`. */
  readonly start: () => Promise<AgentStream>;
  /** Milliseconds in which an agent that looks for our tools by itself is waited for; 0: it is not. */
  readonly listMs?: number;
}

export interface GuestPrompt {
  readonly text: string;
  readonly pictures: readonly { readonly mime: string; readonly base64: string }[];
  /** Where it finds our tools; null for none. */
  readonly tools: {
    readonly url: string;
    readonly token: string;
    readonly names: readonly string[];
    /** Resolves once it has asked which there are. */
    readonly listed: Promise<void>;
  } | null;
  readonly onUpdate: (update: GuestUpdate) => void;
  /** Asks the person; resolves with the chosen option, or another text. Absent: nobody can be asked. */
  readonly askPerson?: ((question: string, options: readonly string[], signal: AbortSignal) => Promise<string>) | undefined;
}

/** A session while it is prompted. */
interface OpenPrompt extends Pick<GuestPrompt, 'onUpdate' | 'askPerson'> {
  readonly names: ReadonlySet<string>;
  readonly signal: AbortSignal;
  /** What the program said of calls that it began, by their ids. */
  readonly begun: Map<string, AskedTool>;
}

const ALLOW = 'Allow';
/** Characters of a question to a person. */
const QUESTION_MOST = 2000;

/** Milliseconds that an agent may take to start, or to begin a session. */
const PATIENCE_MS = 120_000;
const LIST_MS = 10_000;
/** From the list to tools that its model is offered. */
const TAKEN_MS = 300;
const AUTH_REQUIRED = -32_000;
/** The name of our server towards an agent: part of the names that it gives our tools. */
const SERVER_NAME = 'marginalia';

/** Asked of those that know it: Claude Code. */
const NO_TOOLS_OF_ITS_OWN = { disableBuiltInTools: true };

interface Running {
  readonly stream: AgentStream;
  readonly agent: ReturnType<ReturnType<typeof client>['connect']>['agent'];
  readonly capabilities: NonNullable<InitializeResponse['agentCapabilities']>;
}

interface Asked {
  readonly allows: boolean;
  readonly why: string;
}

/** Another agent program that speaks the Agent Client Protocol: started when it is asked, without a folder and without a shell of ours. */
export class AgentLink {
  private readonly deps: AgentLinkDeps;
  private readonly prompts = new Map<string, OpenPrompt>();
  /** How the program calls itself. */
  private program = '';
  private running: Promise<Running> | undefined;
  /** It looks for tools only when it calls one: it is not waited for again. */
  private listsLate = false;

  constructor(deps: AgentLinkDeps) {
    this.deps = deps;
  }

  /** Resolves with the protocol's reason for the end. Rejects with ToolError; `aborted` when it was stopped. */
  async prompt({ text, pictures, tools, onUpdate, askPerson }: GuestPrompt, signal: AbortSignal): Promise<string> {
    const { agent, capabilities } = await this.open();
    const takesTools = capabilities.mcpCapabilities?.http === true;
    if (tools && !takesTools)
      onUpdate({ kind: 'thought', text: `${this.deps.name} takes no tools by HTTP: it answers without the notes.\n` });
    const mcpServers: McpServer[] =
      tools && takesTools
        ? [{ type: 'http', name: SERVER_NAME, url: tools.url, headers: [{ name: 'Authorization', value: `Bearer ${tools.token}` }] }]
        : [];
    const limit = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    const { sessionId } = await this.ask(
      agent.request(
        methods.agent.session.new,
        { cwd: await this.deps.folder(), mcpServers, _meta: NO_TOOLS_OF_ITS_OWN },
        { cancellationSignal: limit },
      ),
      signal,
    );
    if (tools && takesTools && !(await this.untilListed(tools.listed, signal)))
      onUpdate({ kind: 'thought', text: `${this.deps.name} has not asked which tools there are: it may answer without the notes.\n` });
    const names = new Set(mcpServers.length > 0 ? tools?.names : []);
    this.prompts.set(sessionId, { onUpdate, askPerson, names, signal, begun: new Map() });
    const cancel = (): void => void agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => undefined);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const images = capabilities.promptCapabilities?.image === true ? pictures : [];
      const prompt: ContentBlock[] = [
        { type: 'text', text },
        ...images.map(({ mime, base64 }): ContentBlock => ({ type: 'image', mimeType: mime, data: base64 })),
      ];
      const { stopReason } = await this.ask(agent.request(methods.agent.session.prompt, { sessionId, prompt }), signal);
      return stopReason;
    } finally {
      signal.removeEventListener('abort', cancel);
      this.prompts.delete(sessionId);
    }
  }

  async close(): Promise<void> {
    const running = this.running;
    this.running = undefined;
    // One that could not be started has nothing to end.
    await (await running?.catch(() => undefined))?.stream.close();
  }

  /** Gemini CLI and Qwen Code answer that a session is there before they have its tools, and a model that is asked then has none. */
  private async untilListed(listed: Promise<void>, signal: AbortSignal): Promise<boolean> {
    const { listMs = LIST_MS } = this.deps;
    if (this.listsLate || listMs === 0) return true;
    const wait = linkSignals([signal], listMs);
    await orAborted(listed, wait.signal).then(
      () => abortableWait(TAKEN_MS, signal),
      () => undefined,
    );
    wait.release();
    this.listsLate = wait.timedOut();
    return !this.listsLate;
  }

  private open(): Promise<Running> {
    this.running ??= this.start().catch((error: unknown) => {
      this.running = undefined;
      throw this.failure(error);
    });
    return this.running;
  }

  private async start(): Promise<Running> {
    const stream = await this.deps.start();
    const app = client({ name: SERVER_NAME })
      .onRequest(methods.client.session.requestPermission, ({ params }) => this.permission(params))
      .onNotification(methods.client.session.update, ({ params: { sessionId, update } }) => this.take(sessionId, update));
    const { agent } = app.connect(stream);
    inBackground(
      stream.closed.then(() => {
        this.running = undefined;
      }),
    );
    try {
      const {
        agentCapabilities = {},
        protocolVersion,
        agentInfo,
      } = await agent.request(
        methods.agent.initialize,
        {
          protocolVersion: PROTOCOL_VERSION,
          clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
          clientInfo: { name: SERVER_NAME, title: 'Marginalia', version: this.deps.version },
        },
        { cancellationSignal: AbortSignal.timeout(PATIENCE_MS) },
      );
      if (protocolVersion !== PROTOCOL_VERSION)
        throw new ToolError('model_bad_answer', `${this.deps.name} speaks another revision of the protocol`, 'update it');
      this.program = agentInfo?.name ?? '';
      return { stream, agent, capabilities: agentCapabilities };
    } catch (error) {
      await stream.close();
      throw error;
    }
  }

  /** An answer, or what happened before there was one. */
  private async ask<Answer>(answer: Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    try {
      return await answer;
    } catch (error) {
      if (signal.aborted) throw new ToolError('aborted', 'the answer was stopped', 'send again when you want to go on');
      throw this.failure(error);
    }
  }

  private failure(error: unknown): ToolError {
    const { name } = this.deps;
    if (error instanceof ToolError) return error;
    if (error instanceof RequestError && error.code === AUTH_REQUIRED)
      return new ToolError(
        'model_unauthorized',
        `${name} wants you to sign in`,
        `start ${name} once in a terminal, sign in, and send again`,
      );
    const said = error instanceof Error ? error.message.slice(0, 300) : 'it ended';
    return new ToolError(
      'model_bad_answer',
      `${name}: ${said}`,
      `try again; if it stays, start ${name} in a terminal and see what it says`,
    );
  }

  private take(sessionId: string, update: SessionUpdate): void {
    const prompt = this.prompts.get(sessionId);
    if (!prompt) return;
    if (update.sessionUpdate === 'tool_call') prompt.begun.set(update.toolCallId, { kind: update.kind, _meta: update._meta });
    if (update.sessionUpdate === 'tool_call' && this.isOwn(prompt, update)) return;
    const known = updateOf(update);
    if (known) prompt.onUpdate(known);
  }

  private isOwn({ names }: OpenPrompt, tool: AskedTool): boolean {
    return isOwnTool(tool, { server: SERVER_NAME, names }, this.program);
  }

  /** Our tools ask by themselves. What else it may do on this machine is not ours to allow; what may be either is asked. */
  private async permission({ sessionId, toolCall, options }: RequestPermissionRequest) {
    const prompt = this.prompts.get(sessionId);
    const { allows, why } = await this.decide(prompt, toolCall);
    if (!allows) prompt?.onUpdate({ kind: 'refused', title: toolCall.title ?? '', why });
    const wanted = allows ? (['allow_once', 'allow_always'] as const) : (['reject_once', 'reject_always'] as const);
    const option = wanted.flatMap((kind) => options.find((each) => each.kind === kind) ?? [])[0];
    if (!option) return { outcome: { outcome: 'cancelled' as const } };
    return { outcome: { outcome: 'selected' as const, optionId: option.optionId } };
  }

  private async decide(prompt: OpenPrompt | undefined, toolCall: RequestPermissionRequest['toolCall']): Promise<Asked> {
    if (!prompt) return { allows: false, why: 'its answer is over' };
    const begun = prompt.begun.get(toolCall.toolCallId);
    if (isOfTheMachine(toolCall) || (begun && isOfTheMachine(begun))) return { allows: false, why: 'it works on this machine' };
    if (this.isOwn(prompt, toolCall) || (begun && this.isOwn(prompt, begun))) return { allows: true, why: '' };
    const mayBeOurs = prompt.names.size > 0 && (toolCall.kind ?? 'other') === 'other';
    if (!mayBeOurs || !prompt.askPerson) return { allows: false, why: `${this.deps.name} does not say that it is a tool of the notes` };
    const question = questionAbout(this.deps.name, toolCall);
    if (question === null) return { allows: false, why: 'its arguments are too long to be shown' };
    const answer = await prompt.askPerson(question, [ALLOW, 'Do not allow'], prompt.signal).catch(() => '');
    // What is asked is a result of a tool: the answer is its first line.
    return { allows: answer.split('\n', 1)[0]?.trim() === ALLOW, why: 'nobody allowed it' };
  }
}

/** Null if it is too long to be shown whole. */
function questionAbout(name: string, { title, rawInput }: RequestPermissionRequest['toolCall']): string | null {
  const input = rawInput === undefined ? '' : ` with ${visibleText(JSON.stringify(rawInput))}`;
  const question = `${name} asks for a tool and does not say which server it belongs to: “${frameName(title ?? '', 200)}”${input}. Allow it once?`;
  return question.length > QUESTION_MOST ? null : question;
}

function updateOf(update: SessionUpdate): GuestUpdate | undefined {
  switch (update.sessionUpdate) {
    case 'agent_message_chunk':
      return update.content.type === 'text' ? { kind: 'text', text: update.content.text } : undefined;
    case 'agent_thought_chunk':
      return update.content.type === 'text' ? { kind: 'thought', text: update.content.text } : undefined;
    case 'plan':
      return { kind: 'plan', steps: update.entries.map(({ content, status }) => ({ text: content, isDone: status === 'completed' })) };
    case 'tool_call':
      return { kind: 'used', title: update.title };
    default:
      return undefined;
  }
}
