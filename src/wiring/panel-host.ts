import type { Dialog, getActiveEditor, getAllEditor, getFrontend, openMobileFileById, openTab, Plugin, showMessage } from 'siyuan';

/**
 * What the start script hands to the panel's chunk: chunks cannot `require("siyuan")` (HOST.md, "The browser"), so the
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
    readonly showMessage: typeof showMessage;
  };
}

/** What starts in the editor: a question about a block or a document, or the chat that a document holds. */
export interface EditorRequest {
  readonly action: 'ask' | 'summarize' | 'open-chat';
  readonly kind: 'block' | 'document';
  readonly id: string;
}

/** The running product, once for the life of the plugin; the dock's element comes and goes. */
export interface PanelApp {
  /** Draws the panel into a dock's element; returns the way to take it away again. */
  mount(element: HTMLElement): { focus(): void; unmount(): void };
  handle(request: EditorRequest): Promise<void>;
  newChat(): void;
  stop(): void;
  /** Ends everything that runs; what the chat holds is saved first. */
  dispose(): Promise<void>;
}

/** The one export of the chunk. */
export interface PanelModule {
  startPanel(host: PanelHost): Promise<PanelApp>;
}
