/** The codes of all expected failures; the compiler demands `error.CODE` and `error.CODE.next` for each in the panel's languages. */
export const ERROR_CODES = [
  // A call before it runs
  'aborted',
  'approval_failed',
  'arguments_cut',
  'bad_arguments',
  'bad_call',
  'bad_reference',
  'local_only',
  'not_approved',
  'not_repeated',
  'repeated_failure',
  'round_limit',
  'tool_disabled',
  'unknown_tool',
  'unknown_variable',
  // The result of a call
  'internal',
  'no_result',
  'outcome_unknown',
  'timeout',
  'tool_failed',
  // Notes
  'ambiguous_notebook',
  'ambiguous_path',
  'bad_attribute',
  'bad_id',
  'bad_label',
  'bad_path',
  'bad_pattern',
  'bad_query',
  'bad_sql',
  'bad_target',
  'bad_type',
  'bad_value',
  'closed_notebook',
  'empty_text',
  'encrypted_notebook',
  'many_matches',
  'no_change',
  'no_documents',
  'no_match',
  'no_right',
  'not_found',
  'not_markdown_safe',
  'path_exists',
  'protected_attribute',
  'raced',
  'read_only',
  'sql_off',
  'stale',
  'too_large',
  'too_many',
  'unsafe_markdown',
  // SiYuan
  'kernel_refused',
  'kernel_unreachable',
  // Variables
  'bad_name',
  'name_taken',
  'past_end',
  'protected_variable',
  'variables_full',
  'variables_missing',
  // The web
  'address_refused',
  'bad_address',
  'not_text',
  'search_failed',
  'search_key',
  'search_off',
  'site_error',
  'site_unreachable',
  // Other people's servers
  'mcp_asks',
  'mcp_failed',
  'mcp_refused',
  'mcp_sign_in',
  'mcp_unreachable',
  // Other programs
  'service_failed',
  'service_missing',
  'port_taken',
  'service_refused',
  'service_unreachable',
  // Files and programs
  'not_a_file',
  'outside_folders',
  'program_limit',
  'program_missing',
  'script_failed',
  'secret_file',
  'memory_off',
  // Other tools
  'bad_date',
  'bad_expression',
  'bad_time_zone',
  'division_by_zero',
  'no_answer',
  'no_number',
  'nobody_there',
  // The model
  'model_bad_answer',
  'model_bad_request',
  'model_context_overflow',
  'model_filtered',
  'model_interrupted',
  'model_gone',
  'model_limit_used',
  'model_missing',
  'model_not_found',
  'model_no_credit',
  'model_no_price',
  'model_no_tools',
  'model_no_vision',
  'model_not_local',
  'model_rate_limited',
  'model_schema_refused',
  'model_server_error',
  'model_unauthorized',
  'model_unreachable',
  'tools_in_text',
  'tools_simpler',
  'thoughts_left_out',
  // Pictures and speech
  'media_no_notes',
  'media_no_picture',
  'media_no_recording',
  'media_no_text',
  'media_too_large',
  'media_wrong_file',
  'no_microphone',
  'privacy_invalid',
  'budget_reached',
  'usage_unreadable',
  // The chat
  'busy',
  'chat_broken',
  'chat_elsewhere',
  'chat_missing',
  'chat_newer',
  'newer_version',
  'chat_repaired',
  'empty_chat',
  'import_unreadable',
  'interrupted',
  'no_chat',
  'note_gone',
  'note_others',
  'not_loaded',
  'project_empty',
  'project_gone',
  'project_left',
  'project_other',
  'storage_failed',
  'storage_full',
  /** From a newer version, or from a time when errors were saved without their code. */
  'other',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

/** A failure as it is passed, saved and shown: it becomes text only where a model or a person reads it. */
export interface EventError {
  readonly code: ErrorCode;
  readonly message: string;
  /** The next step, a clause; empty if there is nothing to do. */
  readonly next: string;
}

const MAX_THROWN = 100_000;

/** The one error class for expected failures: `code: what happened → what to do next`. */
export class ToolError extends Error {
  readonly code: ErrorCode;
  readonly next: string;
  /** The cause, for logs only; never shown to the model. */
  readonly detail: string | undefined;
  /** Text of notes that the error is about. Never part of the message: the model reads it framed as data, like results. */
  readonly quoted: string | undefined;

  constructor(code: ErrorCode, message: string, next: string, detail?: string, quoted?: string) {
    super(message);
    this.name = 'ToolError';
    this.code = code;
    this.next = next;
    this.detail = detail;
    this.quoted = quoted;
  }

  override toString(): string {
    return errorText(this);
  }
}

/** What was approved and could not be carried out. */
export class NotCarriedOut extends ToolError {}

export function errorText({ code, message, next }: EventError): string {
  return next === '' ? `${code}: ${message}` : `${code}: ${message} → ${next}`;
}

/** Of a notebook that SiYuan keeps encrypted. Its name is shown, unless the user set its right to `none`: then it does not exist. */
export const encryptedNotebook = (name: string): ToolError =>
  new ToolError('encrypted_notebook', `"${name}" is an encrypted notebook`, 'leave it alone and tell the user');

/** A plain object, to be put on a result or an event. */
export function toEventError({ code, message, next }: EventError): EventError {
  return { code, message, next };
}

export function isErrorCode(code: unknown): code is ErrorCode {
  return ERROR_CODES.some((known) => known === code);
}

/** Like `instanceof`, for values that may throw when they are inspected. */
export function isToolError(error: unknown): error is ToolError {
  try {
    return error instanceof ToolError;
  } catch {
    return false;
  }
}

/** Tells if only the one thing that was asked for failed, not the chat or SiYuan: what else is asked for may succeed. */
export const isOfOne = (error: unknown): error is ToolError =>
  isToolError(error) && error.code !== 'aborted' && error.code !== 'kernel_unreachable';

export function isAbort(error: unknown): boolean {
  try {
    return error instanceof Error && (error.name === 'AbortError' || (error instanceof ToolError && error.code === 'aborted'));
  } catch {
    return false;
  }
}

/** Turns any thrown value into a ToolError, so that no failure lacks a next step. Never throws itself. */
export function toToolError(error: unknown, code: ErrorCode = 'internal'): ToolError {
  if (isToolError(error)) return error;
  if (isAbort(error)) return new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
  const message = describeThrown(error) || 'something failed without a message';
  return new ToolError(code, message, 'try another way or tell the user what failed');
}

/** The text of a thrown value, which need not be an Error: a string, an object with a message, any other value; '' if there is none. */
export function describeThrown(thrown: unknown): string {
  try {
    if (thrown === undefined || thrown === null) return '';
    if (typeof thrown !== 'object') return String(thrown).slice(0, MAX_THROWN);
    if ('message' in thrown && typeof thrown.message === 'string') return thrown.message.slice(0, MAX_THROWN);
    return (JSON.stringify(thrown) ?? '').slice(0, MAX_THROWN);
  } catch {
    return 'a value was thrown that cannot be read';
  }
}
