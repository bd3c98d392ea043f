import type { EventError } from './errors.ts';
import type { FoundList } from './found-notes.ts';
import type { ToolDefinition } from './messages.ts';
import type { ApprovedPlan, ChangePlan, PlanNotice } from './plans.ts';
import type { WriteOrigin } from './ports.ts';
import type { NoteSource } from './provenance.ts';
import type { Variable } from './variable.ts';

/** When the user is asked: before a call runs, and before its result is sent to the model. */
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
  /** Text of notes that the error is about, before it is framed; never on a result that has left the executor. */
  readonly quoted?: string;
  readonly rejectReason?: string;
  /** For a rejection: the person did not start the call, in manual mode. */
  readonly skipped?: true;
  readonly formattedText?: string;
  readonly finalText?: string;
  readonly isTruncated?: boolean;
  readonly cacheVarResult?: string;
  readonly cacheVarArgs?: string;
  /** Ids of the written blocks; the panel offers Undo for them. */
  readonly written?: WrittenBlocks;
  readonly notebooks?: readonly string[];
  /** Set if its text may be from any note of `notebooks`, whatever blocks it names. */
  readonly mixed?: boolean;
  /** Set if all its text was read from the host's index, after that included everything written before the call. */
  readonly fromIndex?: boolean;
  /** The sources as the executor traced them, with those of the tool: saved with every text made of the result. */
  readonly sources?: readonly NoteSource[];
  /** Ids of blocks in the result: what the answer may cite. */
  readonly blockIds?: readonly string[];
  /** Search results as shown to people; the model reads the same as text. */
  readonly found?: FoundList;
  /** Private, if this differs from the tool's other results (see readsPrivate). */
  readonly isPrivate?: boolean;
  /** It may repeat what the model wrote before, like the text of a sub-agent: it is then withheld together with that. */
  readonly repeats?: boolean;
  /** Set for text that the plugin itself wrote (a RULE) or framed (a skill): it is neither framed as untrusted nor escaped. */
  readonly trusted?: boolean;
}

export interface WrittenBlocks {
  readonly blockIds: readonly string[];
  readonly documentId: string;
  readonly title?: string;
  readonly undoable: boolean;
  /** The notebook, if nobody was asked: the person lets small changes through there. */
  readonly unasked?: string;
  /** The number of changes that the person left out; this and the following fields are absent if there are none. */
  readonly leftOut?: number;
  readonly planned?: number;
  /** Plain excerpts of what the first of those left out would have written. */
  readonly leftOutWords?: readonly string[];
}

export interface ProgressCount {
  readonly done: number;
  readonly total: number;
}

export interface ToolContext extends WriteOrigin {
  readonly signal: AbortSignal;
  /** Reports progress to the user; a report with a count also restarts the time limit. */
  readonly report: (message: string, count?: ProgressCount) => void;
  readonly approvedPlan?: ApprovedPlan;
  /** Sources of the variables that were resolved into the arguments; saved with whatever is made of them. */
  readonly argumentSources?: readonly NoteSource[];
  /** Rejects with `no_right` if a variable comes from notes that may no longer be read. Absent outside an executor. */
  readonly requireReadable?: (variable: Variable) => Promise<void>;
  /** The result of the tool's `outgoing`, as the user saw it: exactly this may be sent. */
  readonly outgoing?: OutgoingData;
  /** The result of the tool's `program`, as the user saw it: exactly this may run. */
  readonly program?: ProgramRun;
  /** Shows the person what a server asks; absent where nobody can answer. */
  readonly askForm?: AskForm;
}

export interface OutgoingData {
  readonly url: string;
  /** Empty if only the address is sent. */
  readonly body: string;
}

