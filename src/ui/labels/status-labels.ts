import type { ToolCallView } from '../../chat/view/view.ts';
import type { IconName } from '../controls/icons.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';

type Status = ToolCallView['status'];

const STATUS: Readonly<Record<Status, readonly [MessageKey, IconName]>> = {
  writing: ['status.writing', 'iconMarginaliaWait'],
  queued: ['status.queued', 'iconMarginaliaWait'],
  running: ['status.running', 'iconMarginaliaWait'],
  waiting: ['status.waiting', 'iconMarginaliaWait'],
  success: ['status.success', 'iconSelect'],
  error: ['status.error', 'iconMarginaliaWarning'],
  execution_rejected: ['status.execution_rejected', 'iconMarginaliaBan'],
  result_rejected: ['status.result_rejected', 'iconMarginaliaBan'],
  not_found: ['status.not_found', 'iconMarginaliaWarning'],
  aborted: ['status.aborted', 'iconMarginaliaBan'],
  interrupted: ['status.interrupted', 'iconMarginaliaWarning'],
  unknown: ['status.unknown', 'iconMarginaliaWarning'],
};

export function statusName(status: Status, t: Translate): string {
  return t(STATUS[status][0]);
}

export function statusIcon(status: Status): IconName {
  return STATUS[status][1];
}
