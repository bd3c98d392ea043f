import { type ActivityStore, TESTER_SESSION } from '../../chat/activity/activity.ts';
import { ActivityRecorder } from '../../chat/activity/recorder.ts';
import type { ExecutorPorts } from '../../chat/turn/session-deps.ts';
import type { ToolCallingProtocol, ToolDefinitionInput } from '../../protocol/contract.ts';
import { formatResultsForContext, processToolCallCycle } from '../../protocol/cycle.ts';
import { getDiscoveredMethods } from '../../protocol/discovery.ts';
import { ChainHistory, resultOf } from '../../tools/chain/chain-history.ts';
import { createEventEmitter } from '../../tools/chain/event-stream.ts';
import { callOf, runCall } from '../../tools/chain/run-call.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { CallDetail, ToolChainEvent } from '../../tools/contract/events.ts';
import type { ToolDefinition } from '../../tools/contract/messages.ts';
import type { Clock, UserQuestion } from '../../tools/contract/ports.ts';
import type {
  ApprovalDecision,
  ApprovalRequest,
  ToolArguments,
  ToolEffect,
  ToolExecuteResult,
  ToolExecuteStatus,
} from '../../tools/contract/types.ts';
import { InlineApprovalAdapter } from '../../tools/executor/approvals.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { followSwitches } from '../../tools/executor/listed-tools.ts';
import { InlineAskUser } from '../../tools/executor/questions.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';
import { Listeners } from '../../tools/util/notify.ts';

export interface ToolTesterDeps {
  /** An executor like a chat's, with its own variables and approvals. */
  readonly executor: (ports: ExecutorPorts) => ToolExecutor;
  /** The tools of the open chat, with its current switches and policies: the tester has none of its own. */
  readonly chat: () => Pick<ToolExecutor, 'groups' | 'listTools' | 'getEnabledToolDefinitions' | 'toolRules'>;
  /** Where its calls are recorded. */
  readonly activity: ActivityStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
}

/** How a tool describes itself. */
export interface ToolDescription {
  /** As sent to the model. */
  readonly definition: ToolDefinition;
  readonly effect: ToolEffect;
  /** Of the definition as JSON, estimated. */
  readonly tokens: number;
  /** Its operations differ in effect and permission. */
  readonly varies: boolean;
}

/** `dry`: checked and planned, but not run. */
export type RunKind = 'run' | 'dry';

/** One call that was run here. */
export interface TesterRun {
  readonly callId: string;
  /** Together with the session, finds its writes in the journal and its record in Activity. */
  readonly sessionId: string;
  readonly messageId: string;
  readonly kind: RunKind;
  readonly tool: string;
  /** As they were given. */
  readonly args: ToolArguments;
  /** Milliseconds since the epoch. */
  readonly started: number;
  /** `planned`: a dry run that got as far as asking for approval. */
  readonly status: 'running' | 'waiting' | 'planned' | ToolExecuteStatus;
  readonly progress?: string;
  /** Without the time a person took to decide. */
  readonly durationMs?: number;
  readonly result?: ToolExecuteResult;
  /** For a dry run: the approval that would have been requested, with its plan, what would be sent, or what would run. */
  readonly planned?: ApprovalRequest;
}

/** The outcome of running the requests in a text. */
export interface TesterCycle {
  /** The runs in the order in which they began; a request that could not be parsed has none. */
  readonly callIds: readonly string[];
  /** The results as the model would get them; '' while they run. */
  readonly reply: string;
}

/** The tool definitions and rules that a model gets now. */
export interface ToolInstructions {
  readonly rules: string;
  readonly definitions: readonly ToolDefinition[];
  readonly described: readonly ToolDefinitionInput[];
}

export interface TesterView {
  /** Newest first. */
  readonly runs: readonly TesterRun[];
  readonly busy: boolean;
  readonly approvals: readonly ApprovalRequest[];
  readonly questions: readonly UserQuestion[];
  /** The result of the last text whose requests were run. */
  readonly cycle?: TesterCycle;
  /** Records could not be saved. */
  readonly notice?: EventError;
}

/** How many runs are kept. */
const KEPT_RUNS = 10;

const DRY: ApprovalDecision = { approved: false, reason: 'dry run' };

