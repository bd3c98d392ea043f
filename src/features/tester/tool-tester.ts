import { type ActivityStore, TESTER_SESSION } from '../../chat/activity/activity.ts';
import { ActivityRecorder } from '../../chat/activity/recorder.ts';
import type { ExecutorPorts } from '../../chat/turn/session-deps.ts';
import type { ToolCallView } from '../../chat/view/view.ts';
import type { ToolCallingProtocol, ToolDefinitionInput } from '../../protocol/contract.ts';
import { formatResultsForContext, processToolCallCycle } from '../../protocol/cycle.ts';
import { getDiscoveredMethods } from '../../protocol/discovery.ts';
import { ChainHistory, resultOf } from '../../tools/chain/chain-history.ts';
import { createEventEmitter } from '../../tools/chain/event-stream.ts';
import { callOf, runCall } from '../../tools/chain/run-call.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { CallDetail, ToolChainEvent } from '../../tools/contract/events.ts';
import type { Clock, UserQuestion } from '../../tools/contract/ports.ts';
import type { ApprovalDecision, ApprovalRequest, ToolArguments, ToolExecuteResult, ToolExecuteStatus } from '../../tools/contract/types.ts';
import { InlineApprovalAdapter } from '../../tools/executor/approvals.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { followSwitches } from '../../tools/executor/listed-tools.ts';
import { InlineAskUser } from '../../tools/executor/questions.ts';
import { Listeners } from '../../tools/util/notify.ts';

export interface ToolTesterDeps {
  /** An executor like a chat's, with its own variables and approvals. */
  readonly executor: (ports: ExecutorPorts) => ToolExecutor;
  /** The tools of the open chat, with its current switches and policies: the tester has none of its own. */
  readonly chat: () => Pick<ToolExecutor, 'groups' | 'listTools' | 'getEnabledToolDefinitions' | 'toolRules'>;
  readonly activity: ActivityStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
}

/** `dry`: checked and planned, but not run. */
export type RunKind = 'run' | 'dry';

/** One call that was run here; its ids find its writes in the journal and its record in Activity. */
export interface TesterRun extends Pick<ToolCallView, 'callId' | 'tool' | 'args' | 'started' | 'progress' | 'durationMs'> {
  readonly sessionId: string;
  readonly messageId: string;
  readonly kind: RunKind;
  /** `planned`: a dry run that got as far as asking for approval. */
  readonly status: 'running' | 'waiting' | 'planned' | ToolExecuteStatus;
  readonly result?: ToolExecuteResult;
  /** For a dry run: the approval that would have been requested, with its plan, what would be sent, or what would run. */
  readonly planned?: ApprovalRequest;
}

/** The outcome of running the requests in a text: the runs in the order in which they began, and what the model would get; '' at first. */
export interface TesterCycle {
  readonly callIds: readonly string[];
  readonly reply: string;
}

export interface TesterView {
  readonly runs: readonly TesterRun[];
  readonly busy: boolean;
  readonly approvals: readonly ApprovalRequest[];
  readonly questions: readonly UserQuestion[];
  readonly cycle?: TesterCycle;
  /** Records could not be saved. */
  readonly notice?: EventError;
}

type State = Pick<TesterView, 'runs' | 'cycle' | 'notice'>;

const KEPT_RUNS = 10;
const DRY: ApprovalDecision = { approved: false, reason: 'dry run' };

/**
 * Runs tools one call at a time through the gates, rights, journal and records of a chat, with variables and approvals of its own.
 * What was allowed for one call is forgotten before the next. Nothing here rejects.
 */
export class ToolTester {
  readonly executor: ToolExecutor;
  readonly sessionId: string;
  private readonly deps: ToolTesterDeps;
  private readonly approvals = new InlineApprovalAdapter();
  private readonly questions = new InlineAskUser();
  private readonly recorder: ActivityRecorder;
  private readonly listeners = new Listeners<[view: TesterView]>();
  private state: State = { runs: [] };
  private running: AbortController | null = null;

