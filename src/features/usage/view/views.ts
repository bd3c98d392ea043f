import type { FeatureViews } from '../../../ui/state/features.ts';
import { USAGE } from '../usage-port.ts';
import BudgetSettings from './BudgetSettings.svelte';
import PriceSettings from './PriceSettings.svelte';
import UsageView from './UsageView.svelte';

export const views: FeatureViews = {
  name: USAGE.name,
  pages: { usage: UsageView },
  sections: [
    { place: 'costs', View: BudgetSettings },
    { place: 'costs', View: PriceSettings },
  ],
};