/**
 * Tries out tools one call at a time, with its own variables and approvals, and the same gates, rights, journal and records as the
 * calls of a chat. What was allowed for one call is forgotten before the next. Nothing here rejects.
 */
export class ToolTester {
  readonly executor: ToolExecutor;
  readonly sessionId: string;
  private readonly deps: ToolTesterDeps;
  private readonly approvals = new InlineApprovalAdapter();
  private readonly questions = new InlineAskUser();
  private readonly recorder: ActivityRecorder;
  private readonly listeners = new Listeners<[view: TesterView]>();
  private runs: readonly TesterRun[] = [];
  private notice: EventError | undefined;
  private cycle: TesterCycle | undefined;
  private running: AbortController | null = null;

  constructor(deps: ToolTesterDeps) {
    this.deps = deps;
    this.sessionId = `${TESTER_SESSION}${deps.newId()}`;
    this.executor = deps.executor({ approvalAdapter: this.approvals, askUser: this.questions });
    this.recorder = new ActivityRecorder({
      ...{ store: deps.activity, sessionId: this.sessionId, newId: deps.newId, now: deps.clock.now },
      effectOf: (tool, args) => this.executor.effectOf(tool, args),
      question: () => null,
      onTrouble: (error) => {
        this.notice = error;
        this.notify();
      },
    });
    for (const waiting of [this.approvals, this.questions]) waiting.subscribe(() => this.notify());
    this.follow('run');
  }

  view(): TesterView {
    return {
      runs: this.runs,
      busy: this.running !== null,
      approvals: this.approvals.list().map(onceOnly),
      questions: this.questions.list(),
      ...(this.cycle ? { cycle: this.cycle } : {}),
      ...(this.notice ? { notice: this.notice } : {}),
    };
  }

  /** Calls back after every change; returns a function that stops it. */
  subscribe(listener: (view: TesterView) => void): () => void {
    return this.listeners.add(listener);
  }

  describe(name: string): ToolDescription | undefined {
    const tool = this.executor.getTool(name);
    const definition = this.executor.definitionOf(name);
    if (!tool || !definition) return undefined;
    const tokens = estimateTokens(JSON.stringify(definition));
    return { definition, effect: tool.effect, tokens, varies: tool.traits !== undefined };
  }

  /** The tool definitions and rules that the open chat's model gets now. */
  instructions(): ToolInstructions {
    const chat = this.deps.chat();
    return {
      rules: chat.toolRules(),
      definitions: chat.getEnabledToolDefinitions(),
      described: getDiscoveredMethods(chat),
    };
  }

  /** Every tool, on or off: what a name in a text may refer to. */
  known(): readonly ToolDefinitionInput[] {
    return getDiscoveredMethods(this.deps.chat(), () => true);
  }

  /** One call through every gate of the executor; undefined while another is running. */
  async run(kind: RunKind, tool: string, args: ToolArguments): Promise<TesterRun | undefined> {
    return this.alone(async (signal) => {
      const { newId } = this.deps;
      const messageId = newId();
      const callId = newId();
      this.follow(kind);
      if (kind === 'dry') await this.plan(this.begin(kind, callId, messageId, tool, args), signal);
      else {
        await runCall(callOf(callId, tool, args), this.context(messageId, signal));
      }
      return this.runs.find((run) => run.callId === callId);
    });
  }

  /** Runs the requests in a text as a model's are run; undefined while another call is running. */
  async runText(text: string, protocol: ToolCallingProtocol): Promise<TesterCycle | undefined> {
    return this.alone(async (signal) => {
      const { newId } = this.deps;
      this.cycle = { callIds: [], reply: '' };
      this.follow('run');
      const context = this.context(newId(), signal);
      context.emitter.subscribe((event) => {
        if (event.type === 'tool-start') this.cycle = { callIds: [...(this.cycle?.callIds ?? []), event.callId], reply: '' };
      });
      const { executionResults } = await processToolCallCycle(text, { ...context, protocol, newCallId: newId });
      this.cycle = { ...this.cycle, reply: formatResultsForContext(executionResults, protocol.id) };
      return this.cycle;
    });
  }

  stop(): void {
    this.running?.abort();
  }

