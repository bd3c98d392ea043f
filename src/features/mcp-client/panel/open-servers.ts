import { PanelServers, type PanelServersDeps } from './panel-servers.ts';
import { serverOffers } from './server-offers.ts';
import { createServersPort, type ServersAdapterDeps } from './servers-adapter.ts';

export function openServers(deps: PanelServersDeps & Pick<ServersAdapterDeps, 'ofSiYuan'>) {
  const servers = new PanelServers(deps);
  return { servers, port: { ...createServersPort({ ...deps, servers }), ...serverOffers(servers) } };
}
