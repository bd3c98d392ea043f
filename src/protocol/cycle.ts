import type { ToolCallConfig } from '../tools/contract/tool-call-config.ts';
import type { ParsedToolRequest, ToolCallingProtocol, ToolExecutionResult } from './contract.ts';
import { type ExecuteRequestsOptions, executeToolRequests } from './execute-requests.ts';
import { protocolById } from './protocols.ts';

export interface CycleOptions extends ExecuteRequestsOptions {
  readonly config: ToolCallConfig;
  readonly protocol: ToolCallingProtocol;
}

/** The outcome of one text from a model. */
export interface ToolCallCycleResult {
  readonly parsedRequests: readonly ParsedToolRequest[];
  /** In the order of the requests; empty while they are waiting. */
  readonly executionResults: readonly ToolExecutionResult[];
  readonly hasToolRequests: boolean;
  /** Calls are started by hand: nothing has run, and `executeToolRequests` runs the ones a person wants. */
  readonly isWaiting: boolean;
}

/** Finds the requests in a model's text and runs them. Never rejects. */
export async function processToolCallCycle(text: string, options: CycleOptions): Promise<ToolCallCycleResult> {
  const { config, protocol } = options;
  const parsedRequests = config.enabled ? protocol.parseToolRequests(text) : [];
  const hasToolRequests = parsedRequests.length > 0;
  const isWaiting = hasToolRequests && config.mode === 'manual';
  const executionResults = isWaiting ? [] : await executeToolRequests(parsedRequests, options);
  return { parsedRequests, executionResults, hasToolRequests, isWaiting };
}

/** Results as a model reads them in this protocol. Throws ToolError if there is no such protocol. */
export function formatResultsForContext(results: readonly ToolExecutionResult[], protocolId: string): string {
  return protocolById(protocolId).formatToolResults(results);
}
