import type { ToolCallingProtocol, ToolDefinitionInput } from '../../protocol/contract.ts';
import { formatResultsForContext, processToolCallCycle } from '../../protocol/cycle.ts';
import { allTools, createToolDiscovery } from '../../protocol/discovery.ts';
import type { RequestExecutor } from '../../protocol/execute-requests.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ToolChainEventBody } from '../../tools/contract/events.ts';
import type { ToolDefinition } from '../../tools/contract/messages.ts';
import type { Clock, UserQuestion } from '../../tools/contract/ports.ts';
import type { ToolCallConfig } from '../../tools/contract/tool-call-config.ts';
import type {
  ApprovalDecision,
  ApprovalRequest,
  ToolArguments,
  ToolEffect,
  ToolExecuteResult,
  ToolExecuteStatus,
} from '../../tools/contract/types.ts';
import { InlineApprovalAdapter } from '../../tools/executor/approvals.ts';
import { parseArguments } from '../../tools/executor/arguments.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { InlineAskUser } from '../../tools/executor/questions.ts';
import { abortedResult } from '../../tools/executor/results.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';
import { type ActivityStore, TESTER_SESSION } from '../activity/activity.ts';
import { ActivityRecorder } from '../activity/recorder.ts';
import type { ExecutorPorts } from '../turn/session-deps.ts';

export interface ToolTesterDeps {
  /** An executor like a chat's: with variables and approvals of its own. */
  readonly executor: (ports: ExecutorPorts) => ToolExecutor;
  /** The tools of the open chat, with its current switches and policies: the tester keeps none of its own. */
  readonly chat: () => Pick<ToolExecutor, 'groups' | 'listTools' | 'registryVersion' | 'getEnabledToolDefinitions' | 'toolRules'>;
  /** How the calls in a text are run. */
  readonly toolCalls: () => ToolCallConfig;
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
  /** Of a dry run: what would have been asked, with its plan, what would be sent, or what would run. */
  readonly planned?: ApprovalRequest;
}

/** The outcome of running the requests in a text. */
export interface TesterCycle {
  /** Of the runs, in the order in which they began; a request that could not be read has none. */
  readonly callIds: readonly string[];
  /** As the results would go back to the model; '' while they run. */
  readonly reply: string;
}

/** What a model is currently told about the tools. */
export interface ToldTools {
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
  /** Of the last text whose requests were run. */
  readonly cycle?: TesterCycle;
  /** Records could not be saved. */
  readonly notice?: EventError;
}

/** How many runs are kept. */
const KEPT_RUNS = 10;

const DRY: ApprovalDecision = { approved: false, reason: 'dry run' };

/**
 * Tries tools out, one call at a time: with its own variables and approvals, and the same gates, rights, journal and records as the
 * calls of a chat. What was allowed for one call is forgotten before the next. Nothing here rejects.
 */
