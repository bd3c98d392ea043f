import { inBackground } from '../../tools/util/notify.ts';
import '../panel.css';
import '../answer/answer.css';
import './cards.css';
import { mount, unmount } from 'svelte';
import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { HostUi } from '../ports/host-ui.ts';
import type { Translate } from '../ports/i18n.ts';
import type { SettingsPort } from '../ports/settings-port.ts';
import { ChatState, SettingsState } from '../state/chat-state.svelte.ts';
import type { PanelContext } from '../state/context.ts';
import { createPanelState } from '../state/create-panel-state.ts';
import { type CardDeps, CardState } from './card-state.svelte.ts';
import EditorCard from './EditorCard.svelte';
import { dropSecondClick } from './second-click.ts';

/** What cards share with the panel's components; one for all cards of a window. */
export interface CardContext {
  readonly context: PanelContext;
  destroy(): void;
}

export function createCardContext(parts: {
  readonly controller: ChatController;
  readonly host: HostUi;
  readonly t: Translate;
  readonly settings: SettingsPort;
}): CardContext {
  const chat = new ChatState(parts.controller);
  const options = new SettingsState(parts.settings);
  const panel = createPanelState(parts, 'marginalia-suggestion-preview');
  return {
    context: { ...parts, speech: undefined, activity: undefined, chat, options, panel },
    destroy() {
      chat.destroy();
      options.destroy();
      panel.destroy();
    },
  };
}

export interface MountedCard {
  /** The `group` named "Suggestion". */
  readonly element: HTMLElement;
  askWhileTyping(blockIds: readonly string[], signal: AbortSignal): Promise<'write' | 'cancel'> | undefined;
  /** The change is written, or was undone: only Undo and the follow-up actions are left. */
  isOver(): boolean;
  /** Ends the task and removes the card. */
  reject(): void;
  destroy(): void;
}

/** Renders a suggestion into an element placed by the caller. The card does not take the focus by itself. */
export function mountCard(target: HTMLElement, deps: CardDeps): MountedCard {
  const card = new CardState(deps);
  const component = mount(EditorCard, { target, props: { card } });
  const element = target.querySelector<HTMLElement>('.mg-card');
  if (!element) throw new Error('mountCard: the card drew nothing');
  return {
    element,
    askWhileTyping: (blockIds, signal) => card.askWhileTyping(blockIds, signal),
    isOver: () => card.view.status === 'done',
    reject: () => card.reject(),
    destroy() {
      card.destroy();
      dropSecondClick();
      inBackground(unmount(component));
    },
  };
}
