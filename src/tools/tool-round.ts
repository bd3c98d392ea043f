import { parseArguments } from './arguments.ts';
import { ToolError } from './errors.ts';
import { type EventEmitter, notify } from './event-stream.ts';
import type { ToolExecutor } from './executor.ts';
import { preview } from './graphemes.ts';
import type { ToolCall, Usage } from './messages.ts';
import { failureResult } from './results.ts';
import type { ToolCallHistoryEntry, ToolChainOptions } from './tool-chain-types.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from './types.ts';

const PARALLEL_READS = 8;
const MAX_SAME_FAILURES = 3;
export const PREVIEW_CHARACTERS = 200;

/** What a round needs of the chain. */
export interface RoundSurroundings {
  readonly executor: ToolExecutor;
  readonly options: ToolChainOptions;
  readonly signal: AbortSignal;
  readonly emitter: EventEmitter;
  readonly failures: RepeatedFailures;
  readonly roundIndex: number;
  readonly llmUsage: Usage | undefined;
}

/**
 * Runs one round's calls: neighbouring reads side by side, everything else alone and in order. Answers with one entry
 * for each call, in call order, whatever happens.
 */
export async function runRound(calls: readonly ToolCall[], surroundings: RoundSurroundings): Promise<readonly ToolCallHistoryEntry[]> {
  const entries: ToolCallHistoryEntry[] = [];
  for (const batch of batches(calls, surroundings.executor)) {
    entries.push(...(await Promise.all(batch.map((call) => runCall(call, surroundings)))));
  }
  return entries;
}

function batches(calls: readonly ToolCall[], executor: ToolExecutor): readonly (readonly ToolCall[])[] {
  const result: ToolCall[][] = [];
  let reads: ToolCall[] | undefined;
  for (const call of calls) {
    const parallel = executor.effectOf(call.function.name, call.function.arguments) === 'read';
    if (parallel && reads !== undefined && reads.length < PARALLEL_READS) reads.push(call);
    else {
      const batch = [call];
      reads = parallel ? batch : undefined;
      result.push(batch);
    }
  }
  return result;
}

async function runCall(call: ToolCall, surroundings: RoundSurroundings): Promise<ToolCallHistoryEntry> {
  const { executor, options, emitter, failures, roundIndex, llmUsage } = surroundings;
  const { name } = call.function;
  const args = readableArguments(call);
  const startTime = options.clock.now();
  emitter.emit({ type: 'tool-start', callId: call.id, tool: name, arguments: args });
  notify(() => options.callbacks?.onToolCallStart?.(name, args, call.id));
  const result = await answerCall(call, surroundings);
  failures.note(call, result);
  const endTime = options.clock.now();
  const shown = resultPreview(result, executor.getTool(name));
  emitter.emit(toolEnd(call.id, result, shown, endTime - startTime));
  notify(() => options.callbacks?.onToolCallComplete?.(result, call.id));
  const { data: _data, formattedText: _formatted, ...kept } = result;
  return {
    callId: call.id,
    toolName: name,
    args,
    result: kept,
    preview: shown,
    argsPreview: argumentsPreview(args, executor.getTool(name)),
    startTime,
    endTime,
    roundIndex,
    ...(llmUsage === undefined ? {} : { llmUsage }),
    ...(result.status === 'result_rejected' ? { resultRejected: true } : {}),
    ...(result.status === 'result_rejected' && result.rejectReason !== undefined ? { resultRejectReason: result.rejectReason } : {}),
  };
}

/** A call runs, or is answered with the reason why it does not. */
function answerCall(call: ToolCall, surroundings: RoundSurroundings): Promise<ToolExecuteResult> | ToolExecuteResult {
  const { executor, options, signal, emitter, failures } = surroundings;
  if (call.invalid !== undefined) {
    return failureResult(new ToolError('bad_call', `the request could not be read: ${call.invalid}`, 'write the request again, complete'));
  }
  const refusal = failures.refusal(call);
  if (refusal !== undefined) return failureResult(refusal);
  return executor.execute(call.function.name, call.function.arguments, {
    callId: call.id,
    sessionId: options.sessionId,
    nodeId: options.nodeId,
    signal,
    skipResultApproval: options.checkToolResults === false,
    onEvent: (event) => emitter.emit(event),
    ...(options.callTimeoutMs === undefined ? {} : { timeoutMs: options.callTimeoutMs }),
  });
}

function readableArguments(call: ToolCall): ToolArguments {
  try {
    return parseArguments(call.function.arguments);
  } catch (error) {
    // The executor answers the call with this same error.
    if (error instanceof ToolError) return {};
    throw error;
  }
}

function toolEnd(callId: string, result: ToolExecuteResult, shown: string, durationMs: number) {
  // A card says at once why its call was rejected, not only when the turn has ended.
  const error = result.error ?? result.rejectReason;
  return {
    type: 'tool-end',
    callId,
    status: result.status,
    durationMs,
    preview: shown,
    ...(result.cacheVarResult === undefined ? {} : { resultRef: result.cacheVarResult }),
    ...(error === undefined ? {} : { error }),
  } as const;
}

/** ≤ 200 characters of what the tool gave; nothing of a rejected result. */
export function resultPreview(result: ToolExecuteResult, tool?: Tool): string {
  if (result.status === 'success') {
    const whole = (): string => result.formattedText ?? result.finalText ?? '';
    return preview(
      firstOf(() => tool?.compressResult?.(result), whole),
      PREVIEW_CHARACTERS,
    );
  }
  if (result.status === 'execution_rejected' || result.status === 'result_rejected')
    return preview(result.rejectReason ?? '', PREVIEW_CHARACTERS);
  return preview(result.error ?? '', PREVIEW_CHARACTERS);
}

function argumentsPreview(args: ToolArguments, tool?: Tool): string {
  return preview(
    firstOf(
      () => tool?.compressArgs?.(args),
      () => JSON.stringify(args),
    ),
    PREVIEW_CHARACTERS,
  );
}

/** A tool's own wording for logs; where it has none, or fails over arguments that were never valid, the plain one. */
function firstOf(own: () => string | undefined, plain: () => string): string {
  try {
    return own() ?? plain();
  } catch {
    return plain();
  }
}

/** Stops a model that runs against the same wall: equal call, equal arguments. */
export class RepeatedFailures {
  private readonly counts = new Map<string, number>();
  private readonly unknown = new Set<string>();

  note(call: ToolCall, result: ToolExecuteResult): void {
    const key = keyOf(call);
    if (result.status === 'unknown') this.unknown.add(key);
    if (result.status === 'success') this.counts.delete(key);
    if (result.status === 'error' || result.status === 'not_found' || result.status === 'execution_rejected') {
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }

  /** Why the call is answered without running, if it is. */
  refusal(call: ToolCall): ToolError | undefined {
    const key = keyOf(call);
    if (this.unknown.has(key)) {
      const next = 'read the document to see what stands there, and tell the user';
      return new ToolError('not_repeated', 'this write was interrupted before and is not repeated', next);
    }
    if ((this.counts.get(key) ?? 0) < MAX_SAME_FAILURES) return undefined;
    const next = 'try other arguments or another tool, or tell the user what is missing';
    return new ToolError('repeated_failure', `this same call has failed ${MAX_SAME_FAILURES} times and was not run again`, next);
  }
}

function keyOf(call: ToolCall): string {
  return `${call.function.name}\n${call.function.arguments.trim()}`;
}
