import type { FeatureViews } from '../../../ui/state/features.ts';
import MemorySettings from './MemorySettings.svelte';

export const views: FeatureViews = { name: 'memory', sections: [{ place: 'reach', View: MemorySettings }] };
