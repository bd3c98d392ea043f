import type { SecretStore } from '../../../host/settings/device-keys.ts';
import { lazyMethods, lazyPart } from '../../../tools/util/lazy.ts';
import type { ProgramsPort } from '../programs-port.ts';

/** Programs that come in through a service: nothing is loaded before it is used. */
export function lazyPrograms(secrets: SecretStore, load: () => Promise<typeof import('./open-programs.ts')>): ProgramsPort {
  const open = lazyPart(async () => (await load()).openPrograms(secrets));
  return lazyMethods<ProgramsPort>(open, {
    ...{ connection: true, connect: true, disconnect: true, list: true, add: true, remove: true, pending: true, decide: true },
  });
}
