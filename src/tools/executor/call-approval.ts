import { ToolError, toToolError } from '../contract/errors.ts';
import type { ToolChainEventBody } from '../contract/events.ts';
import { type ChangePlan, deletes, needsOwnConsent, type PlanNotice } from '../contract/plans.ts';
import type { ToolCallBehavior } from '../contract/tool-call-config.ts';
import type {
  ApprovalAdapter,
  ApprovalDecision,
  ApprovalRequest,
  CallTraits,
  OutgoingData,
  ProgramRun,
  ReviseCall,
  SubAgentName,
  Tool,
  ToolArguments,
  ToolPermissionV2,
} from '../contract/types.ts';
import { linkSignals } from '../util/abort.ts';
import { runLimited } from '../util/run-limited.ts';
import { type ApprovalRecords, WHOLE_TOOL } from './approval-records.ts';
import type { Verdict } from './ran-tools.ts';

export interface ApprovalEnvironment {
  readonly approvalAdapter: ApprovalAdapter;
  readonly approvalRecords: ApprovalRecords;
  readonly nextApprovalId: (callId: string) => string;
  readonly behavior: () => ToolCallBehavior;
  /** Tells if this chat has read notes: from then on everything that leaves the machine is shown. */
  readonly hasReadNotes: () => boolean;
  /** Tells if the person lets such a change through without a question. */
  readonly letsThrough: (plan: ChangePlan, nodeId: string) => Promise<Verdict>;
  /** Set for the tools of a sub-agent: it asks each time, in its own name. */
  readonly subAgent: SubAgentName | undefined;
}

export interface ApprovalContext {
  readonly callId: string;
  /** The answer that the call belongs to. */
  readonly nodeId: string;
  readonly signal: AbortSignal;
  /** A person has requested this very call; undefined: the settings decide whether to ask. */
  readonly confirmed: boolean | undefined;
  readonly mayGoUnasked?: boolean | undefined;
  readonly emit: (event: ToolChainEventBody) => void;
}

export type Consent =
  /** Ids of the accepted operations; absent = all. */
  | { readonly approved: true; readonly acceptedOperations?: readonly string[]; readonly beyondRight?: boolean; readonly unasked?: string }
  | { readonly approved: false; readonly reason: string | undefined };

export interface Asking {
  readonly tool: Tool;
  readonly args: ToolArguments;
  readonly plan: ChangePlan | undefined;
  readonly traits: CallTraits;
  readonly outgoing: OutgoingData | undefined;
  readonly program: ProgramRun | undefined;
  /** Shown to the person with the notices of the plan. */
  readonly remarks?: readonly PlanNotice[];
}

/** Asks never, the first time in a chat, or each time. */
export type AskedWhen = 'never' | 'once' | 'always';

const OF_POLICY: Readonly<Record<ToolPermissionV2['executionPolicy'], AskedWhen>> = {
  auto: 'never',
  'ask-once': 'once',
  'ask-always': 'always',
};

/** Always asks about sending after notes were read, plans beyond a right or for the person, unexpected deletions; else by policy. */
export function askedWhen(
  { permission, effect }: CallTraits,
  about: { readonly notesRead: boolean; readonly mustBeSeen: boolean },
): AskedWhen {
  return about.mustBeSeen || (effect === 'outgoing' && about.notesRead) ? 'always' : OF_POLICY[permission.executionPolicy];
}

/** Arguments that represent a tool's operations: none, and each choice in its schema. */
function operationsOf({ definition }: Tool): readonly ToolArguments[] {
  const { properties } = definition.function.parameters;
  const choices = Object.entries(properties ?? {}).flatMap(([name, schema]) =>
    typeof schema === 'object' && schema !== null && 'enum' in schema && Array.isArray(schema.enum)
      ? schema.enum.map((choice: unknown) => ({ [name]: choice }))
      : [],
  );
  return [{}, ...choices];
}

/** The traits of all operations of a tool, strictest first: they may differ, as in `tags`, which reads and writes. */
export function traitsOfAll(tool: Tool): readonly CallTraits[] {
  const { traits } = tool;
  return traits === undefined ? [tool] : [tool, ...operationsOf(tool).map((args) => traits(args))];
}

