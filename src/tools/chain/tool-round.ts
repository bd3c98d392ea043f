import { ToolError, toToolError } from '../contract/errors.ts';
import type { ToolChainEventBody } from '../contract/events.ts';
import type { Clock } from '../contract/ports.ts';
import type { ToolExecuteResult } from '../contract/types.ts';
import type { BatchSlot } from '../executor/batch-slot.ts';
import { argumentsPreview, resultPreview } from '../executor/call-preview.ts';
import type { CallSchedule, ToolExecutor } from '../executor/executor.ts';
import type { ReadCall } from '../executor/legal-calls.ts';
import type { ExecuteOptions } from '../executor/prepare-call.ts';
import { failureResult } from '../executor/results.ts';
import type { EventEmitter } from './event-stream.ts';
import type { RepeatedFailures } from './repeated-failures.ts';
import type { ToolChainOptions } from './tool-chain-types.ts';

/** The maximum number of calls that run, or wait for a decision, at one time. */
const SIDE_BY_SIDE: Readonly<Record<CallSchedule, number>> = { parallel: 8, reviewed: 20, alone: 1 };

/** What a round needs of the chain. */
export interface RoundContext {
  readonly executor: ToolExecutor;
  readonly options: Pick<ToolChainOptions, 'sessionId' | 'nodeId' | 'checkToolResults'> &
    Pick<ExecuteOptions, 'confirmed'> & { readonly clock: Pick<Clock, 'now'> };
  readonly signal: AbortSignal;
  readonly emitter: EventEmitter;
  readonly failures: RepeatedFailures;
}

/**
 * Runs one round's calls, after they are started if that is done by hand and nobody `confirmed` them. Consecutive reads run in
 * parallel; consecutive writes that need approval are planned and shown together, so that they are reviewed as one batch, and run in
 * order; everything else runs alone. Returns one result for each call, in call order, whatever happens.
 */
export async function runRound(calls: readonly ReadCall[], context: RoundContext): Promise<readonly ToolExecuteResult[]> {
  const heldBack = context.options.confirmed ? NOTHING : await startRound(calls, context);
  const results: ToolExecuteResult[] = [];
  for (const batch of batches(calls, context.executor)) {
    const running: Promise<ToolExecuteResult>[] = [];
    for (const call of batch.calls) {
      const place = batch.schedule === 'reviewed' ? placeAfter([...running], call, context) : undefined;
      running.push(runCall(call, context, { place, heldBack: heldBack.get(call.call.id) }));
    }
    results.push(...(await Promise.all(running)));
  }
  return results;
}

const NOTHING: ReadonlyMap<string, ToolExecuteResult> = new Map();

/** The results, by call id, of calls that a person does not start. Calls that would fail anyway are not shown. */
async function startRound(calls: readonly ReadCall[], context: RoundContext): Promise<ReadonlyMap<string, ToolExecuteResult>> {
  const { executor, signal, emitter, failures } = context;
  const starting = calls.flatMap((asked) => {
    const { call, args } = asked;
    const { name } = call.function;
    const runs = call.invalid === undefined && args !== undefined && executor.isCallable(name) && failures.refusal(asked) === undefined;
    return runs ? [{ callId: call.id, tool: name, args }] : [];
  });
  const off = calls.filter(({ call: { function: wanted } }) => executor.getTool(wanted.name) && !executor.isCallable(wanted.name));
  let begun = false;
  const emit = (event: ToolChainEventBody): void => {
    // Every call begins, in order, before the first question; `runCall` does not begin it again.
    if (!begun) for (const asked of calls) emitter.emit(toolStart(asked));
    begun = true;
    emitter.emit(event);
  };
  const heldBack = await executor.heldBack(starting, { signal, emit });
  // A tool that was switched on while the others waited has not been started by anyone.
  return begun ? new Map([...off.map(({ call }) => [call.id, switchedOff(call.function.name)] as const), ...heldBack]) : heldBack;
}

function switchedOff(name: string): ToolExecuteResult {
  const next = 'go on without it, or ask the user to switch it on under Tools';
  return failureResult(new ToolError('tool_disabled', `${name} was switched off when the calls were started`, next));
}

interface Batch {
  readonly schedule: CallSchedule;
  readonly calls: ReadCall[];
}

