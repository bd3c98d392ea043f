import type { SecretStore } from '../../host/settings/device-keys.ts';
import { lazyMethods, lazyPart } from '../../tools/util/lazy.ts';
import type { ProgramsPort, WatchedPrograms } from '../../ui/ports/programs-port.ts';

export const SERVICE_ADDRESS = 'local:service:address';
/** Milliseconds between two looks at what waits, and after one that failed. */
const EVERY_MS = 4000;
const FAILED_MS = 60_000;

/** Programs that come in through a service: nothing is loaded where none is set up on this device. */
export function lazyPrograms(secrets: SecretStore, load: () => Promise<typeof import('./open-programs.ts')>): WatchedPrograms {
  const open = lazyPart(async () => (await load()).openPrograms(secrets));
  const port = lazyMethods<ProgramsPort>(open, {
    ...{ connection: true, connect: true, disconnect: true, list: true, add: true, remove: true, pending: true, decide: true },
  });
  const watch: WatchedPrograms['watch'] = (listener) => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const look = async (): Promise<void> => {
      const isIdle = !secrets.get(SERVICE_ADDRESS) || document.hidden;
      const wait = isIdle
        ? EVERY_MS
        : await port.pending().then(
            (pending) => {
              if (!isOver) listener(pending);
              return EVERY_MS;
            },
            () => FAILED_MS,
          );
      if (!isOver) timer = setTimeout(() => void look(), wait);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  };
  return { ...port, watch };
}
