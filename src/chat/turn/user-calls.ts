import type { EventError } from '../../tools/contract/errors.ts';
import type { ApprovalRequest, ToolArguments, ToolExecuteResult } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { ActivityRecorder } from '../activity/recorder.ts';

/** A call by the person, not by a model: through the executor, like any write. */
export interface WantedCall {
  readonly tool: 'edit_block' | 'insert_blocks' | 'rewrite_doc' | 'create_doc' | 'flashcards';
  readonly args: ToolArguments;
}

/** A running call: waiting or decided. */
export interface TaskCall extends WantedCall {
  readonly callId: string;
  readonly startTime: number;
  /** As the tool got them. */
  received: ToolArguments;
  /** The approval that it requested; undefined until then, and if it failed before. */
  approval: ApprovalRequest | undefined;
  readonly asked: Promise<void>;
  readonly result: Promise<ToolExecuteResult>;
}

/** A person may think, and keep the caret in the block, for as long as they like. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

/** Starts a call through the executor; it waits at its approval. */
export function startCall(
  executor: ToolExecutor,
  wanted: WantedCall,
  options: {
    readonly callId: string;
    readonly sessionId: string;
    readonly nodeId: string;
    readonly signal: AbortSignal;
    readonly startTime: number;
    /** Of the chat that the call belongs to; null if records are off. */
    readonly recorder: ActivityRecorder | null;
  },
): TaskCall {
  const { startTime, recorder, ...rest } = options;
  const { callId, nodeId } = rest;
  let markAsked: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    markAsked = resolve;
  });
  const call: Pick<TaskCall, 'approval' | 'received'> = { approval: undefined, received: wanted.args };
  const result = executor.execute(wanted.tool, wanted.args, {
    ...rest,
    timeoutMs: PATIENCE_MS,
    skipResultApproval: true,
    confirmed: true,
    onEvent: (event) => {
      if (event.type === 'tool-arguments') call.received = event.arguments;
      // Recorded once it is approved: a rejected suggestion leaves nothing behind.
      if (event.type === 'approval-end' && event.decision === 'approved')
        recorder?.begin({ callId, nodeId, tool: wanted.tool, arguments: call.received });
      if (event.type !== 'approval-request') return;
      call.approval = event;
      markAsked();
    },
  });
  void result.then((done) => recorder?.end({ callId }, done));
  return Object.assign(call, wanted, { callId, startTime, asked, result });
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
