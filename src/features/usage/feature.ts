import type { StartFeature } from '../../app/panel-feature.ts';
import type { Help } from '../../ui/state/features.ts';
import { USAGE, type UsagePort } from './usage-port.ts';

export const HELPS: readonly Help[] = [
  { codes: ['budget_reached'], label: 'action.budget', part: 'budget' },
  { codes: ['budget_reached', 'usage_unreadable'], label: 'action.usage', page: 'usage' },
  { codes: ['model_no_price'], label: 'action.price', part: 'prices' },
];

/** What requests to models used and cost, with the budget and the prices. */
export const start: StartFeature = () => ({
  inPanel: ({ ledger, chats: { clock } }) => ({
    name: USAGE.name,
    port: { ...ledger, today: clock.today } satisfies UsagePort,
    helps: HELPS,
    pages: [{ name: 'usage', title: 'usage.title', menu: { icon: 'iconMarginaliaUsage', part: 'chats' } }],
  }),
});