  constructor(deps: ToolTesterDeps) {
    this.deps = deps;
    this.sessionId = `${TESTER_SESSION}${deps.newId()}`;
    this.executor = deps.executor({ approvalAdapter: this.approvals, askUser: this.questions });
    this.recorder = new ActivityRecorder({
      ...{ store: deps.activity, sessionId: this.sessionId, newId: deps.newId, now: deps.clock.now },
      effectOf: (tool, args) => this.executor.effectOf(tool, args),
      question: () => null,
      onTrouble: (notice) => this.set({ notice }),
    });
    for (const waiting of [this.approvals, this.questions]) waiting.subscribe(() => this.set({}));
    this.follow('run');
  }

  view(): TesterView {
    const { approvals, questions } = this;
    return { ...this.state, busy: this.running !== null, approvals: approvals.list().map(onceOnly), questions: questions.list() };
  }

  subscribe(listener: (view: TesterView) => void): () => void {
    return this.listeners.add(listener);
  }

  /** `definition`: as sent to the model. `varies`: its operations differ in effect and permission. */
  describe(name: string) {
    const tool = this.executor.getTool(name);
    const definition = this.executor.definitionOf(name);
    if (!tool || !definition) return undefined;
    return { definition, effect: tool.effect, varies: tool.traits !== undefined };
  }

  /** The rules and definitions of tools that the open chat's model gets now. */
  instructions() {
    const chat = this.deps.chat();
    return { rules: chat.toolRules(), definitions: chat.getEnabledToolDefinitions(), described: getDiscoveredMethods(chat) };
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
      else await runCall(callOf(callId, tool, args), this.context(messageId, signal));
      return this.state.runs.find((run) => run.callId === callId);
    });
  }

  /** Runs the requests in a text as a model's are run; undefined while another call is running. */
  async runText(text: string, protocol: ToolCallingProtocol): Promise<TesterCycle | undefined> {
    return this.alone(async (signal) => {
      const { newId } = this.deps;
      let cycle: TesterCycle = { callIds: [], reply: '' };
      this.set({ cycle });
      this.follow('run');
      const context = this.context(newId(), signal);
      context.emitter.subscribe((event) => {
        if (event.type !== 'tool-start') return;
        cycle = { callIds: [...cycle.callIds, event.callId], reply: '' };
        this.set({ cycle });
      });
      const { executionResults } = await processToolCallCycle(text, { ...context, protocol, newCallId: newId });
      cycle = { ...cycle, reply: formatResultsForContext(executionResults, protocol.id) };
      this.set({ cycle });
      return cycle;
    });
  }

  readonly stop = (): void => this.running?.abort();
  readonly decide: InlineApprovalAdapter['decide'] = (...given) => this.approvals.decide(...given);
  readonly revise: InlineApprovalAdapter['revise'] = (...given) => this.approvals.revise(...given);
  readonly answer: InlineAskUser['answer'] = (...given) => this.questions.answer(...given);

  dispose(): void {
    this.stop();
    this.approvals.dispose();
    this.questions.dispose();
    this.listeners.clear();
  }

  private async alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.running) return undefined;
    const controller = new AbortController();
    this.running = controller;
    try {
      return await work(controller.signal);
    } finally {
      this.running = null;
      this.set({});
    }
  }

  private begin(kind: RunKind, callId: string, messageId: string, tool: string, args: ToolArguments): TesterRun {
    const { sessionId, deps, state } = this;
    const run: TesterRun = { callId, sessionId, messageId, kind, tool, args, started: deps.clock.now(), status: 'running' };
    this.set({ runs: [run, ...state.runs].slice(0, KEPT_RUNS) });
    return run;
  }

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
    for (const { name } of executor.groups().flatMap(({ tools }) => tools))
      executor.setPermission(name, { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' });
  }

  private change(callId: string | undefined, changed: Partial<TesterRun>): void {
    this.set({ runs: this.state.runs.map((run) => (run.callId === callId ? { ...run, ...changed } : run)) });
  }

  private set(changed: Partial<State>): void {
    this.state = { ...this.state, ...changed };
    this.listeners.call(this.view());
  }
}

/** "Allow for this chat" is not offered: there is no chat here, and each call asks again. */
function onceOnly({ scope: _scope, lasting: _lasting, ...request }: ApprovalRequest): ApprovalRequest {
  return request;
}
