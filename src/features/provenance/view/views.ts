import type { FeatureViews } from '../../../ui/state/features.ts';
import { PROVENANCE } from '../provenance-port.ts';
import WrittenView from './WrittenView.svelte';

export const views: FeatureViews = { name: PROVENANCE.name, pages: { written: WrittenView } };
