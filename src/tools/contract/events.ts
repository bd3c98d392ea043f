import type { EventError } from './errors.ts';
import type { Usage } from './messages.ts';
import type { ApprovalRequest, ToolArguments, ToolExecuteResult, ToolExecuteStatus, WrittenBlocks } from './types.ts';

export type ChainStatus = 'completed' | 'aborted' | 'error' | 'timeout';
/** The place where a turn failed: in a request, or while it was prepared. A tool's failure is its result and ends nothing. */
export type ErrorPhase = 'model' | 'context';

type EventBody =
  | { readonly type: 'turn-start' }
  /** `usage` of all its requests, if a call ran the turn. */
  | { readonly type: 'turn-end'; readonly status: ChainStatus; readonly usage?: Usage }
  /** `usage` of the answer that made the round's calls. */
  | { readonly type: 'round-start'; readonly round: number; readonly usage?: Usage }
  /** `usage` of the answer that followed them. */
  | { readonly type: 'round-end'; readonly round: number; readonly usage?: Usage }
  | { readonly type: 'text-start' }
  | { readonly type: 'text-delta'; readonly text: string }
  /** `wasReasoning`: everything since its start was reasoning, of which only the end is marked. */
  | { readonly type: 'text-end'; readonly wasReasoning?: true }
  | { readonly type: 'reasoning-start' }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'reasoning-end' }
  /** A call being written, reported while it grows: `arguments` as text so far, of long values the end. `tool-start` has what runs. */
  | { readonly type: 'tool-writing'; readonly index: number; readonly tool: string; readonly arguments: Readonly<Record<string, string>> }
  /** A call that was being written and has not started will not start. */
  | { readonly type: 'tool-writing-end' }
  | { readonly type: 'tool-start'; readonly callId: string; readonly tool: string; readonly arguments: ToolArguments }
  /** The arguments as the tool gets them, if they differ from what the model wrote: references resolved, texts unescaped. */
  | { readonly type: 'tool-arguments'; readonly callId: string; readonly arguments: ToolArguments }
  /** `done` of `total` if the work can be counted. */
  | { readonly type: 'tool-progress'; readonly callId: string; readonly message: string; readonly done?: number; readonly total?: number }
  | {
      readonly type: 'tool-end';
      readonly callId: string;
      readonly status: ToolExecuteStatus;
      readonly durationMs: number;
      readonly preview: string;
      readonly resultRef?: string;
      readonly error?: EventError;
      /** For a rejection: the user's words. */
      readonly reason?: string;
      /** For a rejection: the call was not started, in manual mode. */
      readonly skipped?: true;
    }
  | ({ readonly type: 'approval-request' } & ApprovalRequest)
  | {
      readonly type: 'approval-end';
      readonly approvalId: string;
      readonly decision: 'approved' | 'rejected' | 'aborted';
      readonly reason?: string;
    }
  | ({ readonly type: 'write'; readonly callId: string } & WrittenBlocks)
  /** The provider was busy or failed; the next attempt is at `at`, milliseconds since the epoch. */
  | { readonly type: 'retry'; readonly attempt: number; readonly at: number; readonly error: EventError }
  /** A local server is reading a request of about this many tokens: nothing of its answer came yet. */
  | { readonly type: 'reading'; readonly tokens: number }
  | ({ readonly type: 'error'; readonly phase: ErrorPhase } & EventError);

interface EventHead {
  readonly seq: number;
  readonly time: number;
  readonly sessionId: string;
  readonly turnId: string;
  readonly parentCallId?: string;
}

/** Every start has exactly one end, even on abort and failure. */
export type ToolChainEvent = EventHead & EventBody;
export type ToolChainEventBody = EventBody;

/** The parts of a `tool-end` that may be large and stay inside the program: for callbacks and history. */
export interface CallDetail {
  readonly result: ToolExecuteResult;
  readonly argsPreview: string;
}

export type ChainListener = (event: ToolChainEvent, detail?: CallDetail) => void;
