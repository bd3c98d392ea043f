import type { FeatureViews } from '../../../ui/state/features.ts';
import { GUESTS } from '../guests-port.ts';
import GuestSettings from './GuestSettings.svelte';

export const views: FeatureViews = { name: GUESTS.name, sections: [{ place: 'rights', View: GuestSettings }] };
