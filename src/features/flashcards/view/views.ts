import type { FeatureViews } from '../../../ui/state/features.ts';
import ReviewView from './ReviewView.svelte';

export const views: FeatureViews = { name: 'flashcards', pages: { review: ReviewView } };