/** The execution gate. What exceeds a right, deletes unexpectedly or changes locked notes asks, whatever was allowed before. */
export async function askExecution(
  environment: ApprovalEnvironment,
  call: Asking,
  context: ApprovalContext,
  revise?: ReviseCall,
): Promise<Consent> {
  const { tool, plan, traits } = call;
  const name = tool.definition.function.name;
  const policy = traits.permission.executionPolicy;
  const notesRead = environment.hasReadNotes();
  const leaves = traits.effect === 'outgoing' && notesRead;
  const scope = tool.approvalScope?.(call.args, plan, call.outgoing) ?? WHOLE_TOOL;
  // If every call is confirmed, nothing is allowed beforehand: this approval is the confirmation.
  const confirms = (): boolean => !(context.confirmed ?? !environment.behavior().requireConfirmation);
  const asksAnyway = plan !== undefined && (needsOwnConsent(plan) || (tool.deletes !== true && deletes(plan.operations)));
  const remembers =
    !leaves &&
    !asksAnyway &&
    !confirms() &&
    environment.subAgent === undefined &&
    (policy === 'ask-once' || tool.approvalScope !== undefined);
  // Notices for the person only must be seen, whatever was allowed; so must a script that is new or changed.
  const forPerson =
    plan?.notices.some(({ personOnly }) => personOnly === true) === true || call.program?.isNew === true || (call.remarks ?? []).length > 0;
  const mustBeSeen = confirms() || forPerson || asksAnyway || plan?.needsRight !== undefined;
  if (askedWhen(traits, { notesRead, mustBeSeen }) === 'never') return { approved: true };
  // Checked again while it waits: the setting may have changed.
  const allowed = (): boolean => remembers && !forPerson && !confirms() && environment.approvalRecords.allows(name, scope);
  if (plan?.needsRight === undefined && allowed()) return { approved: true };
  // Remarks and the setting to confirm everything say themselves why it asks.
  const mayBeLet = context.mayGoUnasked && environment.subAgent === undefined && !confirms() && !call.remarks?.length;
  const verdict = plan && mayBeLet ? await environment.letsThrough(plan, context.nodeId) : undefined;
  if (plan && !mustBeSeen && verdict === 'through') return { approved: true, unasked: plan.notebook.id };
  const because = verdict === undefined || verdict === 'through' ? {} : { because: verdict };
  const offer = { ...because, ...(remembers ? { scope, ...(policy === 'ask-once' ? ({ lasting: true } as const) : {}) } : {}) };
  const decision = await requestApproval(environment, context, { ...describeCall(call), ...offer }, allowed, revise);
  if (!decision.approved) return { approved: false, reason: decision.reason };
  const { acceptedOperations, remember, beyondRight } = decision;
  if (acceptedOperations?.length === 0) return { approved: false, reason: 'every change was left out' };
  // A one-time approval says nothing about the next call.
  if (remembers && beyondRight !== true && (policy === 'ask-once' || remember === true)) environment.approvalRecords.allow(name, scope);
  return {
    approved: true,
    acceptedOperations,
    beyondRight: beyondRight === true ? beyondRight : undefined,
  };
}

/** The plan as it is shown. It is the plan itself that is applied. */
export const shownPlan = ({ plan, remarks = [] }: Pick<Asking, 'plan' | 'remarks'>): ChangePlan | undefined =>
  plan && remarks.length > 0 ? { ...plan, notices: [...plan.notices, ...remarks] } : plan;

function describeCall({ tool, args, plan, remarks, outgoing, program }: Asking): Omit<ApprovalRequest, 'approvalId' | 'callId' | 'scope'> {
  return {
    kind: 'execution',
    tool: tool.definition.function.name,
    args,
    plan: shownPlan({ plan, remarks }),
    program,
    outgoing: outgoing === undefined ? undefined : { destination: outgoing.url, body: outgoing.body },
  };
}

/** In manual mode, before anything else: asks if the call runs at all; what it would write is asked about after that. */
export function askStart(
  environment: ApprovalEnvironment,
  call: Pick<ApprovalRequest, 'tool' | 'args'>,
  context: Omit<ApprovalContext, 'confirmed' | 'nodeId'>,
): Promise<ApprovalDecision> {
  return requestApproval(environment, context, { kind: 'execution', ...call, manual: true });
}

/** The result gate: shows the text as the model would read it. */
export function askResult(
  environment: ApprovalEnvironment,
  call: { readonly tool: Tool; readonly args: ToolArguments; readonly resultText: string },
  context: ApprovalContext,
): Promise<ApprovalDecision> {
  const { tool, args, resultText } = call;
  return requestApproval(environment, context, { kind: 'result', tool: tool.definition.function.name, args, resultText });
}

export async function requestApproval(
  environment: ApprovalEnvironment,
  context: Omit<ApprovalContext, 'confirmed' | 'nodeId'>,
  about: Omit<ApprovalRequest, 'approvalId' | 'callId'>,
  allowed: () => boolean = () => false,
  revise?: ReviseCall,
): Promise<ApprovalDecision> {
  const approvalId = environment.nextApprovalId(context.callId);
  const { subAgent } = environment;
  const request: ApprovalRequest = { approvalId, callId: context.callId, ...about, ...(subAgent === undefined ? {} : { subAgent }) };
  context.emit({ type: 'approval-request', ...request });
  // An adapter that ignores the signal must not block the chain.
  const outcome = await runLimited((signal) => requestUnlessAllowed(environment, request, { allowed, signal, revise }), {
    signal: context.signal,
  });
  if (outcome.kind === 'done') {
    const decision = outcome.value.approved ? 'approved' : 'rejected';
    const reason = outcome.value.approved ? undefined : outcome.value.reason;
    context.emit({ type: 'approval-end', approvalId, decision, reason });
    return outcome.value;
  }
  context.emit({ type: 'approval-end', approvalId, decision: 'aborted' });
  if (outcome.kind === 'failed') throw toToolError(outcome.error, 'approval_failed');
  throw new ToolError('aborted', 'the call was stopped while it waited for approval', 'ask the user whether to go on');
}

/** The adapter's decision, or the user's decision on another call that allows this one too: then the question is withdrawn. */
async function requestUnlessAllowed(
  environment: ApprovalEnvironment,
  request: ApprovalRequest,
  { allowed, signal, revise }: { readonly allowed: () => boolean; readonly signal: AbortSignal; readonly revise: ReviseCall | undefined },
): Promise<ApprovalDecision> {
  const answered = new AbortController();
  const linked = linkSignals([signal, answered.signal]);
  let stopListening = (): void => undefined;
  const allowance = new Promise<ApprovalDecision>((resolve) => {
    stopListening = environment.approvalRecords.subscribe(() => {
      if (allowed()) resolve({ approved: true });
    });
  });
  try {
    return await Promise.race([environment.approvalAdapter.request(request, linked.signal, revise), allowance]);
  } finally {
    stopListening();
    answered.abort();
    linked.release();
  }
}

/** Tells if it needs consent by itself: a list of steps or a variable is nobody's note. */
export function actsOnWorld({ effect, permission }: Tool): boolean {
  return permission.executionPolicy !== 'auto' && effect !== 'read';
}
