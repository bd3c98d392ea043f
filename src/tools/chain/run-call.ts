import { ToolError, toToolError } from '../contract/errors.ts';
import type { ToolChainEventBody } from '../contract/events.ts';
import type { Clock } from '../contract/ports.ts';
import type { ApprovalRequest, ToolArguments, ToolExecuteResult } from '../contract/types.ts';
import { argumentsPreview, resultPreview } from '../executor/call-preview.ts';
import type { ToolExecutor } from '../executor/executor.ts';
import { type ReadCall, readCall } from '../executor/legal-calls.ts';
import type { BatchSlot, ExecuteOptions } from '../executor/prepare-call.ts';
import { failureResult } from '../executor/results.ts';
import type { EventEmitter } from './event-stream.ts';

/** `card`, `form`, `tester`, `proposal`: a person, at a suggestion, own text, tool or order; `reader`: a program that may not write. */
export type Asker = 'model' | 'card' | 'form' | 'tester' | 'proposal' | 'program' | 'reader' | 'host-agent';

/** The gates that differ between askers; ToolExecutor has all others. */
interface AskerGates {
  /** Nothing starts by itself in manual mode. */
  readonly startsByHand: boolean;
  readonly confirmed?: boolean;
  /** The result is for the person, who needs no question about it. */
  readonly skipsResult?: true;
  readonly byPerson?: true;
  /** It waits while a person thinks. */
  readonly isPatient?: true;
  /** Another program: what it read elsewhere is unknown, and it gets no tool that is for chats alone. */
  readonly isOutside?: true;
  /** A change that the person lets through is written without a question. */
  readonly mayGoUnasked?: true;
  /** What was allowed for one call holds for no other. */
  readonly forgets?: true;
  readonly mayWrite: boolean;
}

export const GATES: Readonly<Record<Asker, AskerGates>> = {
  model: { startsByHand: true, mayGoUnasked: true, mayWrite: true },
  card: { startsByHand: false, confirmed: true, skipsResult: true, isPatient: true, mayWrite: true },
  form: { startsByHand: false, confirmed: true, skipsResult: true, byPerson: true, mayWrite: true },
  tester: { startsByHand: false, confirmed: true, forgets: true, mayWrite: true },
  proposal: { startsByHand: false, confirmed: false, skipsResult: true, isPatient: true, mayWrite: true },
  program: { startsByHand: true, isOutside: true, forgets: true, mayWrite: true },
  reader: { startsByHand: true, isOutside: true, forgets: true, mayWrite: false },
  'host-agent': { startsByHand: true, isOutside: true, forgets: true, mayWrite: true },
};

/** Milliseconds in which a person may think, and keep the caret in the block. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

export interface CallContext {
  readonly asker?: Asker;
  readonly executor: ToolExecutor;
  readonly options: Pick<ExecuteOptions, 'sessionId' | 'nodeId'> & {
    readonly clock: Pick<Clock, 'now'>;
    readonly checkToolResults?: boolean | undefined;
  };
  readonly signal: AbortSignal;
  /** Gets every event of the call, its start and end among them. */
  readonly emitter: Pick<EventEmitter, 'emit'>;
}

export interface CallSlot {
  readonly place?: BatchSlot | undefined;
  /** Its result, if it is not started; null: the round has started it. Absent: it is no part of a round. */
  readonly heldBack?: ToolExecuteResult | null;
  readonly refusal?: ToolError | undefined;
}

export function mayCall(asker: Asker, executor: ToolExecutor, name: string): boolean {
  const tool = executor.getTool(name);
  const { isOutside, mayWrite } = GATES[asker];
  if (!tool) return false;
  if (isOutside && (tool.waitsForUser || tool.isForeign || !executor.isCallable(name))) return false;
  return mayWrite || tool.effect === 'read' || tool.traits !== undefined;
}

/** Throws ToolError if the asker may not make this call. */
export function requireAllowed(asker: Asker, executor: ToolExecutor, tool: string, args: ToolArguments): void {
  const { isOutside, mayWrite } = GATES[asker];
  if (isOutside && !mayCall(asker, executor, tool))
    throw new ToolError('no_right', `other programs may not call ${tool} now`, 'ask the user to allow it');
  if (!mayWrite && executor.effectOf(tool, args) !== 'read')
    throw new ToolError('no_right', 'this client may only read', 'ask the user for a token that may write');
}