export class ToolTester {
  readonly executor: ToolExecutor;
  readonly sessionId: string;
  private readonly deps: ToolTesterDeps;
  private readonly approvals = new InlineApprovalAdapter();
  private readonly questions = new InlineAskUser();
  private readonly recorder: ActivityRecorder;
  private readonly listeners = new Set<(view: TesterView) => void>();
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
        this.tell();
      },
    });
    for (const waiting of [this.approvals, this.questions]) waiting.subscribe(() => this.tell());
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
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  describe(name: string): ToolDescription | undefined {
    const tool = this.executor.getTool(name);
    const definition = this.executor.definitionOf(name);
    if (!tool || !definition) return undefined;
    const tokens = estimateTokens(JSON.stringify(definition));
    return { definition, effect: tool.effect, tokens, varies: tool.traits !== undefined };
  }

  /** What the open chat's model is currently told about its tools. */
  told(): ToldTools {
    const chat = this.deps.chat();
    return {
      rules: chat.toolRules(),
      definitions: chat.getEnabledToolDefinitions(),
      described: createToolDiscovery(chat).getDiscoveredMethods(),
    };
  }

  /** Every tool, on or off: what a name in a text may refer to. */
  known(): readonly ToolDefinitionInput[] {
    return allTools(this.deps.chat());
  }

  /** One call through every gate of the executor; undefined while another is running. */
  async run(kind: RunKind, tool: string, args: ToolArguments): Promise<TesterRun | undefined> {
    return this.alone((signal) => {
      const run = this.begin(kind, tool, args, this.deps.newId());
      return kind === 'dry' ? this.plan(run, signal) : this.execute(run, signal);
    });
  }

  /** Runs the requests in a text as a model's are run; undefined while another call is running. */
  async runText(text: string, protocol: ToolCallingProtocol): Promise<TesterCycle | undefined> {
    return this.alone(async (signal) => {
      const messageId = this.deps.newId();
      this.cycle = { callIds: [], reply: '' };
      const { executor } = this;
      const recording: RequestExecutor = {
        scheduleOf: (name, args) => executor.scheduleOf(name, args),
        getTool: (name) => executor.getTool(name),
        isCallable: (name) => executor.isCallable(name),
        listTools: () => executor.listTools(),
        registryVersion: executor.registryVersion,
        execute: async (name, args, { timeoutMs } = {}) => {
          const run = this.begin('run', name, parseArguments(args), messageId);
          this.cycle = { callIds: [...(this.cycle?.callIds ?? []), run.callId], reply: '' };
          return (await this.execute(run, signal, timeoutMs)).result ?? abortedResult();
        },
      };
      this.follow('run');
      const config: ToolCallConfig = { ...this.deps.toolCalls(), enabled: true, mode: 'auto' };
      const options = {
        executor: recording,
        clock: this.deps.clock,
        config,
        protocol,
        signal,
        sessionId: this.sessionId,
        nodeId: messageId,
      };
      const { executionResults } = await processToolCallCycle(text, options);
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

  answer(callId: string, text: string | null): void {
    this.questions.answer(callId, text);
  }

  dispose(): void {
    this.stop();
    this.approvals.dispose();
    this.questions.dispose();
    this.listeners.clear();
  }

  /** Nothing else runs meanwhile. */
  private async alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.running) return undefined;
    const controller = new AbortController();
    this.running = controller;
    try {
      return await work(controller.signal);
    } finally {
      this.running = null;
      this.tell();
    }
  }

  private begin(kind: RunKind, tool: string, args: ToolArguments, messageId: string): TesterRun {
    const { newId, clock } = this.deps;
    const { sessionId } = this;
    const run: TesterRun = { callId: newId(), sessionId, messageId, kind, tool, args, started: clock.now(), status: 'running' };
    this.runs = [run, ...this.runs].slice(0, KEPT_RUNS);
    this.follow(kind);
    this.tell();
    return run;
  }

  private async execute(run: TesterRun, signal: AbortSignal, timeoutMs?: number): Promise<TesterRun> {
    const { callId, messageId, tool, args } = run;
    this.recorder.begin({ callId, nodeId: messageId, tool, arguments: args });
    const waits = new Map<string, number>();
    let waited = 0;
    const onEvent = (event: ToolChainEventBody): void => {
      const now = this.deps.clock.now();
      if (event.type === 'approval-request') waits.set(event.approvalId, now);
      if (event.type === 'approval-end') waited += now - (waits.get(event.approvalId) ?? now);
      if (event.type === 'approval-request') this.change(run, { status: 'waiting' });
      if (event.type === 'approval-end') this.change(run, { status: 'running' });
      if (event.type === 'tool-arguments') this.recorder.received({ callId }, event.arguments);
      if (event.type === 'tool-progress') this.change(run, { progress: event.message });
    };
    const options = { callId, sessionId: this.sessionId, nodeId: messageId, signal, confirmed: true, onEvent };
    const result = await this.executor.execute(tool, args, { ...options, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    const durationMs = Math.max(0, this.deps.clock.now() - run.started - waited);
    this.recorder.end({ callId }, result, durationMs);
    return this.change(run, { status: result.status, result, durationMs });
  }

  /** Everything but the call itself: when approval is asked for, the request is kept and answered with no. */
  private async plan(run: TesterRun, signal: AbortSignal): Promise<TesterRun> {
    const { callId, messageId, tool, args } = run;
    let planned: ApprovalRequest | undefined;
    const forget = this.approvals.beforehand(callId, (request) => {
      planned = request;
      return DRY;
    });
    try {
      const result = await this.executor.execute(tool, args, {
        callId,
        sessionId: this.sessionId,
        nodeId: messageId,
        signal,
        confirmed: true,
      });
      const durationMs = Math.max(0, this.deps.clock.now() - run.started);
      return this.change(run, planned ? { status: 'planned', planned, durationMs } : { status: result.status, result, durationMs });
    } finally {
      forget();
    }
  }

  /** Current switches and policies, and no approvals from an earlier call. In a dry run every call asks, so that none runs. */
  private follow(kind: RunKind): void {
    const { executor } = this;
    executor.approvalRecords.clear();
    for (const { name, enabled, tools } of this.deps.chat().groups()) {
      executor.toggleGroupEnabled(name, enabled);
      for (const tool of tools) {
        executor.setToolEnabled(tool.name, tool.enabled);
        executor.setPermission(tool.name, tool.permission);
      }
    }
    if (kind === 'run') return;
    const always = { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } as const;
    for (const { tools } of executor.groups()) for (const { name } of tools) executor.setPermission(name, always);
  }

  private change(run: TesterRun, changed: Partial<TesterRun>): TesterRun {
    let now = run;
    this.runs = this.runs.map((each) => {
      if (each.callId !== run.callId) return each;
      now = { ...each, ...changed };
      return now;
    });
    this.tell();
    return now;
  }

  private tell(): void {
    const view = this.view();
    for (const listener of [...this.listeners]) listener(view);
  }
}

/** "Allow for this chat" is not offered: there is no chat here, and each call asks again. */
function onceOnly({ scope: _scope, lasting: _lasting, ...request }: ApprovalRequest): ApprovalRequest {
  return request;
}
