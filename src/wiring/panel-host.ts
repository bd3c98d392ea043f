import type {
  Dialog,
  getActiveEditor,
  getAllEditor,
  getFrontend,
  IProtyle,
  openMobileFileById,
  openTab,
  Plugin,
  ProtyleMethod,
  showMessage,
} from 'siyuan';
import type { EditorAction } from '../chat/editor-task/editor-actions.ts';
import type { NotebookRight } from '../tools/contract/ports.ts';
import type { CommandName } from './commands.ts';

/**
 * Why the panel is opened: somebody asked for it, or something was put into its chat, and it gets the focus; or a command is carried
 * out in it, which leaves a panel that is open alone.
 */
export type PanelOpening = 'asked' | 'filled' | 'command';

/**
 * What the start script hands to the panel's chunk: chunks cannot `require("siyuan")`, which only the start script is given, so the
 * plugin and the host's functions come in by hand.
 */
export interface PanelHost {
  readonly plugin: Plugin;
  readonly siyuan: {
    readonly Dialog: typeof Dialog;
    readonly getActiveEditor: typeof getActiveEditor;
    readonly getAllEditor: typeof getAllEditor;
    readonly getFrontend: typeof getFrontend;
    readonly openMobileFileById: typeof openMobileFileById;
    readonly openTab: typeof openTab;
    /** Absent in hosts that have no such renderers. */
    readonly ProtyleMethod?: typeof ProtyleMethod;
    readonly showMessage: typeof showMessage;
  };
  /** Opens the dock where it can be opened. Default: `asked`. */
  openPanel(opening?: PanelOpening): Promise<void>;
  /** Called with `settings.prompts` whenever the settings are read or changed: they become slash commands and menu entries. */
  onPrompts(prompts: unknown): void;
}

/** What starts in the editor: an action on blocks, on a piece of text or on a document; or the chat that a document holds. */
export interface EditorRequest {
  /** `prompt:<id>` is one of the user's own. */
  readonly action: EditorAction | 'ask' | 'open-chat' | `prompt:${string}`;
  readonly kind: 'block' | 'selection' | 'document';
  /** Of blocks in document order, or of documents. Never empty. */
  readonly ids: readonly string[];
  /** The editor that it was chosen in; absent in the document tree. */
  readonly protyle?: IProtyle;
  /** The chosen text of `selection`. */
  readonly text?: string;
  /** Chosen as a slash command. */
  readonly typed?: boolean;
}

/** The running product, once for the life of the plugin; the dock's element comes and goes. */
export interface PanelApp {
  /** Draws the panel into a dock's element; returns the way to take it away again. */
  mount(element: HTMLElement): { focus(): void; unmount(): void };
  /** Draws the tool tester into a tab's element; returns the way to take it away again. Rejects with ToolError. */
  mountTester(element: HTMLElement): Promise<{ unmount(): void }>;
  /** This and what follows reject with an error whose message is for people. */
  handle(request: EditorRequest): Promise<void>;
  /** Carries out what was asked for by key. */
  command(name: CommandName): Promise<void>;
  /** From the notebook's menu: what the model may do in it, from now on. */
  setRight(notebook: string, right: NotebookRight): Promise<void>;
  /** A sync changed files: chats that are open take in what it brought. */
  dataChanged(): void;
  /** Ends everything that runs; what the chat holds is saved first. */
  dispose(): Promise<void>;
}

/** The one export of the chunk. */
export interface PanelModule {
  startPanel(host: PanelHost): Promise<PanelApp>;
}
