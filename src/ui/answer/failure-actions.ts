import type { MessageView } from '../../chat/view/view.ts';
import type { MessageKey } from '../ports/i18n.ts';

export type FailureAction = 'allow' | 'retry' | 'model' | 'key' | 'check' | 'settings' | 'new-chat' | 'go-on';

export const FAILURE_ACTIONS: Readonly<Record<FailureAction, MessageKey>> = {
  allow: 'action.allowProvider',
  retry: 'action.retry',
  model: 'first.action',
  key: 'action.key',
  check: 'action.model',
  settings: 'action.settings',
  'new-chat': 'action.newChat',
  'go-on': 'action.goOn',
};

/** Actions that help if retrying alone does not; the first is the primary one, unless a feature has one. */
const HELPING: Readonly<Record<string, readonly FailureAction[]>> = {
  model_missing: ['model', 'retry'],
  model_gone: ['model', 'retry'],
  model_unauthorized: ['key', 'retry'],
  model_not_found: ['model', 'retry'],
  model_no_credit: ['model', 'retry'],
  model_no_price: ['model', 'retry'],
  model_no_tools: ['model', 'retry'],
  model_schema_refused: ['settings', 'retry'],
  model_no_vision: ['model', 'retry'],
  model_not_local: ['allow', 'model', 'retry'],
  model_bad_request: ['check', 'retry'],
  model_context_overflow: ['new-chat', 'model', 'retry'],
  model_rate_limited: ['retry', 'model'],
  model_server_error: ['retry', 'model'],
  model_limit_used: ['settings', 'retry'],
  model_filtered: ['model', 'retry'],
  model_unreachable: ['retry', 'check'],
  model_interrupted: ['retry'],
  model_bad_answer: ['retry', 'check'],
  project_gone: ['go-on', 'retry'],
  project_left: ['go-on', 'retry'],
  project_empty: ['go-on', 'retry'],
  project_other: ['go-on', 'model'],
  privacy_invalid: ['settings', 'retry'],
};

/** `first`: the chat had no earlier messages, so a new one would fail the same way. */
export function failureActions({ status, error }: Pick<MessageView, 'status' | 'error'>, first: boolean): readonly FailureAction[] {
  const actions = (status === 'error' && error && Object.hasOwn(HELPING, error.code) ? HELPING[error.code] : undefined) ?? ['retry'];
  return first ? actions.filter((action) => action !== 'new-chat') : actions;
}
