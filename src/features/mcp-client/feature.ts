import { deviceSecrets, workspaceFolder } from '../../app/device-storage.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';
import { hostAiOf } from '../../model/host-providers.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import type { Help } from '../../ui/state/features.ts';
import { lazyServers } from './panel/lazy-servers.ts';
import { SERVERS } from './servers-port.ts';

const HELPS: readonly Help[] = [{ codes: ['mcp_refused', 'mcp_sign_in', 'mcp_unreachable'], part: 'servers' }];

/** Other people's servers of tools (Model Context Protocol). */
export const start: StartFeature = ({ base, settings, t, signal, groupsChanged }) => {
  const servers = lazyServers(
    untilClosed(() => import('./panel/open-servers.ts'), signal),
    {
      ...{ settings, assets: base.assets, secrets: deviceSecrets, folder: workspaceFolder(), onChange: groupsChanged, signal, t },
      ofSiYuan: () => fieldOf(fieldOf(hostAiOf(window.siyuan.config), 'mcp'), 'servers'),
    },
  );
  return { groups: servers.groups, wake: servers.wake, inPanel: () => ({ name: SERVERS.name, port: servers.port, helps: HELPS }) };
};
