import type { StartFeature } from '../../app/panel-feature.ts';
import { USAGE, type UsagePort } from './usage-port.ts';

/** What requests to models used and cost, with the budget and the prices. */
export const start: StartFeature = () => ({
  inPanel: ({ ledger, chats: { clock } }) => ({
    name: USAGE.name,
    port: { ...ledger, today: clock.today } satisfies UsagePort,
    pages: [{ name: 'usage', title: 'usage.title', menu: { icon: 'iconMarginaliaUsage', part: 'program' } }],
  }),
});
