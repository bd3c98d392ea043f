import { createEventEmitter } from '../chain/event-stream.ts';
import { type Asker, callOf, runCall, type StartedCall, startCall } from '../chain/run-call.ts';
import type { ChainListener } from '../contract/events.ts';
import type { Clock } from '../contract/ports.ts';
import type { ToolArguments, ToolExecuteResult } from '../contract/types.ts';
import type { ToolExecutor } from '../executor/executor.ts';
import type { ReadCall } from '../executor/legal-calls.ts';

export interface CallRecorder {
  begin(call: { readonly callId: string; readonly nodeId: string; readonly tool: string; readonly arguments: ToolArguments }): void;
  end(call: { readonly callId: string }, result: ToolExecuteResult): void;
}

export interface PersonsCall {
  readonly callId: string;
  readonly tool: string;
  readonly args: ToolArguments;
}

interface PersonsCallOptions {
  readonly asker: Extract<Asker, 'card' | 'form' | 'proposal'>;
  readonly executor: ToolExecutor;
  readonly sessionId: string;
  readonly nodeId: string;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'now'>;
  readonly recorder: CallRecorder | null;
}

interface ProgramsCallOptions extends Omit<PersonsCallOptions, 'asker' | 'recorder'> {
  readonly asker: Asker;
  readonly record: ChainListener;
  readonly onProgress: (message: string) => void;
}

/** Runs a call of another program that has no turn of its own. Never rejects. */
export function runProgramsCall(asked: ReadCall, options: ProgramsCallOptions): Promise<ToolExecuteResult> {
  const { asker, executor, signal, record, onProgress, ...place } = options;
  const onEvent: ChainListener = (event, detail) => {
    record(event, detail);
    if (event.type === 'tool-progress') onProgress(event.message);
  };
  const emitter = createEventEmitter({ ...place, turnId: place.nodeId, onEvent });
  return runCall(asked, { asker, executor, signal, emitter, options: place });
}

/** Starts a call that a person decides about, and records it once it is approved: what is rejected leaves nothing behind. */
export function startPersonsCall({ callId, tool, args }: PersonsCall, options: PersonsCallOptions): StartedCall {
  const { asker, executor, nodeId, recorder, signal, ...place } = options;
  let isRecorded = false;
  const onEvent: ChainListener = (event, detail) => {
    const runs = (event.type === 'approval-end' && event.decision === 'approved') || event.type === 'write';
    if (runs && !isRecorded) recorder?.begin({ callId, nodeId, tool, arguments: started.received });
    isRecorded ||= runs;
    if (event.type === 'tool-end' && detail) recorder?.end({ callId }, detail.result);
  };
  const emitter = createEventEmitter({ ...place, turnId: nodeId, onEvent });
  const started = startCall(callOf(callId, tool, args), { asker, executor, signal, emitter, options: { ...place, nodeId } });
  return started;
}