/** A program to run, in full: shown in the approval, then passed to `execute`. */
export interface ProgramRun {
  readonly language: 'shell' | 'python' | 'javascript';
  readonly code: string;
  readonly folder: string;
  readonly timeoutSeconds: number;
  /** For a script of the person, which gets the call's arguments: its file name. Absent if the model wrote the code. */
  readonly file?: string;
  readonly manifest?: string;
  /** The current script and manifest were never approved: both are shown, whatever was allowed. */
  readonly isNew?: true;
}

/** `read` calls of one round may run in parallel; `write` calls run one at a time; `outgoing` sends data away. */
export type ToolEffect = 'read' | 'write' | 'outgoing';

export interface CallTraits {
  readonly permission: ToolPermissionV2;
  readonly effect: ToolEffect;
}

/** A tool. `execute` returns a result or throws ToolError; it never runs before every gate of ToolExecutor. */
export interface Tool {
  readonly definition: ToolDefinition;
  readonly permission: ToolPermissionV2;
  readonly effect: ToolEffect;
  /** Replaces `permission` and `effect` for these arguments; pure, and the strictest for arguments that it does not understand. */
  readonly traits?: (args: ToolArguments) => CallTraits;
  /** Tells if its requirements are set up: until then no model is offered it. Default: it has none. */
  readonly isSetUp?: () => boolean;
  readonly literalArguments?: boolean;
  /** Its record has the arguments that were approved, where a person changed those of the model. */
  readonly recordsRevised?: true;
  /** Only results that are marked as private contain private text: it computes them, or fetches public content. */
  readonly publicResult?: boolean;
  /** The minimum policy, whatever settings or policies allow: for tools that may do anything. Default: none. */
  readonly leastPolicy?: Exclude<ToolPermissionV2['executionPolicy'], 'auto'>;
  /** Deletes on purpose; a plan of any other tool that removes blocks needs a separate approval, whatever was allowed. Default: false. */
  readonly deletes?: true;
  /** `execute` enforces a time limit of its own, which its approval shows: the common one does not apply. */
  readonly limitsItself?: boolean;
  /** `execute` waits for a person: no time limit applies, only the abort. */
  readonly waitsForUser?: boolean;
  /** Rarely needed: these words and its name are listed, and its arguments are given when a model asks for them. Default: it is offered. */
  readonly byNeed?: string;
  /** It belongs to somebody else's server, which no other program reaches through this one. */
  readonly isForeign?: true;
  /** Of a tool that writes: it adds, and changes or removes nothing that is there. */
  readonly onlyAdds?: true;
  /** Plans a write for the approval, without writing; called if the effect is `write`. Throws ToolError if nothing can be planned. */
  readonly plan?: (args: ToolArguments, context: ToolContext) => Promise<ChangePlan>;
  /** The data of an `outgoing` call: shown in the approval, then passed to `execute`. Sends nothing; throws ToolError. */
  readonly outgoing?: (args: ToolArguments, signal: AbortSignal) => OutgoingData | Promise<OutgoingData>;
  /** The program of a call: shown in the approval, then passed to `execute`. Runs nothing; rejects with ToolError. */
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
  /** As a function it is loaded when it is read; it may reject with ToolError. */
  readonly prompt: string | (() => Promise<string>);
  readonly when?: string;
  readonly alwaysLoad?: boolean;
}

/** A call that would write or run something, before anybody is asked about it. */
export interface GatedCall extends Pick<ApprovalRequest, 'tool' | 'plan' | 'program'> {
  /** The message that it is part of. */
  readonly nodeId: string;
}

