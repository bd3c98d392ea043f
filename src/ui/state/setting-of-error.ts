import type { ErrorCode } from '../../tools/contract/errors.ts';
import { own } from '../../tools/plan-words/own.ts';
import { NO_FEATURES, type PanelContext } from './features.ts';

const SETTING_OF: Readonly<Partial<Record<ErrorCode, string>>> = {
  local_only: 'rights',
  no_right: 'rights',
  sql_off: 'rights',
  privacy_invalid: 'privacy',
};

/** The part of the settings that fixes a failure, if there is one. */
export const settingOf = (code: ErrorCode, { features = NO_FEATURES }: PanelContext): string | undefined =>
  own(SETTING_OF, code) ?? features.helps(code).find(({ part }) => part)?.part;
