import { type Period, readBudgetReached } from '../../model/budget/budget-words.ts';
import { isLocalAddress } from '../../model/local-address.ts';
import { shownName } from '../../model/model-marks.ts';
import { type ErrorCode, type EventError, isErrorCode } from '../../tools/contract/errors.ts';
import { own } from '../../tools/plan-words/own.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';
import { money } from './format.ts';
import { withoutRawIds } from './readable-result.ts';

/**
 * A call's line has less room than a notice, and its English text says what the model got: the block or the path. For every other
 * code it says what happened, like a notice.
 */
const OF_CALLS: Readonly<Partial<Record<ErrorCode, MessageKey>>> = {
  aborted: 'callError.aborted',
  ambiguous_path: 'callError.ambiguous_path',
  bad_pattern: 'callError.bad_pattern',
  bad_query: 'callError.bad_query',
  bad_sql: 'callError.bad_sql',
  bad_target: 'callError.bad_target',
  closed_notebook: 'callError.closed_notebook',
  empty_text: 'callError.empty_text',
  encrypted_notebook: 'callError.encrypted_notebook',
  kernel_unreachable: 'callError.kernel_unreachable',
  many_matches: 'callError.many_matches',
  no_change: 'callError.no_change',
  no_match: 'callError.no_match',
  no_right: 'callError.no_right',
  nobody_there: 'callError.nobody_there',
  not_found: 'callError.not_found',
  not_markdown_safe: 'callError.not_markdown_safe',
  outcome_unknown: 'callError.outcome_unknown',
  path_exists: 'callError.path_exists',
  protected_attribute: 'callError.protected_attribute',
  raced: 'callError.raced',
  read_only: 'callError.read_only',
  sql_off: 'callError.sql_off',
  stale: 'callError.stale',
  timeout: 'callError.timeout',
  too_large: 'callError.too_large',
  unsafe_markdown: 'callError.unsafe_markdown',
};

export interface ErrorWords {
  readonly what: string;
  readonly next: string;
  /** The original message of the error, for people who report it. */
  readonly detail: string;
  /** The provider's own message, verbatim. */
  readonly said?: string;
}

/** What is known about the question that failed. */
export interface AskedModel {
  /** As the provider names it. */
  readonly model: string;
  /** There were no earlier messages: the chat cannot have become too long. */
  readonly first: boolean;
  /** No key is stored on this device, so none was refused. */
  readonly keyless?: boolean;
  /** The address of its provider; on this computer or network its owner sets the window. */
  readonly baseURL?: string | undefined;
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

/** What helps if the person runs the server; undefined if that makes no difference. */
function localNext(code: string, { baseURL = '', first }: AskedModel, t: Translate): string | undefined {
  if (!isLocalAddress(baseURL)) return undefined;
  if (code === 'model_unreachable') return t('error.model_unreachable.local');
  if (code !== 'model_context_overflow') return undefined;
  const { port } = new URL(baseURL);
  const notOllama = port === '1234' ? 'lmStudio' : 'other';
  const how = t(`larger.${port === '11434' ? 'ollama' : notOllama}`);
  return t(`error.model_context_overflow.${first ? 'firstLocal' : 'local'}`, { how });
}

/** Which budget a request would exceed, and by how much; undefined if the error does not say it. */
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

/** Texts with the model's name, for an unknown model. */
const OF_NAMELESS: Readonly<Record<string, MessageKey>> = {
  model_not_found: 'error.model_not_found.nameless',
  model_no_price: 'error.model_no_price.nameless',
};

/** SiYuan's own message, in its language; undefined if the error has none. */
function kernelWords({ code, message }: EventError, t: Translate): string | undefined {
  const said = code === 'kernel_refused' ? /^SiYuan refused \S+: (?!code )([^;]+)$/u.exec(message)?.[1] : undefined;
  return said && t('error.kernel_refused.said', { said });
}

/** What happened and the next step, in the panel's language. `error.next` is for the model only: every code has texts for people. */
export function errorLabel(
  error: EventError,
  t: Translate,
  asked: AskedModel = { model: '', first: false },
  titleOf?: (id: string) => string,
): ErrorWords {
  const { first, keyless } = asked;
  const model = shownName(asked.model);
  const { code, message } = error;
  const special = (first ? own(OF_FIRST, code) : undefined) ?? (keyless ? own(OF_KEYLESS, code) : undefined);
  const what = special ? t(special[0], { model }) : whatHappened(error, t, model);
  return {
    what: sentence(withoutRawIds(what, t, titleOf)),
    next: localNext(code, asked, t) ?? (special ? t(special[1]) : t(`error.${codeOf(error)}.next`)),
    detail: `${code}: ${message}`,
    ...providerWords(error),
  };
}

/** After the adapter's own text. */
function providerWords({ code, message }: EventError): Pick<ErrorWords, 'said'> {
  const at = code.startsWith('model_') ? message.indexOf(': ') : -1;
  const said = at < 0 ? '' : message.slice(at + 2).trim();
  return said === '' ? {} : { said };
}

export function callErrorLabel(error: EventError, t: Translate, titleOf?: (id: string) => string): string {
  const ofCall = own(OF_CALLS, error.code);
  return sentence(withoutRawIds(ofCall ? t(ofCall, { message: error.message }) : whatHappened(error, t), t, titleOf));
}

/** An unknown code counts as `other`. */
const codeOf = ({ code }: EventError): ErrorCode => (isErrorCode(code) ? code : 'other');

function whatHappened(error: EventError, t: Translate, model = ''): string {
  const { message } = error;
  const said = budgetWords(error, t) ?? kernelWords(error, t);
  if (said) return said;
  const nameless = model === '' ? own(OF_NAMELESS, error.code) : undefined;
  return t(nameless ?? `error.${codeOf(error)}`, { model, message });
}

/** Errors are written as clauses for the model; people get a sentence. */
function sentence(clause: string): string {
  if (clause === '') return '';
  const text = clause.charAt(0).toUpperCase() + clause.slice(1);
  if (/[.!?…。！？]$/.test(text)) return text;
  return /[\u4e00-\u9fff]$/.test(text) ? `${text}。` : `${text}.`;
}