  decide(approvalId: string, decision: ApprovalDecision): void {
    this.approvals.decide(approvalId, decision);
  }

  revise(approvalId: string, args: ToolArguments): Promise<void> {
    return this.approvals.revise(approvalId, args);
  }

  answer(callId: string, text: string | null): void {
    this.questions.answer(callId, text);
  }

  dispose(): void {
    this.stop();
    this.approvals.dispose();
    this.questions.dispose();
    this.listeners.clear();
  }

  /** Runs it while nothing else runs. */
  private async alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.running) return undefined;
    const controller = new AbortController();
    this.running = controller;
    try {
      return await work(controller.signal);
    } finally {
      this.running = null;
      this.notify();
    }
  }

  private begin(kind: RunKind, callId: string, messageId: string, tool: string, args: ToolArguments): TesterRun {
    const { sessionId } = this;
    const run: TesterRun = { callId, sessionId, messageId, kind, tool, args, started: this.deps.clock.now(), status: 'running' };
    this.runs = [run, ...this.runs].slice(0, KEPT_RUNS);
    this.notify();
    return run;
  }

  /** The context of calls by a person: shown and recorded as their events arrive. */
  private context(messageId: string, signal: AbortSignal) {
    const { executor, sessionId } = this;
    const { clock } = this.deps;
    const history = new ChainHistory();
    const asking = new Map<string, string>();
    const onEvent = (event: ToolChainEvent, detail?: CallDetail): void => {
      history.take(event, detail);
      let recorded = event;
      if (event.type === 'tool-start') this.begin('run', event.callId, messageId, event.tool, event.arguments);
      if (event.type === 'tool-progress') this.change(event.callId, { progress: event.message });
      if (event.type === 'approval-request') {
        asking.set(event.approvalId, event.callId);
        this.change(event.callId, { status: 'waiting' });
      }
      if (event.type === 'approval-end') this.change(asking.get(event.approvalId), { status: 'running' });
      if (event.type === 'tool-end') {
        const { waitedMs = 0 } = history.entries().find(({ callId }) => callId === event.callId) ?? {};
        const ended = { ...event, durationMs: Math.max(0, event.durationMs - waitedMs) };
        this.change(event.callId, { status: event.status, result: resultOf(event, detail), durationMs: ended.durationMs });
        recorded = ended;
      }
      this.recorder.take(messageId, recorded, detail);
    };
    const emitter = createEventEmitter({ sessionId, turnId: messageId, clock, onEvent });
    return { asker: 'tester', executor, signal, emitter, options: { sessionId, nodeId: messageId, clock } } as const;
  }

  /** Everything except the call itself: when approval is requested, the request is saved and rejected. */
  private async plan(run: TesterRun, signal: AbortSignal): Promise<void> {
    const { callId, messageId, tool, args } = run;
    let planned: ApprovalRequest | undefined;
    const forget = this.approvals.beforehand(callId, (request) => {
      planned = request;
      return DRY;
    });
    try {
      // Nothing of it is shown or recorded but its end.
      const emitter = { emit: () => undefined };
      const result = await runCall(callOf(callId, tool, args), { ...this.context(messageId, signal), emitter });
      const durationMs = Math.max(0, this.deps.clock.now() - run.started);
      this.change(callId, planned ? { status: 'planned', planned, durationMs } : { status: result.status, result, durationMs });
    } finally {
      forget();
    }
  }

  /** Applies the current switches and policies. In a dry run every call asks, so that none runs. */
  private follow(kind: RunKind): void {
    const { executor } = this;
    followSwitches(executor, this.deps.chat().groups());
    if (kind === 'run') return;
    const always = { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } as const;
    for (const { tools } of executor.groups()) for (const { name } of tools) executor.setPermission(name, always);
  }

  private change(callId: string | undefined, changed: Partial<TesterRun>): void {
    this.runs = this.runs.map((run) => (run.callId === callId ? { ...run, ...changed } : run));
    this.notify();
  }

  private notify(): void {
    const view = this.view();
    this.listeners.call(view);
  }
}

/** "Allow for this chat" is not offered: there is no chat here, and each call asks again. */
function onceOnly({ scope: _scope, lasting: _lasting, ...request }: ApprovalRequest): ApprovalRequest {
  return request;
}
