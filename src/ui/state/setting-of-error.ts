import type { ErrorCode } from '../../tools/contract/errors.ts';
import { own } from '../../tools/plan-words/own.ts';
import type { SettingsPart } from './panel-state.svelte.ts';

/** The section of the settings that fixes a failure, if there is one. */
const SETTING_OF: Readonly<Partial<Record<ErrorCode, SettingsPart>>> = {
  search_off: 'web',
  search_key: 'web',
  mcp_refused: 'servers',
  mcp_sign_in: 'servers',
  mcp_unreachable: 'servers',
  memory_off: 'memory',
  local_only: 'rights',
  no_right: 'rights',
  sql_off: 'rights',
  privacy_invalid: 'privacy',
  budget_reached: 'budget',
  model_no_price: 'prices',
};

export const settingOf = (code: ErrorCode): SettingsPart | undefined => own(SETTING_OF, code);
