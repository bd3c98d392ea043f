import { type Period, readBudgetReached } from '../../model/budget/budget-words.ts';
import type { ErrorCode, EventError } from '../../tools/contract/errors.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import { money } from './format.ts';
import { own } from './own.ts';

/** What happened and what to do, for what ends a turn or stands in the way of one. */
const TURNS: Readonly<Partial<Record<ErrorCode, readonly [MessageKey, MessageKey]>>> = {
  local_only: ['error.local_only', 'error.local_only.next'],
  timeout: ['error.timeout', 'error.timeout.next'],
  no_right: ['error.no_right', 'error.no_right.next'],
  read_only: ['error.read_only', 'error.read_only.next'],
  kernel_unreachable: ['error.kernel_unreachable', 'error.kernel_unreachable.next'],
  model_bad_answer: ['error.model_bad_answer', 'error.model_bad_answer.next'],
  model_bad_request: ['error.model_bad_request', 'error.model_bad_request.next'],
  model_context_overflow: ['error.model_context_overflow', 'error.model_context_overflow.next'],
  model_not_found: ['error.model_not_found', 'error.model_not_found.next'],
  model_interrupted: ['error.model_interrupted', 'error.model_interrupted.next'],
  model_gone: ['error.model_gone', 'error.model_gone.next'],
  model_missing: ['error.model_missing', 'error.model_missing.next'],
  model_no_credit: ['error.model_no_credit', 'error.model_no_credit.next'],
  model_no_price: ['error.model_no_price', 'error.model_no_price.next'],
  model_no_tools: ['error.model_no_tools', 'error.model_no_tools.next'],
  model_no_vision: ['error.model_no_vision', 'error.model_no_vision.next'],
  model_not_local: ['error.model_not_local', 'error.model_not_local.next'],
  model_rate_limited: ['error.model_rate_limited', 'error.model_rate_limited.next'],
  model_server_error: ['error.model_server_error', 'error.model_server_error.next'],
  model_unauthorized: ['error.model_unauthorized', 'error.model_unauthorized.next'],
  model_unreachable: ['error.model_unreachable', 'error.model_unreachable.next'],
  tools_in_text: ['error.tools_in_text', 'error.tools_in_text.next'],
  media_no_notes: ['error.media_no_notes', 'error.media_no_notes.next'],
  media_no_picture: ['error.media_no_picture', 'error.media_no_picture.next'],
  media_no_recording: ['error.media_no_recording', 'error.media_no_recording.next'],
  media_no_text: ['error.media_no_text', 'error.media_no_text.next'],
  media_too_large: ['error.media_too_large', 'error.media_too_large.next'],
  media_wrong_file: ['error.media_wrong_file', 'error.media_wrong_file.next'],
  no_microphone: ['error.no_microphone', 'error.no_microphone.next'],
  budget_reached: ['error.budget_reached', 'error.budget_reached.next'],
  usage_unreadable: ['error.usage_unreadable', 'error.usage_unreadable.next'],
  privacy_invalid: ['error.privacy_invalid', 'error.privacy_invalid.next'],
  busy: ['error.busy', 'error.busy.next'],
  chat_broken: ['error.chat_broken', 'error.chat_broken.next'],
  chat_elsewhere: ['error.chat_elsewhere', 'error.chat_elsewhere.next'],
  chat_missing: ['error.chat_missing', 'error.chat_missing.next'],
  chat_newer: ['error.chat_newer', 'error.chat_newer.next'],
  chat_repaired: ['error.chat_repaired', 'error.chat_repaired.next'],
  empty_chat: ['error.empty_chat', 'error.empty_chat.next'],
  import_unreadable: ['error.import_unreadable', 'error.import_unreadable.next'],
  interrupted: ['error.interrupted', 'error.interrupted.next'],
  no_chat: ['error.no_chat', 'error.no_chat.next'],
  note_gone: ['error.note_gone', 'error.note_gone.next'],
  note_others: ['error.note_others', 'error.note_others.next'],
  not_loaded: ['error.not_loaded', 'error.not_loaded.next'],
  storage_failed: ['error.storage_failed', 'error.storage_failed.next'],
  storage_full: ['error.storage_full', 'error.storage_full.next'],
};

