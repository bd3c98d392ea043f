import type { FeatureViews } from '../../../ui/state/features.ts';
import PlanNote from './PlanNote.svelte';
import PlanSwitch from './PlanSwitch.svelte';

export const views: FeatureViews = {
  name: 'plan-first',
  sections: [{ place: 'chat', View: PlanSwitch }],
  LiveNote: PlanNote,
};
