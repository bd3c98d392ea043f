import { ToolError } from '../contract/errors.ts';
import type { ToolChainEventBody } from '../contract/events.ts';
import type { ToolExecuteResult } from '../contract/types.ts';
import type { CallSchedule, ToolExecutor } from '../executor/executor.ts';
import type { ReadCall } from '../executor/legal-calls.ts';
import type { BatchSlot } from '../executor/prepare-call.ts';
import { failureResult } from '../executor/results.ts';
import type { RepeatedFailures } from './repeated-failures.ts';
import { type CallContext, type CallSlot, GATES, runCall, toolStart } from './run-call.ts';

/** The maximum number of calls that run, or wait for a decision, at one time. */
const SIDE_BY_SIDE: Readonly<Record<CallSchedule, number>> = { parallel: 8, reviewed: 20, alone: 1 };

export interface RoundContext extends CallContext {
  readonly failures: RepeatedFailures;
}

/** Runs a round's calls: reads in parallel, approved writes planned together and run in order, others alone. A result each, in order. */
export async function runRound(calls: readonly ReadCall[], context: RoundContext): Promise<readonly ToolExecuteResult[]> {
  const heldBack = GATES[context.asker ?? 'model'].startsByHand ? await startRound(calls, context) : NOTHING;
  const results: ToolExecuteResult[] = [];
  for (const batch of batches(calls, context.executor)) {
    const running: Promise<ToolExecuteResult>[] = [];
    for (const call of batch.calls) {
      const place = batch.schedule === 'reviewed' ? placeAfter([...running], call, context) : undefined;
      running.push(runNoted(call, context, { place, heldBack: heldBack.get(call.call.id) ?? null }));
    }
    results.push(...(await Promise.all(running)));
  }
  return results;
}

async function runNoted(call: ReadCall, context: RoundContext, slot: CallSlot): Promise<ToolExecuteResult> {
  const { failures } = context;
  const result = await runCall(call, context, { ...slot, refusal: failures.refusal(call) });
  failures.note(call, result);
  return result;
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
