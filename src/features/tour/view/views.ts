import type { FeatureViews } from '../../../ui/state/features.ts';
import { TOUR } from '../tour-port.ts';
import TourView from './TourView.svelte';

export const views: FeatureViews = { name: TOUR.name, pages: { [TOUR.name]: TourView } };
