import { type Component, getContext, setContext } from 'svelte';
import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { ToolCallView } from '../../chat/view/view.ts';
import type { ActivityPort } from '../ports/activity-port.ts';
import type { HostUi } from '../ports/host-ui.ts';
import type { Translate } from '../ports/i18n.ts';
import type { SettingsPort } from '../ports/settings-port.ts';
import type { SpeechPort } from '../ports/speech-port.ts';
import type { UsagePort } from '../ports/usage-port.ts';
import type { ChatState, SettingsState } from './chat-state.svelte.ts';
import { type FeatureKey, type Features, NO_FEATURES } from './features.ts';
import type { FromEditor } from './from-editor.svelte.ts';
import type { PanelState } from './panel-state.svelte.ts';

/** What every component of the panel can use, without passing it through each level. */
export interface PanelContext {
  readonly controller: ChatController;
  readonly host: HostUi;
  readonly t: Translate;
  readonly settings: SettingsPort;
  /** Absent where nothing can speak or listen. */
  readonly speech: SpeechPort | undefined;
  /** Absent where nothing is recorded. */
  readonly usage: UsagePort | undefined;
  /** Absent where nothing is recorded. */
  readonly activity: ActivityPort | undefined;
  readonly chat: ChatState;
  readonly options: SettingsState;
  readonly panel: PanelState;
  /** The note and selection in the editor; absent if there is no editor. */
  readonly fromEditor?: FromEditor;
  /** Absent outside of the panel. */
  readonly features?: Features;
  /** Where approvals and questions outside the chat are answered. */
  readonly deciding?: Pick<ChatController, 'decide' | 'revise' | 'answer'> & {
    /** What is proposed cannot be edited there. */
    readonly asWritten?: boolean;
  };
  /** Opens the tool tester, at a tool or as it was left; absent in the tester itself. */
  readonly tryTool?: ((tool?: string) => void) | undefined;
  /** What the call of a sub-agent is drawn with; loaded for the first. Rejects with `not_loaded`. */
  readonly loadAgentCard?: () => Promise<Component<{ call: ToolCallView; nodeId: string }>>;
}

const KEY = Symbol('marginalia');

export function providePanel(context: PanelContext): void {
  setContext(KEY, context);
}

export function usePanel(): PanelContext {
  return getContext<PanelContext>(KEY);
}

/** The port of the feature whose view this is. */
export const useFeature = <Port>(key: FeatureKey<Port>): Port => (usePanel().features ?? NO_FEATURES).port(key);
