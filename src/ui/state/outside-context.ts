import { ChatState, SettingsState } from './chat-state.svelte.ts';
import { createPanelState } from './create-panel-state.ts';
import type { PanelContext } from './features.ts';

/** What is drawn outside of the panel shares with its components. */
export interface OutsideContext {
  readonly context: PanelContext;
  destroy(): void;
}

/** @param previewId as of `createPanelState`. */
export function createOutsideContext(
  parts: Pick<PanelContext, 'controller' | 'host' | 't' | 'settings' | 'features' | 'deciding'> & {
    readonly activity?: PanelContext['activity'];
  },
  previewId: string,
): OutsideContext {
  const chat = new ChatState(parts.controller);
  const options = new SettingsState(parts.settings);
  const panel = createPanelState(parts, previewId);
  return {
    context: { ...parts, speech: undefined, activity: parts.activity, chat, options, panel },
    destroy() {
      for (const state of [chat, options, panel]) state.destroy();
    },
  };
}
