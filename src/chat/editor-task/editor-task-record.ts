import { createEventEmitter } from '../../tools/chain/event-stream.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import type { ToolExecuteResult } from '../../tools/contract/types.ts';
import { argumentsPreview, resultPreview } from '../../tools/executor/call-preview.ts';
import type { TreeModel } from '../session/tree-model.ts';
import { TurnProgress } from '../turn/turn-progress.ts';
import type { TaskCall } from '../turn/user-calls.ts';

/** A call of the task with its result. */
export interface FinishedCall {
  readonly call: TaskCall;
  readonly result: ToolExecuteResult;
  readonly endTime: number;
}

interface RecordOptions {
  readonly tree: TreeModel;
  readonly nodeId: string;
  readonly sessionId: string;
  readonly clock: Clock;
  /** The model's answer, without the record of earlier calls. */
  readonly answer: string;
}

/** Records the task's calls on its message, as in a turn with tools: so the panel shows them, with Undo. */
export function recordCalls({ tree, nodeId, sessionId, clock, answer }: RecordOptions, finished: readonly FinishedCall[]): void {
  const progress = new TurnProgress(finished[0]?.call.startTime ?? clock.now());
  const emitter = createEventEmitter({ sessionId, turnId: nodeId, clock, onEvent: (event, detail) => progress.take(event, detail) });
  emitter.emit({ type: 'turn-start' });
  for (const { call, result, endTime } of finished) {
    emitter.emit({ type: 'tool-start', callId: call.callId, tool: call.tool, arguments: call.received });
    const { error, rejectReason: reason } = result;
    const end = {
      type: 'tool-end',
      callId: call.callId,
      status: result.status,
      durationMs: Math.max(0, endTime - call.startTime),
      preview: resultPreview(result),
      ...(error === undefined ? {} : { error }),
      ...(reason === undefined ? {} : { reason }),
    } as const;
    emitter.emit(end, { result, argsPreview: argumentsPreview(call.received) });
  }
  // After the calls: the last text is the answer, text before calls only leads to it.
  emitter.delta('text', answer);
  emitter.closeAll();
  const { content, hintSize, toolChainResult } = progress.snapshot();
  const { message } = tree.payload(nodeId);
  tree.openVersion(nodeId);
  tree.updatePayload(nodeId, {
    message: { ...message, content },
    userPromptSlice: [hintSize, content.length],
    toolChainResult: { ...toolChainResult, status: 'completed' },
    writes: finished.flatMap(({ result }) => result.written?.blockIds ?? []),
  });
  tree.closeVersion(nodeId);
}
