import type { FeatureViews } from '../../../ui/state/features.ts';
import ClaimNote from './ClaimNote.svelte';

export const views: FeatureViews = { name: 'claim-check', AnswerNote: ClaimNote };
