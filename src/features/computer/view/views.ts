import type { FeatureViews } from '../../../ui/state/features.ts';
import { COMPUTER } from '../computer-port.ts';
import FolderSettings from './FolderSettings.svelte';

export const views: FeatureViews = { name: COMPUTER.name, sections: [{ place: 'rights', View: FolderSettings }] };
