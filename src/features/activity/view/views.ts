import type { FeatureViews } from '../../../ui/state/features.ts';
import ActivityView from './ActivityView.svelte';

export const views: FeatureViews = { name: 'activity', pages: { activity: ActivityView } };
