import type { EventError } from './errors.ts';
import type { FoundList } from './found-notes.ts';
import type { ToolDefinition } from './messages.ts';
import type { ApprovedPlan, ChangePlan } from './plans.ts';
import type { NoteSource } from './provenance.ts';
import type { Variable } from './variable.ts';

/** When the user is asked before a call runs, and before its result goes to the model. */
export interface ToolPermissionV2 {
  readonly executionPolicy: 'auto' | 'ask-once' | 'ask-always';
  readonly resultApprovalPolicy: 'never' | 'on-error' | 'always';
}

/** Arguments after validation and after `$VAR_REF{{}}` was resolved. */
export type ToolArguments = Readonly<Record<string, unknown>>;

export const EXECUTE_STATUSES = [
  'success',
  'error',
  'execution_rejected',
  'result_rejected',
  'not_found',
  'aborted',
  'interrupted',
  'unknown',
] as const;

export type ToolExecuteStatus = (typeof EXECUTE_STATUSES)[number];

/** `data → formattedText → finalText`; the model reads finalText, the panel may show formattedText. */
export interface ToolExecuteResult {
  readonly status: ToolExecuteStatus;
  readonly data?: unknown;
  readonly error?: EventError;
  /** Text of notes that the error is about, on its way to being framed; never on a result that has left the executor. */
  readonly quoted?: string;
  readonly rejectReason?: string;
  /** Of a rejection: the person did not start the call, where calls are started by hand. */
  readonly skipped?: true;
  readonly formattedText?: string;
  readonly finalText?: string;
  readonly isTruncated?: boolean;
  readonly cacheVarResult?: string;
  readonly cacheVarArgs?: string;
  /** Ids of the blocks that the call wrote; the panel offers Undo for them. */
  readonly written?: WrittenBlocks;
  /** Notebooks that the result came from. */
  readonly notebooks?: readonly string[];
  /** Set where its text may be from any note of `notebooks`, whatever blocks it names. */
  readonly mixed?: boolean;
  /** Set where all its text was read from the host's index, after that had taken up what was written before the call. */
  readonly fromIndex?: boolean;
  /**
   * The same down to documents, as the executor found them: kept with every text that is made of the result. What a tool gives here is
   * added to them, never taken instead.
   */
  readonly sources?: readonly NoteSource[];
  /** Block ids that the result shows: what the answer may cite. */
  readonly blockIds?: readonly string[];
  /** What a search found, as people are shown it; the model reads the same as text. */
  readonly found?: FoundList;
  /** Whether it holds text of the person's own, where its tool's other results do not, or do (see readsPrivate). */
  readonly isPrivate?: boolean;
  /** It may repeat what the model wrote before it, as the words of a sub-agent do: it is withheld together with that. */
  readonly repeats?: boolean;
  /** Set for text that the plugin itself wrote (a RULE): it is neither framed as untrusted nor escaped. */
  readonly trusted?: boolean;
}

export interface WrittenBlocks {
  readonly blockIds: readonly string[];
  readonly documentId: string;
  /** What the note was called then. */
  readonly title?: string;
  readonly undoable: boolean;
  /** Changes of the plan that the person left out; this and what follows are absent where there are none. */
  readonly leftOut?: number;
  /** All changes of the plan. */
  readonly planned?: number;
  /** What the first of those left out would have written, in a few plain words each. */
  readonly leftOutWords?: readonly string[];
}

/** How much of the work is done. */
export interface ProgressCount {
  readonly done: number;
  readonly total: number;
}

/** What a running call knows of its context. */
export interface ToolContext {
  readonly callId: string;
  readonly sessionId: string;
  /** The message node that the turn belongs to: with session and call it is the `source` of a written block. */
  readonly nodeId: string;
  readonly signal: AbortSignal;
  /** Tells the user how far the call is; a report with a count also restarts its time limit. */
  readonly report: (message: string, count?: ProgressCount) => void;
  /** Present when the tool has `plan` and the plan was approved. */
  readonly approvedPlan?: ApprovedPlan;
  /** Where the variables came from that were resolved into the arguments; kept with whatever is made of them. */
  readonly argumentSources?: readonly NoteSource[];
  /** Rejects with `no_right` where a variable comes from notes that may no longer be read. Absent outside of an executor. */
  readonly requireReadable?: (variable: Variable) => Promise<void>;
  /** What the tool's `outgoing` gave, as the user saw it: exactly this may be sent. */
  readonly outgoing?: OutgoingData;
  /** What the tool's `program` gave, as the user saw it: exactly this may run. */
  readonly program?: ProgramRun;
}

/** What leaves the machine, byte for byte. */
export interface OutgoingData {
  readonly url: string;
  /** Empty where only the address is sent. */
  readonly body: string;
}

/** What a call would run on this machine, in full: shown in the approval, then handed to `execute`. */
export interface ProgramRun {
  readonly language: 'shell' | 'python' | 'javascript';
  /** The command or the script, all of it. */
  readonly code: string;
  /** Where it starts. */
  readonly folder: string;
  readonly timeoutSeconds: number;
  /** Of a script of the person's own, which gets the call's arguments: the name of its file. Absent where the model wrote the code. */
  readonly file?: string;
  /** What the file beside such a script declares of its tools, as it stands there. */
  readonly manifest?: string;
  /** Script and manifest were never approved as they are now: both are shown, whatever was allowed. */
  readonly isNew?: true;
}

/** `read` calls of one round may run side by side; of `write` calls one runs at a time; `outgoing` sends data away. */
export type ToolEffect = 'read' | 'write' | 'outgoing';

/** What decides how a call is gated and scheduled. */
export interface CallTraits {
  readonly permission: ToolPermissionV2;
  readonly effect: ToolEffect;
}

