import { toToolError } from '../contract/errors.ts';
import type { ToolChainEventBody } from '../contract/events.ts';
import type { ToolArguments, ToolExecuteResult } from '../contract/types.ts';
import { type ApprovalEnvironment, askStart } from './call-approval.ts';
import { executionRejected, failureResult } from './results.ts';

export interface StartingCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: ToolArguments;
}

export interface RoundStart {
  readonly signal: AbortSignal;
  readonly emit: (event: ToolChainEventBody) => void;
}

/** In manual mode: asks about all calls of a round at once; resolves with the results of those that do not start. */
export async function callsHeldBack(
  environment: ApprovalEnvironment,
  calls: readonly StartingCall[],
  start: RoundStart,
): Promise<ReadonlyMap<string, ToolExecuteResult>> {
  if (environment.behavior().mode !== 'manual') return new Map();
  const decided = await Promise.all(calls.map(async (call) => [call.callId, await heldBack(environment, call, start)] as const));
  return new Map(decided.flatMap(([id, result]) => (result === undefined ? [] : [[id, result] as const])));
}

async function heldBack(
  environment: ApprovalEnvironment,
  { callId, tool, args }: StartingCall,
  { signal, emit }: RoundStart,
): Promise<ToolExecuteResult | undefined> {
  try {
    const decision = await askStart(environment, { tool, args }, { callId, signal, emit });
    return decision.approved ? undefined : { ...executionRejected(decision.reason), skipped: true };
  } catch (error) {
    return failureResult(toToolError(error));
  }
}