/** What happened, for every code there is: a new one without words is a compile error. */
const WORDS: Readonly<Record<ErrorCode, MessageKey>> = {
  aborted: 'callError.aborted',
  approval_failed: 'callError.approval_failed',
  arguments_cut: 'callError.arguments_cut',
  bad_arguments: 'callError.bad_arguments',
  bad_call: 'callError.bad_call',
  bad_reference: 'callError.bad_reference',
  local_only: 'callError.local_only',
  not_approved: 'callError.not_approved',
  not_repeated: 'callError.not_repeated',
  repeated_failure: 'callError.repeated_failure',
  round_limit: 'callError.round_limit',
  tool_disabled: 'callError.tool_disabled',
  unknown_tool: 'callError.unknown_tool',
  unknown_variable: 'callError.unknown_variable',
  internal: 'callError.internal',
  no_result: 'callError.no_result',
  outcome_unknown: 'callError.outcome_unknown',
  timeout: 'callError.timeout',
  tool_failed: 'callError.tool_failed',
  ambiguous_notebook: 'callError.ambiguous_notebook',
  ambiguous_path: 'callError.ambiguous_path',
  bad_attribute: 'callError.bad_attribute',
  bad_id: 'callError.bad_id',
  bad_label: 'callError.bad_label',
  bad_path: 'callError.bad_path',
  bad_pattern: 'callError.bad_pattern',
  bad_sql: 'callError.bad_sql',
  bad_target: 'callError.bad_target',
  bad_type: 'callError.bad_type',
  closed_notebook: 'callError.closed_notebook',
  empty_text: 'callError.empty_text',
  encrypted_notebook: 'callError.encrypted_notebook',
  many_matches: 'callError.many_matches',
  no_change: 'callError.no_change',
  no_documents: 'callError.no_documents',
  no_match: 'callError.no_match',
  no_right: 'callError.no_right',
  not_found: 'callError.not_found',
  not_markdown_safe: 'callError.not_markdown_safe',
  path_exists: 'callError.path_exists',
  protected_attribute: 'callError.protected_attribute',
  raced: 'callError.raced',
  read_only: 'callError.read_only',
  sql_off: 'callError.sql_off',
  stale: 'callError.stale',
  too_large: 'callError.too_large',
  too_many: 'callError.too_many',
  unsafe_markdown: 'callError.unsafe_markdown',
  kernel_refused: 'callError.kernel_refused',
  kernel_unreachable: 'callError.kernel_unreachable',
  bad_name: 'callError.bad_name',
  name_taken: 'callError.name_taken',
  past_end: 'callError.past_end',
  protected_variable: 'callError.protected_variable',
  variables_full: 'callError.variables_full',
  variables_missing: 'callError.variables_missing',
  address_refused: 'callError.address_refused',
  bad_address: 'callError.bad_address',
  not_text: 'callError.not_text',
  search_failed: 'callError.search_failed',
  search_key: 'callError.search_key',
  search_off: 'callError.search_off',
  memory_off: 'callError.memory_off',
  site_error: 'callError.site_error',
  site_unreachable: 'callError.site_unreachable',
  not_a_file: 'callError.not_a_file',
  outside_folders: 'callError.outside_folders',
  program_limit: 'callError.program_limit',
  program_missing: 'callError.program_missing',
  script_failed: 'callError.script_failed',
  secret_file: 'callError.secret_file',
  bad_date: 'callError.bad_date',
  bad_expression: 'callError.bad_expression',
  bad_time_zone: 'callError.bad_time_zone',
  division_by_zero: 'callError.division_by_zero',
  no_answer: 'callError.no_answer',
  no_number: 'callError.no_number',
  nobody_there: 'callError.nobody_there',
  model_bad_answer: 'error.model_bad_answer',
  model_bad_request: 'error.model_bad_request',
  model_context_overflow: 'error.model_context_overflow',
  model_interrupted: 'error.model_interrupted',
  model_gone: 'error.model_gone',
  model_missing: 'error.model_missing',
  model_not_found: 'error.model_not_found.nameless',
  model_no_credit: 'error.model_no_credit',
  model_no_price: 'error.model_no_price.nameless',
  model_no_tools: 'error.model_no_tools',
  tools_in_text: 'error.tools_in_text',
  model_no_vision: 'error.model_no_vision',
  model_not_local: 'error.model_not_local',
  model_rate_limited: 'error.model_rate_limited',
  model_server_error: 'error.model_server_error',
  model_unauthorized: 'error.model_unauthorized',
  model_unreachable: 'error.model_unreachable',
  media_no_notes: 'error.media_no_notes',
  media_no_picture: 'error.media_no_picture',
  media_no_recording: 'error.media_no_recording',
  media_no_text: 'error.media_no_text',
  media_too_large: 'error.media_too_large',
  media_wrong_file: 'error.media_wrong_file',
  no_microphone: 'error.no_microphone',
  budget_reached: 'error.budget_reached',
  usage_unreadable: 'error.usage_unreadable',
  privacy_invalid: 'error.privacy_invalid',
  busy: 'error.busy',
  chat_broken: 'error.chat_broken',
  chat_elsewhere: 'error.chat_elsewhere',
  chat_missing: 'error.chat_missing',
  chat_newer: 'error.chat_newer',
  chat_repaired: 'error.chat_repaired',
  empty_chat: 'error.empty_chat',
  import_unreadable: 'error.import_unreadable',
  interrupted: 'error.interrupted',
  no_chat: 'error.no_chat',
  note_gone: 'error.note_gone',
  note_others: 'error.note_others',
  not_loaded: 'error.not_loaded',
  storage_failed: 'error.storage_failed',
  storage_full: 'error.storage_full',
  other: 'callError.other',
};