/** A tool. `execute` returns a result or throws ToolError; it never runs before every gate of ToolExecutor. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly permission: ToolPermissionV2;
  readonly effect: ToolEffect;
  /**
   * For a tool whose operations differ (daily_note reads and appends): replaces `permission` and `effect` for these
   * arguments. Pure; must answer the strictest traits for arguments that it does not understand.
   */
  readonly traits?: (args: ToolArguments) => CallTraits;
  /** Whether what it cannot do without is set up: until then no model is offered it. Default: it needs nothing. */
  readonly isSetUp?: () => boolean;
  /** `$VAR_REF{{}}` in the arguments is not resolved: for tools that take names of variables. */
  readonly literalArguments?: boolean;
  /** Its results hold nothing of the person's but what they mark: it computes them, or fetches them from outside. */
  readonly publicResult?: boolean;
  /** The least that is asked, whatever settings or a policy allow: for what may do anything. Default: nothing. */
  readonly leastPolicy?: Exclude<ToolPermissionV2['executionPolicy'], 'auto'>;
  /**
   * To delete is what it is for: who lets it run without asking lets it delete. A plan of any other tool that makes blocks vanish is asked
   * about by itself, whatever was set or allowed. Default: not.
   */
  readonly deletes?: true;
  /** `execute` keeps to a time limit of its own, which its approval shows: the common one does not count. */
  readonly limitsItself?: boolean;
  /** The time of `execute` is a person's: no time limit for a call, only the abort. */
  readonly waitsForUser?: boolean;
  /**
   * Plans a write without writing: its answer is shown in the approval. Called when the effect is `write`.
   * Throws ToolError when nothing can be planned.
   */
  readonly plan?: (args: ToolArguments, context: ToolContext) => Promise<ChangePlan>;
  /**
   * What a call whose effect is `outgoing` would send: shown in the approval, then handed to `execute` in its context.
   * Sends nothing; throws ToolError where the arguments give nothing that can be sent.
   */
  readonly outgoing?: (args: ToolArguments, signal: AbortSignal) => OutgoingData | Promise<OutgoingData>;
  /** What a call would run: shown in the approval, then handed to `execute` in its context. Runs nothing; rejects with ToolError. */
  readonly program?: (args: ToolArguments, signal: AbortSignal) => Promise<ProgramRun>;
  readonly execute: (args: ToolArguments, context: ToolContext) => Promise<ToolExecuteResult>;
  /** ask-once is remembered by tool and this scope (the notebook's id for notes). Default: the tool alone. */
  readonly approvalScope?: (args: ToolArguments, plan: ChangePlan | undefined, outgoing: OutgoingData | undefined) => string;
  readonly formatForLLM?: (data: unknown, args: ToolArguments) => string;
  readonly truncateForLLM?: (formatted: string, args: ToolArguments) => string;
  readonly SKIP_EXTERNAL_TRUNCATE?: boolean;
  readonly SKIP_CACHE_RESULT?: boolean;
  readonly DEFAULT_OUTPUT_LIMIT_CHAR?: number;
  readonly compressArgs?: (args: ToolArguments) => string;
  readonly compressResult?: (result: ToolExecuteResult) => string;
  /** For text protocols: a short name that the model may call it by. */
  readonly protocolConfig?: { readonly vcpCommand?: string };
  readonly declaredReturnType?: { readonly type: string; readonly note?: string };
}

interface SkillRule {
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

/** A model at work inside a call: the call that started it, and what it is called in front of people. */
export interface SubAgentName {
  readonly callId: string;
  readonly label: string;
}

/** What is asked of the user. `result` approvals carry the text that would go to the model. */
export interface ApprovalRequest {
  readonly approvalId: string;
  readonly callId: string;
  readonly kind: 'execution' | 'result';
  readonly tool: string;
  readonly args: ToolArguments;
  readonly plan?: ChangePlan;
  /** Where data would go and what, byte for byte. */
  readonly outgoing?: { readonly destination: string; readonly body: string };
  /** The command or script that would run, whole. */
  readonly program?: ProgramRun;
  readonly resultText?: string;
  /** Who wants it, where that is not the chat's own model. */
  readonly subAgent?: SubAgentName;
  /** What "Allow for this chat" would allow, e.g. tool `insert_blocks` in notebook id; absent where it is not offered. */
  readonly scope?: string;
  /** To approve it is to allow the scope as well: for this chat, or, where data leaves, until a note is read in it. */
  readonly lasting?: true;
  /** Decides only whether the call starts, because calls are started by hand: nothing is planned yet, and a write asks again. */
  readonly manual?: true;
}

export type ApprovalDecision =
  | {
      readonly approved: true;
      readonly acceptedOperations?: readonly string[];
      readonly remember?: boolean;
      /** The plan may go beyond the notebook's right (`needsRight`) this one time. Without it such a plan is refused when it is applied. */
      readonly beyondRight?: boolean;
    }
  | { readonly approved: false; readonly reason?: string };

/** What is asked about after a person changed the arguments. `use` makes it what a consent from then on means. */
interface RevisedCall extends Pick<ApprovalRequest, 'args' | 'plan'> {
  readonly use: () => void;
}

/** Plans a call anew with a person's own arguments, in which nothing is a reference to a variable. Rejects with ToolError. */
export type ReviseCall = (args: ToolArguments) => Promise<RevisedCall>;

/** Asks; resolves with the decision; rejects with an abort when `signal` fires. `revise`: of a call that has a plan. */
export interface ApprovalAdapter {
  request(request: ApprovalRequest, signal: AbortSignal, revise?: ReviseCall): Promise<ApprovalDecision>;
}