function batches(calls: readonly ReadCall[], executor: ToolExecutor): readonly Batch[] {
  const result: Batch[] = [];
  for (const call of calls) {
    const schedule = scheduleOf(call, executor);
    const last = result.at(-1);
    if (last?.schedule === schedule && last.calls.length < SIDE_BY_SIDE[schedule]) last.calls.push(call);
    else result.push({ schedule, calls: [call] });
  }
  return result;
}

/** A call that cannot be scheduled runs alone; its error comes when it is executed. */
function scheduleOf({ call, args }: ReadCall, executor: ToolExecutor): CallSchedule {
  try {
    const schedule = executor.scheduleOf(call.function.name, args ?? call.function.arguments);
    return Object.hasOwn(SIDE_BY_SIDE, schedule) ? schedule : 'alone';
  } catch {
    return 'alone';
  }
}

function placeAfter(earlier: readonly Promise<ToolExecuteResult>[], call: ReadCall, { failures }: RoundContext): BatchSlot {
  return {
    async whenEarlierSettled() {
      const results = await Promise.all(earlier);
      return { earlierWrote: results.some(mayHaveWritten), refusal: failures.refusal(call) };
    },
  };
}

function mayHaveWritten(result: ToolExecuteResult): boolean {
  return result.status === 'success' || result.status === 'unknown' || result.written !== undefined;
}

interface CallSlot {
  readonly place: BatchSlot | undefined;
  /** Its result, if it is not started. */
  readonly heldBack: ToolExecuteResult | undefined;
}

async function runCall(asked: ReadCall, context: RoundContext, { place, heldBack }: CallSlot): Promise<ToolExecuteResult> {
  const { executor, options, emitter, failures } = context;
  const { id, function: wanted } = asked.call;
  const args = asked.args ?? {};
  const startTime = options.clock.now();
  emitter.emit(toolStart(asked));
  const result = heldBack ?? (await answerCall(asked, context, place));
  failures.note(asked, result);
  const tool = executor.getTool(wanted.name);
  const end = toolEnd(id, result, resultPreview(result, tool), options.clock.now() - startTime);
  emitter.emit(end, { result, argsPreview: argumentsPreview(args, tool) });
  return result;
}

/** Runs a call, or returns the reason why it does not run. Never rejects, so that no call can end the chain. */
async function answerCall(asked: ReadCall, context: RoundContext, place: BatchSlot | undefined): Promise<ToolExecuteResult> {
  const { executor, options, signal, emitter, failures } = context;
  const { call, args } = asked;
  if (call.invalid !== undefined) return unreadable(call.invalid);
  const refusal = failures.refusal(asked);
  if (refusal !== undefined) return failureResult(refusal);
  try {
    return await executor.execute(call.function.name, args ?? call.function.arguments, {
      callId: call.id,
      sessionId: options.sessionId,
      nodeId: options.nodeId,
      signal,
      ...(options.confirmed === undefined ? {} : { confirmed: options.confirmed }),
      skipResultApproval: options.checkToolResults === false,
      onEvent: (event) => emitter.emit(event),
      ...(place === undefined ? {} : { place }),
    });
  } catch (error) {
    return failureResult(toToolError(error));
  }
}

/** The result of a text request that starts no call. */
export function unreadable(reason: string): ToolExecuteResult {
  return failureResult(new ToolError('bad_call', `the request could not be read: ${reason}`, 'write the complete request again'));
}

function toolStart({ call, args }: ReadCall) {
  return { type: 'tool-start', callId: call.id, tool: call.function.name, arguments: args ?? {} } as const;
}

function toolEnd(callId: string, result: ToolExecuteResult, shown: string, durationMs: number) {
  const { error, rejectReason: reason, skipped } = result;
  return {
    type: 'tool-end',
    callId,
    status: result.status,
    durationMs,
    preview: shown,
    ...(result.cacheVarResult === undefined ? {} : { resultRef: result.cacheVarResult }),
    ...(error === undefined ? {} : { error }),
    // A card shows at once why its call was rejected, not only when the turn has ended.
    ...(reason === undefined ? {} : { reason }),
    ...(skipped === undefined ? {} : { skipped }),
  } as const;
}
