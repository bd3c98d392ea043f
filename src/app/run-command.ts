import type { ChatController } from '../chat/controller/controller-port.ts';
import type { LazyTester } from '../features/tester/panel/lazy-tester.ts';
import type { MountedPanel } from '../ui/panel/mount.ts';
import { commandListClosed } from './command-list.ts';
import type { CommandName } from './commands.ts';
import type { EditorCards } from './editor/editor-cards.ts';
import type { PanelApp, PanelHost } from './panel-host.ts';

interface CommandDeps {
  readonly host: Pick<PanelHost, 'openPanel'>;
  readonly controller: ChatController;
  /** Absent if there is none. */
  readonly cards: EditorCards | undefined;
  /** The panel that is currently shown, if any. */
  readonly panel: () => MountedPanel | undefined;
  readonly handle: PanelApp['handle'];
  readonly tester: Pick<LazyTester, 'open'>;
}

/** Runs a command invoked by key or from SiYuan's list of commands, wherever the focus is. A command of the panel opens it first. */
export async function runCommand(name: CommandName, { host, controller, cards, panel, handle, tester }: CommandDeps): Promise<void> {
  if (name === 'stopAnswer') return controller.stop();
  await commandListClosed();
  if (name === 'toSuggestion') return cards?.focusNearest();
  if (name === 'whoWrote') return handle({ action: 'show-writer', kind: 'block', ids: [] });
  if (name === 'openTester') return tester.open();
  if (name === 'openPanel') return host.openPanel();
  if (name === 'newChat') {
    await host.openPanel();
    return controller.newChat();
  }
  await host.openPanel('command');
  panel()?.command(name);
}
