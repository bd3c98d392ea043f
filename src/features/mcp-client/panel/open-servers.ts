import { pictureKind } from '../../../model/media/file-kind.ts';
import { NEVER } from '../../../tools/util/abort.ts';
import type { OffersPort } from '../servers-port.ts';
import { PanelServers, type PanelServersDeps } from './panel-servers.ts';
import { createServersPort, type ServersAdapterDeps } from './servers-adapter.ts';

/** Resources and prompts of servers, as a person picks them for a question. */
function serverOffers(servers: PanelServers): OffersPort {
  return {
    offering: () => servers.offering(),
    offers: async (name) => (await servers.asked()).offers(name),
    async take(name, offer, values) {
      const { files, ...taken } = await (await servers.asked()).take(name, offer, values, NEVER);
      return {
        ...taken,
        files: files.map(({ name: file, mime, bytes }) => {
          // A picture by its bytes, whatever the server calls it.
          const kind = pictureKind(bytes);
          return new File([bytes], kind ? `${file.replace(/\.\w{1,5}$/u, '')}.${kind.extension}` : file, { type: kind?.mime ?? mime });
        }),
      };
    },
  };
}

export function openServers(deps: PanelServersDeps & Pick<ServersAdapterDeps, 'ofSiYuan'>) {
  const servers = new PanelServers(deps);
  return { servers, port: { ...createServersPort({ ...deps, servers }), ...serverOffers(servers) } };
}