export interface ToolGroup {
  readonly name: string;
  readonly tools: readonly Tool[];
  readonly rulePrompt?: string | ((enabledToolNames: readonly string[]) => string);
  readonly declareSkillRules?: Readonly<Record<string, SkillRule>>;
  /** Called for the calls of all groups, on or off: what an approval says besides, which is then required. Rejects with ToolError to refuse one. */
  readonly gate?: (call: GatedCall) => Promise<readonly PlanNotice[]>;
  /** Called before each turn while the group is on: what its rules list may have changed. Rejects only on abort. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>;
}

/** A model that works inside a call: the call that started it, and its name for people. */
export interface SubAgentName {
  readonly callId: string;
  readonly label: string;
}

/** A request to the user. `result` approvals contain the text that would be sent to the model. */
export interface ApprovalRequest {
  readonly approvalId: string;
  readonly callId: string;
  /** `form`: a server asks the person while the call runs. */
  readonly kind: 'execution' | 'result' | 'form';
  readonly tool: string;
  readonly args: ToolArguments;
  readonly plan?: ChangePlan;
  /** The destination of the data, and the data, byte for byte. */
  readonly outgoing?: { readonly destination: string; readonly body: string };
  /** The complete command or script that would run. */
  readonly program?: ProgramRun;
  readonly resultText?: string;
  readonly form?: ServerForm;
  /** The sub-agent that makes the call; absent for the chat's own model. */
  readonly subAgent?: SubAgentName;
  /** The scope that "Allow for this chat" would allow, e.g. tool `insert_blocks` in a notebook id; absent if it is not offered. */
  readonly scope?: string;
  /** Approving it also allows the scope: for this chat or, if data leaves, until a note is read in it. */
  readonly lasting?: true;
  /** Why it is asked about where small changes need no question: an AskReason. */
  readonly because?: string;
  /** Decides only whether the call starts, in manual mode: nothing is planned yet, and a write asks again. */
  readonly manual?: true;
}

export type ApprovalDecision =
  | {
      readonly approved: true;
      readonly acceptedOperations?: readonly string[];
      readonly remember?: boolean;
      /** The plan may exceed the notebook's right (`needsRight`) this one time. Without it such a plan is refused when it is applied. */
      readonly beyondRight?: boolean;
      /** To the fields of a form, by their names. */
      readonly answers?: Readonly<Record<string, FormValue>>;
    }
  /** `closed`: a form is left without an answer. */
  | { readonly approved: false; readonly reason?: string; readonly closed?: true };

/** The call after a person changed its arguments. `use` makes an approval apply to it. */
interface RevisedCall extends Pick<ApprovalRequest, 'args' | 'plan'> {
  readonly use: () => void;
}

/** Plans a call again with a person's own arguments, in which references to variables are literal. Rejects with ToolError. */
export type ReviseCall = (args: ToolArguments) => Promise<RevisedCall>;

/** Asks; resolves with the decision; rejects with an abort if `signal` aborts. `revise`: for a call that has a plan. */
export interface ApprovalAdapter {
  request(request: ApprovalRequest, signal: AbortSignal, revise?: ReviseCall): Promise<ApprovalDecision>;
}

/** A server's question to a person while a tool of it is called. Its words are cut and stand on one line. */
export interface ServerForm {
  readonly server: string;
  readonly destination: string;
  readonly message: string;
  readonly fields: readonly FormField[];
  /** In place of fields: a page that the person is to open. */
  readonly address?: string;
}

export type FormValue = string | number | boolean | string[];

export interface FormField {
  /** As the server wants it back. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly kind: 'text' | 'number' | 'integer' | 'boolean' | 'one' | 'many';
  readonly required: boolean;
  /** Of a text. */
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  /** Of a number; of letters of a text; of choices. */
  readonly least?: number;
  readonly most?: number;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly initial?: FormValue;
}

/** `accept`: what is sent, absent for a page; `cancel`: nobody answered. */
export type FormAnswer =
  | { readonly action: 'accept'; readonly content?: Record<string, FormValue> }
  | { readonly action: 'decline' | 'cancel' };

/** Asks the person; resolves with `cancel` where nobody answers, and never rejects. */
export type AskForm = (form: ServerForm, withdrawn: AbortSignal) => Promise<FormAnswer>;

export type ValueProblem = 'required' | 'choice' | 'least' | 'most' | 'number' | 'integer' | 'format';
