import type { MessageKey } from '../ports/i18n.ts';
import type { ToolPolicy, ToolSetting } from '../ports/settings-port.ts';

const ASKED = { auto: 'never', 'ask-once': 'once', 'ask-always': 'always' } as const satisfies Record<ToolPolicy, string>;

/** What the policy of a tool leaves unsaid of how its calls are asked about in the open chat. */
export function askedLabel({ policy, asked, acts }: ToolSetting): MessageKey | undefined {
  if (asked.length === 0) return 'asked.off';
  const byPolicy = ASKED[policy];
  if (asked.every((each) => each === byPolicy)) return undefined;
  if (!asked.includes(byPolicy)) return 'asked.now';
  return acts ? 'asked.reads' : 'asked.sends';
}
