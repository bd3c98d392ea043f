import { parseArguments } from './arguments.ts';
import type { BatchPlace } from './batch-place.ts';
import { argumentsPreview, resultPreview } from './call-preview.ts';
import { ToolError } from './errors.ts';
import type { EventEmitter } from './event-stream.ts';
import type { CallSchedule, ToolExecutor } from './executor.ts';
import type { ToolCall } from './messages.ts';
import type { RepeatedFailures } from './repeated-failures.ts';
import { failureResult } from './results.ts';
import type { ToolChainOptions } from './tool-chain-types.ts';
import type { ToolArguments, ToolExecuteResult } from './types.ts';

/** Calls at most that run, or wait for a decision, at one time. */
const SIDE_BY_SIDE: Readonly<Record<CallSchedule, number>> = { parallel: 8, reviewed: 20, alone: 1 };

/** What a round needs of the chain. */
export interface RoundSurroundings {
  readonly executor: ToolExecutor;
  readonly options: ToolChainOptions;
  readonly signal: AbortSignal;
  readonly emitter: EventEmitter;
  readonly failures: RepeatedFailures;
}

/**
 * Runs one round's calls: neighbouring reads side by side; neighbouring writes that are asked for planned and asked side by
 * side, so that they are reviewed as one batch, and run in order; everything else alone. Answers with one result for each
 * call, in call order, whatever happens.
 */
export async function runRound(calls: readonly ToolCall[], surroundings: RoundSurroundings): Promise<readonly ToolExecuteResult[]> {
  const results: ToolExecuteResult[] = [];
  for (const batch of batches(calls, surroundings.executor)) {
    const running: Promise<ToolExecuteResult>[] = [];
    for (const call of batch.calls) {
      const place = batch.schedule === 'reviewed' ? placeAfter([...running], call, surroundings) : undefined;
      running.push(runCall(call, surroundings, place));
    }
    results.push(...(await Promise.all(running)));
  }
  return results;
}

interface Batch {
  readonly schedule: CallSchedule;
  readonly calls: ToolCall[];
}

function batches(calls: readonly ToolCall[], executor: ToolExecutor): readonly Batch[] {
  const result: Batch[] = [];
  for (const call of calls) {
    const schedule = executor.scheduleOf(call.function.name, call.function.arguments);
    const last = result.at(-1);
    if (last?.schedule === schedule && last.calls.length < SIDE_BY_SIDE[schedule]) last.calls.push(call);
    else result.push({ schedule, calls: [call] });
  }
  return result;
}

function placeAfter(earlier: readonly Promise<ToolExecuteResult>[], call: ToolCall, { failures }: RoundSurroundings): BatchPlace {
  return {
    async whenFirst() {
      const results = await Promise.all(earlier);
      return { earlierWrote: results.some(mayHaveWritten), refusal: failures.refusal(call) };
    },
  };
}

function mayHaveWritten(result: ToolExecuteResult): boolean {
  return result.status === 'success' || result.status === 'unknown' || result.written !== undefined;
}

async function runCall(call: ToolCall, surroundings: RoundSurroundings, place: BatchPlace | undefined): Promise<ToolExecuteResult> {
  const { executor, options, emitter, failures } = surroundings;
  const { name } = call.function;
  const args = readableArguments(call);
  const startTime = options.clock.now();
  emitter.emit({ type: 'tool-start', callId: call.id, tool: name, arguments: args });
  const result = await answerCall(call, surroundings, place);
  failures.note(call, result);
  const tool = executor.getTool(name);
  const end = toolEnd(call.id, result, resultPreview(result, tool), options.clock.now() - startTime);
  emitter.emit(end, { result, argsPreview: argumentsPreview(args, tool) });
  return result;
}

/** A call runs, or is answered with the reason why it does not. */
function answerCall(
  call: ToolCall,
  surroundings: RoundSurroundings,
  place: BatchPlace | undefined,
): Promise<ToolExecuteResult> | ToolExecuteResult {
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
    ...(place === undefined ? {} : { place }),
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
