import type { ChatController } from '../chat/controller/controller-port.ts';
import type { MountedPanel } from '../ui/panel/mount.ts';
import { isPanelCommand } from '../ui/ports/command-names.ts';
import type { Features } from '../ui/state/features.ts';
import { commandListClosed } from './command-list.ts';
import type { CommandName } from './commands.ts';
import type { PanelHost } from './panel-host.ts';

interface CommandDeps {
  readonly host: Pick<PanelHost, 'openPanel'>;
  readonly controller: ChatController;
  /** The panel that is currently shown, if any. */
  readonly panel: () => MountedPanel | undefined;
  readonly features: Pick<Features, 'command'>;
}

/** Runs a command invoked by key or from SiYuan's list of commands, wherever the focus is. A command of the panel opens it first. */
export async function runCommand(name: CommandName, { host, controller, panel, features }: CommandDeps): Promise<void> {
  if (name === 'stopAnswer') return controller.stop();
  await commandListClosed();
  if (name === 'openPanel') return host.openPanel();
  if (name === 'newChat') {
    await host.openPanel();
    return controller.newChat();
  }
  const ofFeature = features.command(name);
  if (ofFeature) return ofFeature();
  await host.openPanel('command');
  if (isPanelCommand(name)) panel()?.command(name);
}
