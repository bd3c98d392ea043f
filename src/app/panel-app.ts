import type { ChatControllerDeps } from '../chat/controller/controller-deps.ts';
import type { ChatController } from '../chat/controller/controller-port.ts';
import { readTransactionsPush } from '../host/kernel/transaction-log.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import { ToolError } from '../tools/contract/errors.ts';
import { inBackground } from '../tools/util/notify.ts';
import type { Translate } from '../ui/ports/i18n.ts';
import type { SettingsPort } from '../ui/ports/settings-port.ts';
import type { Features } from '../ui/state/features.ts';
import { inWords } from './in-words.ts';
import type { Notes } from './lazy-notes.ts';
import { setRightAloud } from './notebook-rights.ts';
import type { panelDrawer } from './panel-drawer.ts';
import type { PanelApp, PanelHost } from './panel-host.ts';
import { runCommand } from './run-command.ts';
import { readSettings } from './shared-settings.ts';

interface AppDeps {
  readonly host: PanelHost;
  readonly t: Translate;
  readonly controller: ChatController;
  readonly settings: SettingsStore;
  readonly settingsPort: SettingsPort;
  readonly store: Pick<ChatControllerDeps['store'], 'changedOutside'>;
  readonly drawn: ReturnType<typeof panelDrawer>;
  readonly features: Features;
  readonly handle: PanelApp['handle'];
  readonly notes: Pick<Notes, 'hands'>;
}

/** The running product for the start script. `close` ends its parts. */
export function panelApp(deps: AppDeps, close: () => Promise<void>): PanelApp {
  const { host, t, controller, settings, settingsPort, store, drawn, features, handle, notes } = deps;
  return {
    mount: drawn.mount,
    async mountTab(type, element) {
      const draw = features.tab(type);
      if (!draw) throw new ToolError('not_found', `nothing draws tabs of the type ${type}`, 'close the tab');
      return draw(element);
    },
    handle: (request) => inWords(handle(request), t),
    command: (name) => inWords(runCommand(name, { host, controller, panel: drawn.current, features }), t),
    setRight: (notebook, right) => inWords(setRightAloud(host, settingsPort, t, notebook, right), t),
    async hear(early) {
      const hands = await notes.hands();
      for (const push of early.map(readTransactionsPush)) if (push) await hands.heard(push);
    },
    dataChanged() {
      store.changedOutside();
      inBackground(readSettings(settings));
    },
    dispose: close,
  };
}
