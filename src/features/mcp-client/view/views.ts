import type { FeatureViews } from '../../../ui/state/features.ts';
import ServerSettings from './ServerSettings.svelte';

export const views: FeatureViews = { sections: [{ place: 'reach', View: ServerSettings }] };
