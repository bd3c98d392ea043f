import type { CheckedArgument } from '../../../../protocol/check-arguments.ts';
import type { MessageKey, Translate } from '../../../../ui/ports/i18n.ts';

const NAMES: Readonly<Record<CheckedArgument['status'], MessageKey>> = {
  ok: 'tester.check.ok',
  missing: 'tester.check.missing',
  typeError: 'tester.check.typeError',
  unknown: 'tester.check.unknown',
};

export const checkName = (status: CheckedArgument['status'], t: Translate): string => t(NAMES[status]);

/** The error at a field; '' if it is valid. */
export function faultOf(checked: CheckedArgument | undefined, t: Translate): string {
  if (!checked || checked.status === 'ok' || checked.status === 'missing') return '';
  const what = checkName(checked.status, t);
  return checked.wanted === '' ? what : t('tester.wrong', { what, wanted: checked.wanted });
}
