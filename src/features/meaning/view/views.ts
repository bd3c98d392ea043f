import type { FeatureViews } from '../../../ui/state/features.ts';
import { MEANING } from '../meaning-port.ts';
import DeviceMeaning from './DeviceMeaning.svelte';

export const views: FeatureViews = { name: MEANING.name, sections: [{ place: 'meaning', View: DeviceMeaning }] };
