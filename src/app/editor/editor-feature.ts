import type { EditorRequest, StartSettings } from '../panel-host.ts';

/** What an action is about. */
export type RequestTarget = Omit<EditorRequest, 'action'>;

/** A text of the start script by its key. */
export type StartText = (key: string) => string;

export interface SlashCommand {
  readonly action: string;
  /** They find it, as its label does. SiYuan matches the input anywhere in a word and puts its own entries first. */
  readonly words: readonly string[];
  readonly label: string;
}

/** An action in the plugin's submenu; without one, a line between others. */
interface SubmenuAction {
  readonly action?: string;
  readonly label: string;
}

/** What a feature adds to the editor before the panel is loaded; it handles the actions with `requests` (panel-feature.ts). */
export interface EditorFeature {
  readonly slash?: (text: StartText, settings: StartSettings) => readonly SlashCommand[];
  /** For blocks, for selected text or for one document. */
  readonly submenu?: (target: RequestTarget, text: StartText, settings: StartSettings) => readonly SubmenuAction[];
  /** An entry of its own, for blocks or a document with an attribute. `label` is a key. */
  readonly marked?: { readonly kind: 'block' | 'document'; readonly attribute: string; readonly label: string; readonly action: string };
  /** Follows the page and asks for actions. Returns a function that ends it. */
  readonly watch?: (handle: (request: EditorRequest) => void) => () => void;
}
