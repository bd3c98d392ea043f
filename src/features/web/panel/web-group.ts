import type { OpenGroup } from '../../../app/workspace/group-environment.ts';
import { createWebGroup } from '../web.ts';
import { createPanelSearch } from './panel-search.ts';

export const webGroup: OpenGroup = ({ settings, toolsFor }) => createWebGroup(createPanelSearch(settings), toolsFor?.('web')[0]);
