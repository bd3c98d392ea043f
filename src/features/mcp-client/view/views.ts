import type { FeatureViews } from '../../../ui/state/features.ts';
import { SERVERS } from '../servers-port.ts';
import ServerSettings from './ServerSettings.svelte';
import { withServers } from './server-items.ts';

export const views: FeatureViews = { name: SERVERS.name, sections: [{ place: 'reach', View: ServerSettings }], addPicks: withServers };
