import type { EventError } from '../../tools/events.ts';
import type { MessageKey, Translate } from '../i18n.ts';
import { own } from './own.ts';

const KNOWN: Readonly<Record<string, readonly [MessageKey, MessageKey]>> = {
  model_unauthorized: ['error.model_unauthorized', 'error.model_unauthorized.next'],
  model_unreachable: ['error.model_unreachable', 'error.model_unreachable.next'],
  model_rate_limited: ['error.model_rate_limited', 'error.model_rate_limited.next'],
  model_bad_request: ['error.model_bad_request', 'error.model_bad_request.next'],
  model_context_overflow: ['error.model_context_overflow', 'error.model_context_overflow.next'],
  model_bad_answer: ['error.model_bad_answer', 'error.model_bad_answer.next'],
  model_missing: ['error.model_missing', 'error.model_missing.next'],
  model_server_error: ['error.model_server_error', 'error.model_server_error.next'],
  model_interrupted: ['error.model_interrupted', 'error.model_interrupted.next'],
  chat_newer: ['error.chat_newer', 'error.chat_newer.next'],
  chat_elsewhere: ['error.chat_elsewhere', 'error.chat_elsewhere.next'],
  import_unreadable: ['error.import_unreadable', 'error.import_unreadable.next'],
  local_only: ['error.local_only', 'error.local_only.next'],
  note_gone: ['error.note_gone', 'error.note_gone.next'],
  note_others: ['error.note_others', 'error.note_others.next'],
  busy: ['error.busy', 'error.busy.next'],
  chat_missing: ['error.chat_missing', 'error.chat_missing.next'],
  no_right: ['error.no_right', 'error.no_right.next'],
  kernel_unreachable: ['error.kernel_unreachable', 'error.kernel_unreachable.next'],
  read_only: ['error.read_only', 'error.read_only.next'],
  interrupted: ['error.interrupted', 'error.interrupted.next'],
};

export interface ErrorWords {
  readonly what: string;
  readonly next: string;
  /** The error's own sentence where ours replaced it, for people who report it. */
  readonly detail: string;
}

/** What happened and what to do, in the panel's language; an unknown code speaks for itself. */
export function errorInWords(error: EventError, t: Translate): ErrorWords {
  const known = own(KNOWN, error.code);
  if (!known) return { what: sentence(error.message), next: sentence(error.next), detail: '' };
  return { what: t(known[0]), next: t(known[1]), detail: `${error.code}: ${error.message}` };
}

const CALLS: Readonly<Record<string, MessageKey>> = {
  not_found: 'callError.not_found',
  bad_id: 'callError.bad_id',
  bad_arguments: 'callError.bad_arguments',
  no_right: 'callError.no_right',
  closed_notebook: 'callError.closed_notebook',
  encrypted_notebook: 'callError.encrypted_notebook',
  read_only: 'callError.read_only',
  stale: 'callError.stale',
  raced: 'callError.raced',
  no_match: 'callError.no_match',
  many_matches: 'callError.many_matches',
  path_exists: 'callError.path_exists',
  empty_text: 'callError.empty_text',
  too_large: 'callError.too_large',
  unsafe_markdown: 'callError.unsafe_markdown',
  not_markdown_safe: 'callError.not_markdown_safe',
  kernel_unreachable: 'callError.kernel_unreachable',
  kernel_refused: 'callError.kernel_refused',
  outcome_unknown: 'callError.outcome_unknown',
  timeout: 'callError.timeout',
  aborted: 'callError.aborted',
  ambiguous_path: 'callError.ambiguous_path',
  bad_target: 'callError.bad_target',
  protected_attribute: 'callError.protected_attribute',
  no_change: 'callError.no_change',
  sql_off: 'callError.sql_off',
  bad_sql: 'callError.bad_sql',
  bad_pattern: 'callError.bad_pattern',
  no_answer: 'callError.no_answer',
  nobody_there: 'callError.nobody_there',
  local_only: 'callError.local_only',
};

/**
 * A failed call's line for the model, `code: what happened → what to call next`. People get the middle as a sentence, or
 * the panel's own words where the language has them.
 */
export function callErrorInWords(error: string, t: Translate): string {
  const [, code = '', message = error] = /^([a-z_]+): ([\s\S]*?)(?: → [\s\S]*)?$/.exec(error) ?? [];
  const known = own(CALLS, code);
  return sentence(known ? t(known, { message }) : message);
}

/** Errors are written as clauses for the model; people get a sentence. */
function sentence(clause: string): string {
  if (clause === '') return '';
  const text = clause.charAt(0).toUpperCase() + clause.slice(1);
  return /[.!?…。！？]$/.test(text) ? text : `${text}.`;
}
