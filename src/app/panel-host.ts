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
import type { NotebookRight } from '../tools/contract/notebook-right.ts';
import type { ChangedSource } from '../tools/contract/saved-answers.ts';
import type { CommandName } from './commands.ts';

/**
 * Why the panel is opened: `asked`: by the user, or something was put into its chat, and it gets the focus; or a command runs
 * in it, which does not change a panel that is open.
 */
export type PanelOpening = 'asked' | 'filled' | 'command';

/**
 * What the start script passes to the panel's chunk: chunks cannot `require("siyuan")`, which only the start script is given, so the
 * plugin and the host's functions are passed explicitly.
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
    /** Absent in hosts without such renderers. */
    readonly ProtyleMethod?: typeof ProtyleMethod;
    readonly showMessage: typeof showMessage;
  };
  /** Opens the dock, if it can be opened. Default: `asked`. */
  openPanel(opening?: PanelOpening): Promise<void>;
  /** Whether SiYuan has said, with a change of our files, who made it. */
  tellsReasons(): boolean;
  /** Called whenever the settings are read or changed: prompts become slash commands and menu entries. */
  onSettings(settings: StartSettings): void;
}

/** What the start script needs of the settings, as they are in the file. */
export interface StartSettings {
  readonly prompts?: unknown;
  readonly markWritten?: unknown;
}

/** What an answer cites that was saved earlier, and has changed since. */
interface CheckedAnswer {
  readonly sources: readonly ChangedSource[];
  /** The question that it answers; '' where nobody asked one. */
  readonly question: string;
  /** The person accepted what the model proposed, or left it at that the model would change nothing. */
  readonly onchecked: () => void;
}

/** Who points at the mark beside a block, and where. */
export interface MarginMark {
  readonly block: HTMLElement;
  /** In the window. */
  readonly y: number;
  readonly by: 'pointer' | 'finger' | 'keys';
}

/** A request from the editor: an action on blocks, on a piece of text or on a document. */
export interface EditorRequest {
  /** `ask` is the panel's, others are of features; `prompt:<id>` is one of the user's own. */
  readonly action: string;
  readonly kind: 'block' | 'selection' | 'document';
  /** Of blocks in document order, or of documents. Empty only for `show-writer`. */
  readonly ids: readonly string[];
  /** The editor in which it was chosen; absent in the document tree. */
  readonly protyle?: IProtyle;
  /** The chosen text of `selection`. */
  readonly text?: string;
  /** Of `show-writer`; absent: at the block with the caret, and `ids` is empty. */
  readonly mark?: MarginMark;
  /** Of `check-answer`. */
  readonly checked?: CheckedAnswer;
  /** Chosen as a slash command. */
  readonly typed?: boolean;
}

/** The running product, once for the life of the plugin; the dock's element comes and goes. */
export interface PanelApp {
  /** Renders the panel into a dock's element; returns a function that removes it. */
  mount(element: HTMLElement): { focus(): void; unmount(): void };
  /** Draws what a tab of a type shows into its element; returns a function that removes it. Rejects with ToolError. */
  mountTab(type: string, element: HTMLElement): Promise<{ unmount(): void }>;
  /** This and the following methods reject with an error whose message is for people. */
  handle(request: EditorRequest): Promise<void>;
  /** Runs a command that was invoked by key. */
  command(name: CommandName): Promise<void>;
  /** From the notebook's menu: sets the model's right in it. */
  setRight(notebook: string, right: NotebookRight): Promise<void>;
  /** Messages of the host's socket from before this was loaded; what is added to them meanwhile counts too. Rejects if notes cannot be opened. */
  hear(early: readonly unknown[]): Promise<void>;
  /** A sync changed files: open chats merge the changes. */
  dataChanged(): void;
  /** Ends everything that runs, after saving the chat. */
  dispose(): Promise<void>;
}

/** The one export of the chunk. */
export interface PanelModule {
  startPanel(host: PanelHost): Promise<PanelApp>;
}
