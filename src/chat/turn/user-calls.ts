import { createEventEmitter } from '../../tools/chain/event-stream.ts';
import { callOf, type StartedCall, startCall } from '../../tools/chain/run-call.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ChainListener } from '../../tools/contract/events.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import type { ToolArguments, ToolExecuteResult } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { ActivityRecorder } from '../activity/recorder.ts';

/** A call by the person, not by a model. */
export interface WantedCall {
  readonly tool: 'edit_block' | 'insert_blocks' | 'rewrite_doc' | 'create_doc' | 'flashcards';
  readonly args: ToolArguments;
}

/** A running call: waiting or decided. */
export interface TaskCall extends WantedCall, StartedCall {
  readonly callId: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
}

interface UserCallOptions {
  readonly callId: string;
  readonly sessionId: string;
  readonly nodeId: string;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'now'>;
  /** Of the chat that the call belongs to; null if records are off. */
  readonly recorder: ActivityRecorder | null;
}

/** Starts a call of a card; it waits at its approval. */
export function startUserCall(executor: ToolExecutor, { tool, args }: WantedCall, options: UserCallOptions): TaskCall {
  const { callId, nodeId, recorder, signal, ...place } = options;
  let isRecorded = false;
  const onEvent: ChainListener = (event, detail) => {
    // A rejected suggestion leaves nothing behind.
    const runs = (event.type === 'approval-end' && event.decision === 'approved') || event.type === 'write';
    if (runs && !isRecorded) recorder?.begin({ callId, nodeId, tool, arguments: started.received });
    isRecorded ||= runs;
    if (event.type === 'tool-end' && detail) recorder?.end({ callId }, detail.result);
  };
  const emitter = createEventEmitter({ ...place, turnId: nodeId, onEvent });
  const startTime = place.clock.now();
  const started = startCall(callOf(callId, tool, args), { asker: 'card', executor, signal, emitter, options: { ...place, nodeId } });
  return Object.assign(started, { callId, startTime, tool, args });
}

/** Why a call did nothing, or may have done something; undefined if it is done or was rejected. */
export function failureOf(result: ToolExecuteResult): EventError | undefined {
  if (result.status === 'success' || result.status === 'execution_rejected') return undefined;
  const { code, message, next } = result.error ?? { code: 'internal', message: result.status, next: '' };
  return { code, message: preview(message, 600), next };
}

/** There is nothing to change: the text is already as requested. */
export const isUnchanged = (error: EventError, call: WantedCall): boolean =>
  error.code === 'no_change' || (error.code === 'no_match' && 'markdown' in call.args);
