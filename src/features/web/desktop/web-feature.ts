import { join } from 'node:path';
import type { OpenDesktopFeature } from '../../../app/groups/desktop-feature.ts';
import { createPageReader } from '../../../desktop/web/page-reader.ts';
import { WEB } from '../search-port.ts';
import { createWebFetch } from '../web-fetch.ts';
import { createWebPages } from './web-pages.ts';

/** Pages are read where names are resolved: a browser does not say what a name resolves to. */
export const openWebFeature: OpenDesktopFeature = ({ workspace, kernel }) => {
  const reader = createPageReader({ program: join(workspace, 'data/plugins/siyuan-marginalia/page-reader.mjs') });
  return { name: WEB.name, tools: { group: 'web', list: [createWebFetch(createWebPages({ kernel, reader }))] } };
};