/** The one way to run a call: from `tool-start` to `tool-end`, without ever rejecting; a refused call has the reason as its result. */
export async function runCall(asked: ReadCall, context: CallContext, slot: CallSlot = {}): Promise<ToolExecuteResult> {
  const { executor, options, emitter } = context;
  const { id, function: wanted } = asked.call;
  const args = asked.args ?? {};
  const startTime = options.clock.now();
  emitter.emit(toolStart(asked));
  const result = slot.heldBack ?? (await answerCall(asked, context, slot));
  const tool = executor.getTool(wanted.name);
  const end = toolEnd(id, result, resultPreview(result, tool), options.clock.now() - startTime);
  emitter.emit(end, { result, argsPreview: argumentsPreview(args, tool) });
  return result;
}

async function answerCall(asked: ReadCall, context: CallContext, { place, heldBack, refusal }: CallSlot): Promise<ToolExecuteResult> {
  const { asker = 'model', executor, options, signal, emitter } = context;
  const { call, args } = asked;
  if (call.invalid !== undefined) return unreadable(call.invalid);
  if (refusal !== undefined) return failureResult(refusal);
  const gates = GATES[asker];
  const emit = (event: ToolChainEventBody): void => emitter.emit(event);
  try {
    requireAllowed(asker, executor, call.function.name, args ?? {});
    if (gates.forgets) executor.approvalRecords.clear();
    if (gates.isOutside) executor.noteNotesRead();
    if (gates.startsByHand && heldBack === undefined && args !== undefined) {
      const starting = { callId: call.id, tool: call.function.name, args };
      const held = (await executor.heldBack([starting], { signal, emit })).get(call.id);
      if (held) return held;
    }
    const { confirmed, byPerson, skipsResult, isPatient, mayGoUnasked } = gates;
    return await executor.execute(call.function.name, args ?? call.function.arguments, {
      ...{ callId: call.id, sessionId: options.sessionId, nodeId: options.nodeId, signal, onEvent: emit },
      ...(confirmed === undefined ? {} : { confirmed }),
      ...(isPatient ? { timeoutMs: PATIENCE_MS } : {}),
      ...{ byPerson, mayGoUnasked, skipResultApproval: skipsResult ?? options.checkToolResults === false },
      ...(place === undefined ? {} : { place }),
    });
  } catch (error) {
    return failureResult(toToolError(error));
  }
}

export function unreadable(reason: string): ToolExecuteResult {
  return failureResult(new ToolError('bad_call', `the request could not be read: ${reason}`, 'write the complete request again'));
}

export function toolStart({ call, args }: ReadCall) {
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

export const callOf = (id: string, tool: string, args: ToolArguments): ReadCall =>
  readCall({ id, type: 'function', function: { name: tool, arguments: JSON.stringify(args) } });

/** A call that runs: it may wait at its approval. */
export interface StartedCall {
  /** The request that decides about it, with its plan; undefined until it asks. */
  readonly approval: ApprovalRequest | undefined;
  readonly received: ToolArguments;
  /** Resolves when it asks or has ended. */
  readonly asked: Promise<void>;
  readonly result: Promise<ToolExecuteResult>;
}

/** Starts a call that a person will decide about. */
export function startCall(asked: ReadCall, context: CallContext): StartedCall {
  const started: { approval: ApprovalRequest | undefined; received: ToolArguments } = { approval: undefined, received: asked.args ?? {} };
  let markAsked: () => void = () => undefined;
  const asks = new Promise<void>((resolve) => {
    markAsked = resolve;
  });
  const emitter: CallContext['emitter'] = {
    emit(event, detail) {
      context.emitter.emit(event, detail);
      if (event.type === 'tool-arguments') started.received = event.arguments;
      if (event.type !== 'approval-request' || event.manual) return;
      started.approval = event;
      markAsked();
    },
  };
  const result = runCall(asked, { ...context, emitter });
  return Object.assign(started, { result, asked: Promise.race([asks, result.then(() => undefined)]) });
}
