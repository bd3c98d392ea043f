import { ChainHistory } from '../tools/chain/chain-history.ts';
import type { EventEmitter } from '../tools/chain/event-stream.ts';
import { RepeatedFailures } from '../tools/chain/repeated-failures.ts';
import { unreadable } from '../tools/chain/run-call.ts';
import { type RoundContext, runRound } from '../tools/chain/tool-round.ts';
import type { ToolExecuteResult } from '../tools/contract/types.ts';
import { readCall } from '../tools/executor/legal-calls.ts';
import type { ParsedToolRequest, ToolCallingProtocol, ToolExecutionResult } from './contract.ts';
import { getDiscoveredMethods } from './discovery.ts';
import { protocolById } from './protocols.ts';
import { resolveRequest } from './resolve.ts';

export interface CycleOptions extends Omit<RoundContext, 'failures' | 'emitter'> {
  readonly emitter: EventEmitter;
  readonly protocol: ToolCallingProtocol;
  /** A new id for each call: a model may give one that it has used before. */
  readonly newCallId: () => string;
}

export interface ToolCallCycleResult {
  readonly parsedRequests: readonly ParsedToolRequest[];
  readonly executionResults: readonly ToolExecutionResult[];
  readonly hasToolRequests: boolean;
}

/** Finds the requests in a model's text and runs them as a round of its calls; an invalid request starts no call. Never rejects. */
export async function processToolCallCycle(text: string, options: CycleOptions): Promise<ToolCallCycleResult> {
  const { executor, emitter, protocol, newCallId } = options;
  const parsedRequests = protocol.parseToolRequests(text);
  const known = getDiscoveredMethods(executor, () => true);
  const calls = parsedRequests.flatMap((request) => {
    if (request.invalid !== undefined) return [];
    const { toolName: name, args } = resolveRequest(request, known);
    return [{ request, call: readCall({ id: newCallId(), type: 'function', function: { name, arguments: JSON.stringify(args) } }) }];
  });
  const history = new ChainHistory();
  const stop = emitter.subscribe((event, detail) => history.take(event, detail));
  const round = calls.map(({ call }) => call);
  const results = await runRound(round, { ...options, failures: new RepeatedFailures() });
  stop();
  const durations = history.entries().map(({ startTime, endTime }) => endTime - startTime);
  const executionResults = parsedRequests.map((request) => {
    const index = calls.findIndex((call) => call.request === request);
    return resultOf(request, results[index], durations[index]);
  });
  return { parsedRequests, executionResults, hasToolRequests: parsedRequests.length > 0 };
}

function resultOf(
  { requestId, toolName, invalid = '' }: ParsedToolRequest,
  given: ToolExecuteResult | undefined,
  durationMs = 0,
): ToolExecutionResult {
  const { status, finalText = status } = given ?? unreadable(invalid);
  return { requestId, toolName, status: status === 'success' ? 'success' : 'error', result: finalText, durationMs };
}

/** Results in the form that a model reads in this protocol. Throws ToolError if there is no such protocol. */
export function formatResultsForContext(results: readonly ToolExecutionResult[], protocolId: string): string {
  return protocolById(protocolId).formatToolResults(results);
}
