import { errorText, toToolError } from '../tools/contract/errors.ts';
import type { ToolChainEventBody } from '../tools/contract/events.ts';
import type { ToolCallConfig } from '../tools/contract/tool-call-config.ts';
import type { ToolExecuteResult } from '../tools/contract/types.ts';
import { resultPreview } from '../tools/executor/call-preview.ts';
import type { ToolExecutor } from '../tools/executor/executor.ts';
import { abortedResult, executionRejected, failureResult } from '../tools/executor/results.ts';
import { notify } from '../tools/util/notify.ts';
import { runLimited } from '../tools/util/run-limited.ts';
import type { ParsedToolRequest, ToolExecutionResult } from './contract.ts';
import { allTools, switchedOff } from './discovery.ts';
import { type ResolvedRequest, resolveRequest } from './resolve.ts';

/** The part of an executor that runs requests; a caller may wrap its `execute`. */
export type RequestExecutor = Pick<ToolExecutor, 'execute' | 'scheduleOf' | 'getTool' | 'isCallable' | 'listTools' | 'registryVersion'>;

export interface ExecuteRequestsOptions {
  readonly executor: RequestExecutor;
  readonly clock: { now(): number };
  readonly config: Omit<ToolCallConfig, 'mode' | 'maxIterations' | 'protocol'>;
  /** Asked about each request if `requireConfirmation` is set: what it does not allow does not run. Default: the executor asks for approval. */
  readonly onBeforeExecute?: (request: ParsedToolRequest) => boolean | Promise<boolean>;
  readonly sessionId?: string;
  readonly nodeId?: string;
  readonly signal?: AbortSignal;
  /** Start, progress, approvals, writes and end of each call; its id is that of its request. */
  readonly onEvent?: (event: ToolChainEventBody) => void;
}

interface RequestedCall extends ResolvedRequest {
  /** According to the configuration; the executor applies its own switches. */
  readonly isOff: boolean;
}

/** How many reads run at the same time. */
const SIDE_BY_SIDE = 8;

const NEVER = new AbortController().signal;

/**
 * Runs the requests in a text through the executor: adjacent reads side by side if that is allowed, everything else alone. Gives one
 * result for each, in order; never rejects.
 */
export async function executeToolRequests(
  requests: readonly ParsedToolRequest[],
  options: ExecuteRequestsOptions,
): Promise<readonly ToolExecutionResult[]> {
  const results: ToolExecutionResult[] = [];
  const known = allTools(options.executor);
  const off = switchedOff(options.executor, options.config);
  let together: Promise<ToolExecutionResult>[] = [];
  for (const request of requests) {
    const call = resolveRequest(request, known);
    const isRead = mayRunBeside(call, options);
    if (!isRead || together.length >= SIDE_BY_SIDE) results.push(...(await Promise.all(together.splice(0))));
    const running = executeRequest(request, { ...call, isOff: off.has(call.toolName) }, options);
    if (isRead) together = [...together, running];
    else results.push(await running);
  }
  return [...results, ...(await Promise.all(together))];
}

function mayRunBeside({ toolName, args }: ResolvedRequest, { config, executor }: ExecuteRequestsOptions): boolean {
  return config.parallelExecution && !config.requireConfirmation && executor.scheduleOf(toolName, args) === 'parallel';
}

async function executeRequest(
  request: ParsedToolRequest,
  call: RequestedCall,
  options: ExecuteRequestsOptions,
): Promise<ToolExecutionResult> {
  const { executor, clock } = options;
  const { requestId } = request;
  const emit = (event: ToolChainEventBody): void => notify(() => options.onEvent?.(event));
  const started = clock.now();
  emit({ type: 'tool-start', callId: requestId, tool: call.toolName, arguments: call.args });
  const result = await answerRequest(request, call, { ...options, onEvent: emit });
  const { status, error, rejectReason: reason, finalText } = result;
  const durationMs = clock.now() - started;
  const preview = resultPreview(result, executor.getTool(call.toolName));
  emit({ type: 'tool-end', callId: requestId, status, durationMs, preview, ...(error ? { error } : {}), ...(reason ? { reason } : {}) });
  return {
    requestId,
    toolName: request.toolName,
    status: status === 'success' ? 'success' : 'error',
    result: finalText ?? (error ? errorText(error) : status),
    durationMs,
  };
}

async function answerRequest(
  request: ParsedToolRequest,
  { toolName: name, args, isOff }: RequestedCall,
  options: ExecuteRequestsOptions,
): Promise<ToolExecuteResult> {
  const { executor, config, onBeforeExecute, sessionId, nodeId, signal, onEvent } = options;
  const { requestId: callId, invalid } = request;
  if (invalid !== undefined)
    return failureResult({
      code: 'bad_call',
      message: `the request could not be read: ${invalid}`,
      next: 'write the complete request again',
    });
  if (!config.enabled)
    return failureResult({ code: 'tool_disabled', message: 'tool calls are switched off', next: 'answer without tools' });
  if (isOff)
    return failureResult({
      code: 'tool_disabled',
      message: `${name} is switched off`,
      next: 'go on without it, or ask the user to switch it on',
    });
  try {
    let confirmed = config.requireConfirmation ? false : undefined;
    if (confirmed === false && onBeforeExecute !== undefined && executor.isCallable(name)) {
      // The callback may not notice that the work was stopped.
      const asked = await runLimited(async () => onBeforeExecute(request), { signal: signal ?? NEVER });
      if (asked.kind === 'failed') throw asked.error;
      if (asked.kind !== 'done') return abortedResult();
      if (!asked.value) return executionRejected(undefined);
      confirmed = true;
    }
    return await executor.execute(name, args, {
      ...{ callId, timeoutMs: config.timeout },
      ...(confirmed === undefined ? {} : { confirmed }),
      ...(sessionId === undefined ? {} : { sessionId }),
      ...(nodeId === undefined ? {} : { nodeId }),
      ...(signal === undefined ? {} : { signal }),
      ...(onEvent === undefined ? {} : { onEvent }),
    });
  } catch (error) {
    return failureResult(toToolError(error));
  }
}
