import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { ChatView } from '../../chat/view/view.ts';
import type { ProviderEntry } from '../ports/models-port.ts';
import type { PanelSettings, SettingsPort, ToolGroupSetting } from '../ports/settings-port.ts';
import { ViewThrottle } from './view-throttle.ts';

/** The chat as the components see it: one raw value, replaced whole, so that unchanged messages are not looked at again. */
export class ChatState {
  view: ChatView;
  /** Changes whenever a notebook is opened, closed or gets another right: what was read of notes before is to be read again. */
  readonly rights: string;
  readonly #stop: () => void;
  readonly #throttle: ViewThrottle;

  constructor(controller: ChatController) {
    this.view = $state.raw(controller.view());
    this.rights = $derived(JSON.stringify([this.view.notebooks, this.view.scope], ['id', 'open', 'right']) + this.view.project);
    this.#throttle = new ViewThrottle((view) => {
      this.view = view;
    }, this.view.running);
    this.#stop = controller.subscribe((view) => this.#throttle.take(view));
  }

  destroy(): void {
    this.#stop();
    this.#throttle.destroy();
  }
}

/** The settings in the same way. */
export class SettingsState {
  settings: PanelSettings;
  groups: readonly ToolGroupSetting[];
  providers: readonly ProviderEntry[];
  readonly #stop: () => void;
  readonly #port: SettingsPort;
  readonly #closing = new AbortController();

  constructor(port: SettingsPort) {
    this.#port = port;
    this.settings = $state.raw(port.get());
    this.groups = $state.raw(port.tools());
    this.providers = $state.raw(port.models.providers());
    this.#stop = port.subscribe(() => {
      this.settings = port.get();
      this.groups = port.tools();
      this.providers = port.models.providers();
    });
  }

  /** Asks the providers for their models again, as after another key. */
  refreshModels(): Promise<void> {
    const { models } = this.#port;
    return models.refresh(this.#closing.signal, () => {
      this.providers = models.providers();
    });
  }

  destroy(): void {
    this.#closing.abort();
    this.#stop();
  }
}
