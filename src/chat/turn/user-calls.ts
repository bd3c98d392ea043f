import type { EventError } from '../../tools/contract/errors.ts';
import type { ApprovalRequest, ToolArguments, ToolExecuteResult } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { preview } from '../../tools/util/graphemes.ts';
import type { ActivityRecorder } from '../activity/recorder.ts';

/** A call that the person asked for and no model made: through the executor, as any write. */
export interface WantedCall {
  readonly tool: 'edit_block' | 'insert_blocks' | 'rewrite_doc' | 'create_doc';
  readonly args: ToolArguments;
}

/** One call on its way: asked or answered. */
export interface TaskCall extends WantedCall {
  readonly callId: string;
  readonly startTime: number;
  /** As the tool got them. */
  received: ToolArguments;
  /** The approval that it asked for; undefined until then, and where it failed before. */
  approval: ApprovalRequest | undefined;
  readonly asked: Promise<void>;
  readonly result: Promise<ToolExecuteResult>;
}

/** A person may think, and the editor may hold the caret, for as long as they like. */
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
    /** Of the chat that the call belongs to; null where none are kept. */
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
      // Recorded once it is consented to: a rejected suggestion leaves nothing behind.
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

/** Why a call did nothing, or may have done something; undefined where it is done or was rejected. */
export function failureOf(result: ToolExecuteResult): EventError | undefined {
  if (result.status === 'success' || result.status === 'execution_rejected') return undefined;
  const { code, message, next } = result.error ?? { code: 'internal', message: result.status, next: '' };
  return { code, message: preview(message, 600), next };
}

/** Nothing to change: the text stands already as asked. */
export const isUnchanged = (error: EventError, call: WantedCall): boolean =>
  error.code === 'no_change' || (error.code === 'no_match' && 'markdown' in call.args);
