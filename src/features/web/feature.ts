import type { StartFeature } from '../../app/panel-feature.ts';
import { openSearchPort } from './panel/open-search-port.ts';
import { WEB } from './search-port.ts';

/** Pages of the web and a search service. */
export const start: StartFeature = () => ({
  lateGroups: [{ name: WEB.name }],
  inPanel: ({ settings }) => ({
    ...{ name: WEB.name, port: openSearchPort(settings), helps: [{ codes: ['search_off', 'search_key'], part: 'web' }] },
  }),
});
