import { inBackground } from '../../../tools/util/notify.ts';
import '../../../ui/panel.css';
import '../../../ui/answer/answer.css';
import { flushSync, mount, unmount } from 'svelte';
import type { ChatController } from '../../../chat/controller/controller-port.ts';
import type { ActivityPort } from '../../../ui/ports/activity-port.ts';
import type { HostUi } from '../../../ui/ports/host-ui.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import type { SettingsPort } from '../../../ui/ports/settings-port.ts';
import { ChatState, SettingsState } from '../../../ui/state/chat-state.svelte.ts';
import { createPanelState } from '../../../ui/state/create-panel-state.ts';
import type { ToolTester } from '../tool-tester.ts';
import type { TesterEvents } from './event-log.ts';
import Tester from './Tester.svelte';

export interface TesterProps {
  readonly tester: Pick<ToolTester, keyof ToolTester>;
  /** The panel's chat: its rights, its requests. */
  readonly controller: ChatController;
  readonly host: HostUi;
  readonly t: Translate;
  readonly settings: SettingsPort;
  readonly activity: ActivityPort;
  readonly events: TesterEvents;
}

export interface MountedTester {
  /** Shows a tool. */
  show(tool: string): void;
  destroy(): void;
}

/** Draws the tool tester into an element that has a height. */
export function mountTester(target: HTMLElement, props: TesterProps): MountedTester {
  const { tester, controller, host, t, settings, activity, events } = props;
  const chat = new ChatState(controller);
  const options = new SettingsState(settings);
  const panel = createPanelState(props, 'marginalia-tester-preview');
  const deciding = {
    decide: (...given: Parameters<ChatController['decide']>) => tester.decide(...given),
    revise: (...given: Parameters<ChatController['revise']>) => tester.revise(...given),
    answer: (...given: Parameters<ChatController['answer']>) => tester.answer(...given),
  };
  const context = { controller, host, t, settings, speech: undefined, activity, chat, options, panel, deciding };
  const component = mount(Tester, { target, props: { context, tester, activity, events } });
  flushSync();
  return {
    show: (tool) => component.show(tool),
    destroy() {
      inBackground(unmount(component));
      for (const state of [chat, options, panel]) state.destroy();
    },
  };
}
