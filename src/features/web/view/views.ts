import type { FeatureViews } from '../../../ui/state/features.ts';
import { WEB } from '../search-port.ts';
import WebSettings from './WebSettings.svelte';

export const views: FeatureViews = { name: WEB.name, sections: [{ place: 'reach', View: WebSettings }] };
