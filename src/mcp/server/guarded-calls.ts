import type { ToolDefinition } from '../../tools/contract/messages.ts';
import type { ApprovalDecision, ApprovalRequest, ToolArguments, ToolEffect, ToolExecuteStatus } from '../../tools/contract/types.ts';

/** A tool as one client may call it. */
export interface OfferedTool {
  readonly definition: ToolDefinition;
  /** Of its strictest operation. */
  readonly effect: ToolEffect;
  /** It may remove what is there. */
  readonly destroys: boolean;
}

/** A block that a result is about. */
export interface LinkedBlock {
  readonly id: string;
  readonly name: string;
}

export interface CallEnd {
  readonly status: ToolExecuteStatus;
  /** What a model reads. */
  readonly text: string;
  readonly links: readonly LinkedBlock[];
  /** Where a person finds and undoes the change; absent if nothing was written. */
  readonly written?: {
    readonly sessionId: string;
    readonly messageId: string;
    readonly documentId: string;
    readonly blockIds: readonly string[];
    readonly undoable: boolean;
  };
}

/** A call that was begun: it has ended, it asks, or neither so far. */
export type CallState =
  | { readonly kind: 'ended'; readonly end: CallEnd }
  | { readonly kind: 'asked'; readonly approvalId: string; readonly request: ApprovalRequest }
  | { readonly kind: 'open' };

export interface WaitOptions {
  readonly signal: AbortSignal;
  /** Whether an approval that waits is an answer too. */
  readonly stopAtApproval: boolean;
  readonly onProgress: (message: string) => void;
}

/** A note or a prompt for a client. */
export interface PromptView {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
}

export interface NoteView {
  readonly id: string;
  readonly title: string;
  readonly path: string;
}

/**
 * The tools of a workspace for one client: everything goes through the executor and the rights of the notes. Refusals are ToolErrors with
 * the next step.
 */
export interface GuardedCalls {
  /** Whether what the client says a person answered counts as consent. */
  readonly mayElicit: boolean;
  tools(): Promise<readonly OfferedTool[]>;
  /** Begins a call; resolves with an id that nobody can guess, for this client alone. */
  begin(tool: string, args: ToolArguments, signal: AbortSignal): Promise<string>;
  /** Waits, for a while. Rejects with ToolError if the client has no such call. */
  wait(id: string, options: WaitOptions): Promise<CallState>;
  /** Ends a call that nobody waits for any more; nothing happens to one that has ended. */
  withdraw(id: string): void;
  /** A person decided. Rejects with ToolError if nothing waits for this call. */
  decide(id: string, approvalId: string, decision: ApprovalDecision): Promise<void>;
  recentNotes(signal: AbortSignal): Promise<readonly NoteView[]>;
  /** A note or a block as a model reads it. */
  read(where: { readonly id: string } | { readonly path: string }, signal: AbortSignal): Promise<CallEnd>;
  prompts(): readonly PromptView[];
}
