import { lazyServers } from '../../features/mcp-client/panel/lazy-servers.ts';
import type { HostBase } from '../../host/host-base.ts';
import { hostAiOf } from '../../model/host-providers.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import type { Translate } from '../../ui/ports/i18n.ts';
import { deviceSecrets, workspaceFolder } from '../device.ts';
import { executorMaker } from '../open-executors.ts';
import { untilClosed } from '../until-closed.ts';
import type { LazyGroups } from './lazy-groups.ts';

/** The tools of each chat. Those of other people's servers come and go. */
export function openTools(
  groups: LazyGroups,
  deps: Omit<Parameters<typeof executorMaker>[0], 'moreGroups'> & { readonly base: Pick<HostBase, 'assets'> },
  t: Translate,
  signal: AbortSignal,
) {
  const ofSiYuan = (): unknown => fieldOf(fieldOf(hostAiOf(window.siyuan.config), 'mcp'), 'servers');
  const onChange = (): void => executors.follow(servers.groups());
  const parts = {
    settings: deps.settings,
    assets: deps.base.assets,
    secrets: deviceSecrets,
    folder: workspaceFolder(),
    onChange,
    ofSiYuan,
    signal,
    t,
  };
  const load = untilClosed(() => import('../../features/mcp-client/panel/open-servers.ts'), signal);
  const servers = lazyServers(load, parts);
  const executors = executorMaker({ ...deps, moreGroups: (chat) => [...groups.make(chat), ...servers.groups()] });
  return { servers, executors };
}
