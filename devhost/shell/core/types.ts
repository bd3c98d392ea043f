/** Shapes that cross the shell's parts. Names and fields follow the public plugin API (npm `siyuan`). */

/** The kernel's envelope; pushes of the socket carry `cmd` and `context` as well. */
export interface Answer<T = unknown> {
  code: number;
  msg: string;
  data: T;
  cmd?: string;
  sid?: string;
  context?: Record<string, unknown>;
}

export interface Operation {
  action: string;
  id?: string;
  data?: unknown;
  parentID?: string;
  previousID?: string;
  nextID?: string;
  avID?: string;
}

export interface Transaction {
  doOperations: Operation[];
  undoOperations: Operation[];
}

export interface Petal {
  name: string;
  displayName?: string;
  version?: string;
  enabled?: boolean;
  js: string;
  css: string;
  i18n: Record<string, unknown>;
}

export interface Notebook {
  id: string;
  name: string;
  icon: string;
  closed: boolean;
}

export interface DocumentFile {
  id: string;
  path: string;
  name: string;
  icon: string;
  subFileCount: number;
}

/** The answer of /api/filetree/getDoc. */
export interface LoadedDocument {
  id: string;
  rootID: string;
  parentID: string;
  type: string;
  content: string;
  box: string;
  path: string;
}

export interface Position {
  x: number;
  y: number;
  w?: number;
  h?: number;
  isLeft?: boolean;
}

export interface MenuOptions {
  id?: string;
  label?: string;
  icon?: string;
  iconHTML?: string;
  iconClass?: string;
  type?: 'separator' | 'submenu' | 'readonly' | 'empty';
  accelerator?: string;
  action?: string;
  submenu?: MenuOptions[];
  disabled?: boolean;
  checked?: boolean;
  current?: boolean;
  warning?: boolean;
  ignore?: boolean;
  index?: number;
  element?: HTMLElement;
  bind?: (element: HTMLElement) => void;
  click?: (element: HTMLElement, event: MouseEvent) => unknown;
}

export interface Command {
  langKey: string;
  langText?: string;
  hotkey?: string;
  customHotkey?: string;
  callback?: () => void;
  globalCallback?: () => void;
  fileTreeCallback?: (file: unknown) => void;
  editorCallback?: (protyle: unknown) => void;
  dockCallback?: (element: HTMLElement) => void;
}

export interface DockConfig {
  position: string;
  size: { width: number; height: number };
  icon: string;
  title: string;
  hotkey?: string;
  index?: number;
  show?: boolean;
}

/** The callbacks that `addDock` and `addTab` share. `this` is the Custom model. */
export interface ModelCallbacks {
  init: (this: CustomModel, model: CustomModel) => void;
  beforeDestroy?: (this: CustomModel) => void;
  destroy?: (this: CustomModel) => void;
  resize?: (this: CustomModel) => void;
  update?: (this: CustomModel) => void;
}

export interface CustomModel {
  element: HTMLElement;
  type: string;
  data: unknown;
  tab: unknown;
  parent: unknown;
  app: unknown;
  editors: unknown[];
  init: (model: CustomModel) => void;
  beforeDestroy?: (() => void) | undefined;
  destroy?: (() => void) | undefined;
  resize?: (() => void) | undefined;
  update?: (() => void) | undefined;
}

export interface SlashEntry {
  filter: string[];
  html: string;
  id: string;
  callback: (protyle: unknown, nodeElement: HTMLElement) => void;
}

interface EmittingBus {
  emit(type: string, detail?: unknown): boolean;
}

/** What the shell's own parts need of a loaded plugin; the class is in plugin/plugin.ts. */
export interface LoadedPlugin {
  readonly name: string;
  displayName: string;
  eventBus: EmittingBus;
  commands: Command[];
  protyleSlash: SlashEntry[];
  protyleOptions: unknown;
  topBarIcons: Element[];
  statusBarIcons: Element[];
  setting?: unknown;
  docks: Record<string, DockEntry>;
  models: Record<string, (options: { tab: unknown; data: unknown }) => CustomModel>;
  onload(): unknown;
  onunload(): unknown;
  uninstall(): unknown;
  onLayoutReady(): unknown;
  onDataChanged(reason?: 'sync' | 'overwrite'): unknown;
  updateProtyleToolbar(toolbar: unknown[]): unknown[];
  openSetting(): void;
}

export interface DockEntry {
  config: DockConfig;
  /** Present while the dock's panel has been opened at least once. */
  model: (options: { tab: { panelElement: HTMLElement } }) => CustomModel;
  mobileModel: (element: HTMLElement) => CustomModel;
}

export interface App {
  appId: string;
  plugins: LoadedPlugin[];
}