export interface ErrorWords {
  readonly what: string;
  readonly next: string;
  /** The error's own sentence where ours replaced it, for people who report it. */
  readonly detail: string;
}

/** What is known of the question that failed. */
export interface AskedModel {
  /** As the provider names it. */
  readonly model: string;
  /** Nothing was said before: the chat cannot have become too long. */
  readonly first: boolean;
  /** No key is kept on this device, so none was refused. */
  readonly keyless?: boolean;
}

const OF_FIRST: Readonly<Record<string, readonly [MessageKey, MessageKey]>> = {
  model_context_overflow: ['error.model_context_overflow.first', 'error.model_context_overflow.firstNext'],
};

const OF_KEYLESS: Readonly<Record<string, readonly [MessageKey, MessageKey]>> = {
  model_unauthorized: ['error.model_unauthorized.keyless', 'error.model_unauthorized.keylessNext'],
};

const OF_BUDGET: Readonly<Record<Period, MessageKey>> = {
  turn: 'error.budget_reached.turn',
  day: 'error.budget_reached.day',
  month: 'error.budget_reached.month',
};

/** Which budget a request would exceed, and by how much; undefined where the error does not say it. */
function budgetWords({ code, message }: EventError, t: Translate): string | undefined {
  const reached = code === 'budget_reached' ? readBudgetReached(message) : undefined;
  if (!reached) return undefined;
  const { period, unit, spent, limit } = reached;
  const amount = (value: number): string => (unit === 'dollars' ? money(value, t) : value.toLocaleString(t('language.tag')));
  return t(OF_BUDGET[period], {
    amount: t(unit === 'tokens' ? 'error.budget_reached.tokens' : 'error.budget_reached.dollars', {
      spent: amount(spent),
      limit: amount(limit),
    }),
  });
}

/** Words that name the model, where it is not known which. */
const OF_NAMELESS: Readonly<Record<string, MessageKey>> = {
  model_not_found: 'error.model_not_found.nameless',
  model_no_price: 'error.model_no_price.nameless',
};

/** What happened and what to do, in the panel's language. */
export function errorLabel(error: EventError, t: Translate, asked: AskedModel = { model: '', first: false }): ErrorWords {
  const { model, first, keyless } = asked;
  const known =
    (first ? own(OF_FIRST, error.code) : undefined) ?? (keyless ? own(OF_KEYLESS, error.code) : undefined) ?? own(TURNS, error.code);
  if (!known) return { what: callErrorLabel(error, t), next: sentence(error.next), detail: '' };
  const what = budgetWords(error, t) ?? t((model === '' ? own(OF_NAMELESS, error.code) : undefined) ?? known[0], { model });
  return { what, next: t(known[1]), detail: `${error.code}: ${error.message}` };
}

/** Why a call failed, in one sentence: the panel's own words where the language has them, else what was told to the model. */
export function callErrorLabel(error: EventError, t: Translate): string {
  const { code, message } = error;
  const budget = budgetWords(error, t);
  if (budget) return budget;
  const key = own(WORDS, code);
  return sentence(key ? t(key, { message }) : message);
}

/** Errors are written as clauses for the model; people get a sentence. */
function sentence(clause: string): string {
  if (clause === '') return '';
  const text = clause.charAt(0).toUpperCase() + clause.slice(1);
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}
