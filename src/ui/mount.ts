import './panel.css';
import './answer/answer.css';
import { mount, unmount } from 'svelte';
import type { ChatController } from '../chat/controller-port.ts';
import type { PanelCommand } from './command-names.ts';
import type { HostUi } from './host-ui.ts';
import type { Translate } from './i18n.ts';
import Panel from './Panel.svelte';
import type { SettingsPort } from './settings-port.ts';

export interface PanelProps {
  readonly controller: ChatController;
  readonly host: HostUi;
  readonly i18n: Translate;
  readonly settings: SettingsPort;
}

export interface MountedPanel {
  /** Takes the panel away with all its listeners; the controller goes on. */
  destroy(): void;
  /** Shows the chat and puts the caret into the composer. */
  focusComposer(): void;
  command(name: PanelCommand): void;
}

/** Draws the panel into an element that has a height. */
export function mountPanel(target: HTMLElement, { controller, host, i18n, settings }: PanelProps): MountedPanel {
  const panel = mount(Panel, { target, props: { controller, host, t: i18n, settings } });
  return {
    destroy: () => void unmount(panel),
    focusComposer: () => panel.focusComposer(),
    command: (name) => panel.command(name),
  };
}
