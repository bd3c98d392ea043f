import { type ApprovalRecords, WHOLE_TOOL } from './approval-records.ts';
import { ToolError, toToolError } from './errors.ts';
import type { ToolChainEventBody } from './events.ts';
import type { ChangePlan } from './plans.ts';
import { runLimited } from './run-limited.ts';
import type { ApprovalAdapter, ApprovalDecision, ApprovalRequest, CallTraits, Tool, ToolArguments } from './types.ts';

export interface ApprovalEnvironment {
  readonly approvalAdapter: ApprovalAdapter;
  readonly approvalRecords: ApprovalRecords;
  readonly nextApprovalId: (callId: string) => string;
  /** Whether this chat has read notes: from then on what leaves the machine is always shown. */
  readonly hasReadNotes: () => boolean;
}

export interface ApprovalSurroundings {
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly emit: (event: ToolChainEventBody) => void;
}

export type Consent =
  /** Ids of the accepted operations; absent = all. */
  | { readonly approved: true; readonly acceptedOperations?: readonly string[] }
  | { readonly approved: false; readonly reason: string | undefined };

/**
 * The execution gate. `ask-once` remembers by tool and scope; `ask-always` offers "Allow for this chat" only where the
 * tool names a scope (TOOLS.md: W offers it, E does not).
 */
export async function askExecution(
  environment: ApprovalEnvironment,
  call: { readonly tool: Tool; readonly args: ToolArguments; readonly plan: ChangePlan | undefined; readonly traits: CallTraits },
  surroundings: ApprovalSurroundings,
): Promise<Consent> {
  const { tool, args, plan, traits } = call;
  const name = tool.definition.function.name;
  const policy = traits.permission.executionPolicy;
  const leaves = traits.effect === 'outgoing' && environment.hasReadNotes();
  const scope = tool.approvalScope?.(args, plan) ?? WHOLE_TOOL;
  const remembers = !leaves && (policy === 'ask-once' || tool.approvalScope !== undefined);
  if (!leaves && policy === 'auto') return { approved: true };
  if (remembers && environment.approvalRecords.allows(name, scope)) return { approved: true };
  const decision = await ask(environment, surroundings, {
    kind: 'execution',
    tool: name,
    args,
    ...(plan === undefined ? {} : { plan }),
    ...(remembers ? { scope } : {}),
  });
  if (!decision.approved) return { approved: false, reason: decision.reason };
  const { acceptedOperations, remember } = decision;
  if (acceptedOperations?.length === 0) return { approved: false, reason: 'every change was left out' };
  if (remembers && (policy === 'ask-once' || remember === true)) environment.approvalRecords.allow(name, scope);
  return { approved: true, ...(acceptedOperations === undefined ? {} : { acceptedOperations }) };
}

/** The result gate: the text is shown as the model would read it. */
export function askResult(
  environment: ApprovalEnvironment,
  call: { readonly tool: Tool; readonly args: ToolArguments; readonly resultText: string },
  surroundings: ApprovalSurroundings,
): Promise<ApprovalDecision> {
  const { tool, args, resultText } = call;
  return ask(environment, surroundings, { kind: 'result', tool: tool.definition.function.name, args, resultText });
}

async function ask(
  environment: ApprovalEnvironment,
  surroundings: ApprovalSurroundings,
  about: Omit<ApprovalRequest, 'approvalId' | 'callId'>,
): Promise<ApprovalDecision> {
  const approvalId = environment.nextApprovalId(surroundings.callId);
  const request: ApprovalRequest = { approvalId, callId: surroundings.callId, ...about };
  surroundings.emit({ type: 'approval-request', ...request });
  // An adapter that forgets the signal must not hold the chain.
  const outcome = await runLimited((signal) => environment.approvalAdapter.request(request, signal), { signal: surroundings.signal });
  if (outcome.kind === 'done') {
    const decision = outcome.value.approved ? 'approved' : 'rejected';
    const reason = outcome.value.approved ? undefined : outcome.value.reason;
    surroundings.emit({ type: 'approval-end', approvalId, decision, ...(reason === undefined ? {} : { reason }) });
    return outcome.value;
  }
  surroundings.emit({ type: 'approval-end', approvalId, decision: 'aborted' });
  if (outcome.kind === 'failed') throw toToolError(outcome.error, 'approval_failed');
  throw new ToolError('aborted', 'the call was stopped while it waited for approval', 'ask the user whether to go on');
}
