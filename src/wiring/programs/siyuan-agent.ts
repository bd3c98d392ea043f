// A file of its own in the built plugin, loaded where SiYuan's own agent is offered our tools.
import type { ActivityStore } from '../../chat/activity/activity.ts';
import { HOST_AGENT_SESSION } from '../../chat/activity/activity.ts';
import { ActivityRecorder } from '../../chat/activity/recorder.ts';
import type { ExecutorPorts } from '../../chat/turn/session-deps.ts';
import { errorText, ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { JsonSchema } from '../../tools/contract/messages.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import type { ApprovalDecision, ApprovalRequest, ToolArguments, ToolEffect } from '../../tools/contract/types.ts';
import { InlineApprovalAdapter } from '../../tools/executor/approvals.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { followSwitches } from '../../tools/executor/listed-tools.ts';
import { InlineAskUser } from '../../tools/executor/questions.ts';
import { Turns } from '../../tools/util/turns.ts';

/** What SiYuan 3.8 takes (read from the types of its plugins, not measured). */
export interface AgentCapability {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** They steer whether SiYuan asks by default. */
  readonly effects: {
    readonly localRead: boolean;
    readonly localWrite: boolean;
    readonly dataEgress: boolean;
    readonly externalCost: boolean;
  };
  readonly handler: (args: unknown) => Promise<CapabilityAnswer>;
}

interface CapabilityAnswer {
  readonly result?: string;
  readonly error?: string;
}

export interface SiYuanAgentDeps {
  /** An executor like a chat's, with its own variables and approvals. */
  readonly executor: (ports: ExecutorPorts) => ToolExecutor;
  /** The tools of the open chat, with its current switches and policies. */
  readonly chat: () => Pick<ToolExecutor, 'groups'>;
  readonly activity: ActivityStore;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: () => string;
  /** Whether the person lets SiYuan's agent in now. */
  readonly isOn: () => boolean;
  /** Milliseconds after which a call that waits for a person is answered with "pending". */
  readonly waitMs: () => number;
  /** What waits for a person has changed. */
  readonly onChange: () => void;
}

export const NAME_PREFIX = 'marginalia_';
const PENDING = `${NAME_PREFIX}pending_change`;
/** UTF-16 units of a schema: SiYuan sends all of them with each request, and one that it cannot compile fails the whole request. */
const MAX_SCHEMA = 20_000;
/** Calls that have not ended. */
const MAX_OPEN = 20;

const effectsOf = (effect: ToolEffect): AgentCapability['effects'] => ({
  ...{ localRead: true, localWrite: effect === 'write' },
  ...{ dataEgress: effect === 'outgoing', externalCost: effect === 'outgoing' },
});

const titleOf = (name: string): string => `Marginalia: ${name.replaceAll('_', ' ')}`;

/** A schema that every validator takes: an object, of a sensible size, without references. */
export const isSafeSchema = (schema: JsonSchema): boolean => {
  const text = JSON.stringify(schema);
  return schema.type === 'object' && text.length <= MAX_SCHEMA && !text.includes('"$ref"');
};

const asArguments = (args: unknown): ToolArguments =>
  typeof args === 'object' && args !== null && !Array.isArray(args) ? { ...args } : {};

/** SiYuan's own agent as another program: the same executor, rights, plans, approvals by the person, records and Undo. */
export class SiYuanAgent {
  private readonly deps: SiYuanAgentDeps;
  private readonly executor: ToolExecutor;
  private readonly approvals = new InlineApprovalAdapter();
  private readonly questions = new InlineAskUser();
  private readonly recorder: ActivityRecorder;
  private readonly sessionId: string;
  /** Calls that were answered with "pending", until their result was fetched. */
  private readonly open = new Map<string, Promise<CapabilityAnswer>>();
  private readonly writes = new Turns(1);
  private readonly closing = new AbortController();
  private running = 0;

  constructor(deps: SiYuanAgentDeps) {
    this.deps = deps;
    this.sessionId = `${HOST_AGENT_SESSION}${deps.newId()}`;
    this.executor = deps.executor({ approvalAdapter: this.approvals, askUser: this.questions });
    this.recorder = new ActivityRecorder({
      ...{ store: deps.activity, sessionId: this.sessionId, newId: deps.newId, now: deps.clock.now },
      effectOf: (tool, args) => this.executor.effectOf(tool, args),
      question: () => null,
      onTrouble: () => undefined,
    });
    this.approvals.subscribe(() => deps.onChange());
  }

  /** The tools that are on, under names of our own. */
  capabilities(): readonly AgentCapability[] {
    this.follow();
    const tools = this.executor.getEnabledToolDefinitions().flatMap(({ function: { name, description, parameters } }) => {
      const tool = this.executor.getTool(name);
      if (!tool || !this.mayCall(name) || !isSafeSchema(parameters)) return [];
      return [
        {
          ...{ name: `${NAME_PREFIX}${name}`, title: titleOf(name), description, inputSchema: parameters },
          effects: effectsOf(tool.effect),
          handler: (args: unknown) => this.answer(() => this.call(name, asArguments(args))),
        },
      ];
    });
    return [...tools, this.pendingCapability()];
  }

  /** What waits for the person. */
  pending(): readonly ApprovalRequest[] {
    return this.approvals.list();
  }

  decide(approvalId: string, decision: ApprovalDecision): void {
    // Nothing is allowed beyond this one call.
    this.approvals.decide(approvalId, decision.approved ? { ...decision, remember: false } : decision);
  }

  /** Withdraws what waits. */
  dispose(): void {
    this.closing.abort();
    this.approvals.dispose();
    this.questions.dispose();
  }

  private pendingCapability(): AgentCapability {
    return {
      ...{ name: PENDING, title: titleOf('pending_change') },
      description: 'Waits for a call whose result was "pending: …", and returns its result. Make the call itself only once.',
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string', description: 'The id from the result "pending: …"' } },
        required: ['id'],
      },
      effects: { localRead: true, localWrite: false, dataEgress: false, externalCost: false },
      handler: (args) => this.answer(async () => this.waitFor(String(asArguments(args).id ?? ''))),
    };
  }

  /** Never rejects: SiYuan tells its model that nothing is known of a call that was not answered. */
  private async answer(work: () => Promise<CapabilityAnswer>): Promise<CapabilityAnswer> {
    try {
      if (!this.deps.isOn())
        throw new ToolError('no_right', 'Marginalia’s tools are switched off for SiYuan’s agent', 'tell the user, and go on without them');
      return await work();
    } catch (error) {
      return { error: errorText(toToolError(error)) };
    }
  }

  private async call(tool: string, args: ToolArguments): Promise<CapabilityAnswer> {
    this.follow();
    if (!this.mayCall(tool)) throw new ToolError('no_right', `${tool} is not on`, 'ask the user to switch it on');
    if (this.running >= MAX_OPEN) throw new ToolError('too_many', `${MAX_OPEN} calls have not ended`, 'wait until a person has decided');
    const id = this.deps.newId();
    const isRead = this.executor.effectOf(tool, args) === 'read';
    this.open.set(id, isRead ? this.run(id, tool, args) : this.writes.take(() => this.run(id, tool, args)));
    return this.waitFor(id);
  }

  private async waitFor(id: string): Promise<CapabilityAnswer> {
    const call = this.open.get(id);
    if (!call) throw new ToolError('not_found', 'there is no such call', 'make the call again');
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), this.deps.waitMs());
    });
    const end = await Promise.race([call, late]);
    clearTimeout(timer);
    if (end) this.open.delete(id);
    const where = 'a person decides in the panel of Marginalia';
    const text = `pending: ${id} (${where}). Nothing was written. Call ${PENDING} with this id to wait on; do not make the call again.`;
    return end ?? { result: text };
  }

  private async run(callId: string, tool: string, args: ToolArguments): Promise<CapabilityAnswer> {
    this.running += 1;
    try {
      const call = { callId, nodeId: callId, tool, arguments: args };
      this.recorder.begin(call);
      // Whatever its agent read elsewhere: what leaves the machine is always shown.
      this.executor.noteNotesRead();
      const { sessionId, closing } = this;
      const result = await this.executor.execute(tool, args, { callId, sessionId, nodeId: callId, signal: closing.signal });
      this.recorder.end({ callId }, result);
      const text = result.finalText ?? result.status;
      return result.status === 'success' ? { result: text } : { error: text };
    } finally {
      this.running -= 1;
    }
  }

  /** Nobody is asked in the middle of a call, no model is here for sub-agents, and nobody comes through us to the servers of others. */
  private mayCall(name: string): boolean {
    const tool = this.executor.getTool(name);
    return tool !== undefined && this.executor.isCallable(name) && !tool.waitsForUser && name !== 'spawn' && !name.startsWith('mcp_');
  }

  /** The switches and policies of the open chat, without what was allowed for an earlier call. */
  private follow(): void {
    this.executor.approvalRecords.clear();
    followSwitches(this.executor, this.deps.chat().groups());
  }
}
