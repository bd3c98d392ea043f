import type { Socket } from '../core/socket.ts';
import type { App, Operation } from '../core/types.ts';

/** The object that plugins get as `protyle` in events (`IProtyle`): the members that the shell keeps true. */
export interface ProtyleState {
  id: string;
  app: App;
  element: HTMLElement;
  contentElement: HTMLElement;
  notebookId: string;
  path: string;
  disabled: boolean;
  updated: boolean;
  options: Record<string, unknown>;
  block: { rootID: string; id: string; parentID: string; notebookId: string; showAll: boolean; mode: number; action: string[] };
  wysiwyg: { element: HTMLElement; lastHTMLs: Record<string, string> };
  title: { element: HTMLElement; editElement: HTMLElement; setTitle: (title: string) => void };
  toolbar: { element: HTMLElement; range: Range };
  hint: { element: HTMLElement; splitChar: string; lastIndex: number; enableSlash: boolean };
  gutter: { element: HTMLElement };
  lute: LuteEngine | undefined;
  model: unknown;
  ws: Socket | undefined;
  getInstance: () => ProtyleMethods;
  /** Changes that the user made and the kernel has not seen yet (editor/changes.ts). */
  changes: ChangeQueue;
}

export interface ChangeQueue {
  touch(block: HTMLElement): void;
  forget(id: string): void;
  flush(): Promise<void>;
  commit(doOperations: Operation[], undoOperations: Operation[]): Promise<void>;
}

interface ProtyleMethods {
  protyle: ProtyleState;
  insert(html: string, isBlock?: boolean, useProtyleRange?: boolean): void;
  reload(focus?: boolean): Promise<void>;
  focus(): void;
}

/** The parts of the Lute engine (vditor's lute.min.js) that the shell calls. */
export interface LuteEngine {
  Md2BlockDOM(markdown: string): string;
  SpinBlockDOM(html: string): string;
}
