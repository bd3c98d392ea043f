import type { SettingsStore } from '../../../host/settings/settings.ts';
import type { ToolGroup } from '../../../tools/contract/types.ts';
import { lazyMethods, lazyPart } from '../../../tools/util/lazy.ts';
import type { ServersPort } from '../servers-port.ts';
import type { PanelServersDeps } from './panel-servers.ts';

type Loaded = typeof import('./open-servers.ts');

export interface LazyServers {
  readonly groups: () => readonly ToolGroup[];
  readonly port: ServersPort;
  /** Before a turn: those that did not answer are asked once more. Nobody waits for them. */
  readonly wake: () => void;
}

/** Servers of other people's tools: nothing is loaded until one is set up, or the settings ask. */
export function lazyServers(
  load: () => Promise<Loaded>,
  deps: PanelServersDeps & { readonly settings: SettingsStore; readonly ofSiYuan: () => unknown },
): LazyServers {
  let opened: ReturnType<Loaded['openServers']> | undefined;
  const open = lazyPart(async () => {
    opened = (await load()).openServers(deps);
    return opened;
  });
  const wake = (): void => {
    if (deps.settings.get().mcpServers === undefined) return;
    // What cannot be loaded now is tried before the next turn.
    void open().then(
      ({ servers }) => servers.connect().catch(() => undefined),
      () => undefined,
    );
  };
  deps.settings.subscribe(() => {
    if (!opened) wake();
  });
  return {
    groups: () => opened?.servers.groups() ?? [],
    wake,
    port: lazyMethods<ServersPort>(async () => (await open()).port, {
      ...{ offering: true, offers: true, take: true },
      ...{ list: true, save: true, paste: true, takeFromSiYuan: true, turn: true, allow: true, remove: true, test: true },
      ...{ signIn: true, finishSignIn: true, cancelSignIn: true, signOut: true },
    }),
  };
}
