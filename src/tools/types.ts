import type { ToolDefinition } from './messages.ts';
import type { ApprovedPlan, ChangePlan } from './plans.ts';

/** seed 1: when the user is asked before a call runs, and before its result goes to the model. */
export interface ToolPermissionV2 {
  readonly executionPolicy: 'auto' | 'ask-once' | 'ask-always';
  readonly resultApprovalPolicy: 'never' | 'on-error' | 'always';
}

/** Arguments after validation and after `$VAR_REF{{}}` was resolved. */
export type ToolArguments = Readonly<Record<string, unknown>>;

export type ToolExecuteStatus =
  | 'success'
  | 'error'
  | 'execution_rejected'
  | 'result_rejected'
  | 'not_found'
  | 'aborted'
  | 'interrupted'
  | 'unknown';

/** seed 1: `data → formattedText → finalText`; the model reads finalText, the panel may show formattedText. */
export interface ToolExecuteResult {
  readonly status: ToolExecuteStatus;
  readonly data?: unknown;
  readonly error?: string;
  readonly rejectReason?: string;
  readonly formattedText?: string;
  readonly finalText?: string;
  readonly isTruncated?: boolean;
  readonly cacheVarResult?: string;
  readonly cacheVarArgs?: string;
  /** Ids of the blocks that the call wrote; the panel offers Undo for them. */
  readonly written?: WrittenBlocks;
  /** Notebooks that the result came from: VariableSystem keeps them with the value (FORMATS.md). */
  readonly notebooks?: readonly string[];
  /** Block ids that the result shows: what the answer may cite. */
  readonly blockIds?: readonly string[];
}

export interface WrittenBlocks {
  readonly blockIds: readonly string[];
  readonly documentId: string;
  readonly undoable: boolean;
}

/** What a running call knows of its surroundings. */
export interface ToolContext {
  readonly callId: string;
  readonly sessionId: string;
  /** The message node that the turn belongs to: with session and call it is the `source` of a written block. */
  readonly nodeId: string;
  readonly signal: AbortSignal;
  readonly report: (message: string) => void;
  /** Present when the tool has `plan` and the plan was approved. */
  readonly approvedPlan?: ApprovedPlan;
}

/** seed 1's Tool. `execute` returns a result or throws ToolError; it never runs before every gate of ToolExecutor. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly permission: ToolPermissionV2;
  /** `read` calls of one round may run side by side; `write` runs alone; `outgoing` sends data away. */
  readonly effect: 'read' | 'write' | 'outgoing';
  /** Plans a write without writing: its answer is shown in the approval. Throws ToolError when nothing can be planned. */
  readonly plan?: (args: ToolArguments, context: ToolContext) => Promise<ChangePlan>;
  readonly execute: (args: ToolArguments, context: ToolContext) => Promise<ToolExecuteResult>;
  /** ask-once is remembered by tool and this scope (the notebook's id for notes). Default: the tool alone. */
  readonly approvalScope?: (args: ToolArguments, plan: ChangePlan | undefined) => string;
  readonly formatForLLM?: (data: unknown, args: ToolArguments) => string;
  readonly truncateForLLM?: (formatted: string, args: ToolArguments) => string;
  readonly SKIP_EXTERNAL_TRUNCATE?: boolean;
  readonly SKIP_CACHE_RESULT?: boolean;
  readonly DEFAULT_OUTPUT_LIMIT_CHAR?: number;
  readonly compressArgs?: (args: ToolArguments) => string;
  readonly compressResult?: (result: ToolExecuteResult) => string;
  readonly declaredReturnType?: { readonly type: string; readonly note?: string };
}

export interface SkillRule {
  readonly desc: string;
  readonly prompt: string;
  readonly when?: string;
  readonly alwaysLoad?: boolean;
}

export interface ToolGroup {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly rulePrompt?: string | ((enabledToolNames: readonly string[]) => string);
  readonly declareSkillRules?: Readonly<Record<string, SkillRule>>;
}

/** What is asked of the user. `result` approvals carry the text that would go to the model. */
export interface ApprovalRequest {
  readonly approvalId: string;
  readonly callId: string;
  readonly kind: 'execution' | 'result';
  readonly tool: string;
  readonly args: ToolArguments;
  readonly plan?: ChangePlan;
  readonly resultText?: string;
  /** What "Allow for this chat" would allow, e.g. tool `insert_blocks` in notebook id; absent where it is not offered. */
  readonly scope?: string;
}

export type ApprovalDecision =
  | { readonly approved: true; readonly acceptedOperations?: readonly string[]; readonly remember?: boolean }
  | { readonly approved: false; readonly reason?: string };

/** Asks; resolves with the decision; rejects with an abort when `signal` fires. */
export interface ApprovalAdapter {
  request(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalDecision>;
}
