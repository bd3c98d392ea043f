import type { StartFeature } from '../../app/panel-feature.ts';
import type { Help } from '../../ui/state/features.ts';
import { openSearchPort } from './panel/open-search-port.ts';
import { WEB } from './search-port.ts';

export const HELPS: readonly Help[] = [
  { codes: ['search_off', 'search_key'], part: 'web', setUp: { web_search: 'tools.setUp.web_search' } },
];

/** Pages of the web and a search service. */
export const start: StartFeature = () => ({
  lateGroups: [{ name: WEB.name }],
  inPanel: ({ settings }) => ({ name: WEB.name, port: openSearchPort(settings), helps: HELPS }),
});
