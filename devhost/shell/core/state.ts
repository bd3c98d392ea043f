import type { App, Notebook } from './types.ts';

/** `window.siyuan` as plugins see it. Optional members appear in the order in which SiYuan's start sets them. */
export interface SiyuanGlobal {
  zIndex: number;
  reqIds: Record<string, number>;
  backStack: unknown[];
  layout: Record<string, unknown>;
  dialogs: unknown[];
  blockPanels: unknown[];
  closedTabs: unknown[];
  ctrlIsPressed: boolean;
  shiftIsPressed: boolean;
  altIsPressed: boolean;
  isPublish: boolean;
  ws?: unknown;
  config?: Config;
  user?: unknown;
  notebooks?: Notebook[];
  storage?: Record<string, unknown>;
  languages?: Record<string, string>;
  menus?: { menu: unknown };
  mobile?: { docks: Record<string, unknown>; editor?: unknown };
}

/** The parts of the kernel's configuration that the shell itself reads. */
export interface Config {
  appearance: { mode: number; lang: string };
  system: { kernelVersion?: string; os?: string; container?: string; id?: string };
  editor: { readOnly?: boolean };
  keymap: { plugin?: Record<string, Record<string, { default: string; custom: string }>> };
  readonly?: boolean;
  lang?: string;
  secrets?: { items?: { name: string; value: string }[] };
  variables?: { items?: { name: string; value: string }[] };
}

const parameters = new URLSearchParams(location.search);

/** A phone gets the small frontend from SiYuan's kernel by what its browser calls itself; a tablet does not. */
const isPhone = (agent: string): boolean => agent.includes('Mobile') && !agent.includes('Pad');

/** `?theme=dark|light`, `?lang=zh_CN|en_US`, `?frontend=mobile|desktop`, `?open=<block id>`. */
export const query = {
  theme: parameters.get('theme'),
  lang: parameters.get('lang'),
  mobile: parameters.has('frontend') ? parameters.get('frontend') === 'mobile' : isPhone(navigator.userAgent),
  open: parameters.get('open'),
};

/** The name of this frontend, for plugins: SiYuan's own programs have others. */
export const frontend = (): string => (query.mobile ? 'browser-mobile' : 'browser-desktop');

export const app: App = { appId: Math.random().toString(36).slice(2, 8), plugins: [] };

export const siyuan: SiyuanGlobal = {
  zIndex: 10,
  reqIds: {},
  backStack: [],
  layout: {},
  dialogs: [],
  blockPanels: [],
  closedTabs: [],
  ctrlIsPressed: false,
  shiftIsPressed: false,
  altIsPressed: false,
  isPublish: false,
};

export function config(): Config {
  if (!siyuan.config) throw new Error("config: the kernel's configuration is not loaded yet → call it after boot");
  return siyuan.config;
}

/** Whether the host answers as SiYuan 3.8. */
export const isNewer = (): boolean => config().system.kernelVersion?.startsWith('3.8') ?? false;

/** Emits an event on every plugin's bus. */
export function emitAll(type: string, detail?: unknown): void {
  for (const plugin of [...app.plugins]) plugin.eventBus.emit(type, detail);
}

/** Fills what an incomplete configuration lacks, so that plugins find the objects they expect. */
export function completeConfig(raw: unknown): Config {
  const conf = (typeof raw === 'object' && raw !== null ? raw : {}) as Partial<Config> & Record<string, unknown>;
  conf.appearance = { ...conf.appearance, mode: conf.appearance?.mode ?? 0, lang: conf.appearance?.lang ?? 'en_US' };
  conf.system ??= {};
  conf.editor ??= {};
  conf.keymap ??= {};
  conf.keymap.plugin ??= {};
  if (query.theme) conf.appearance.mode = query.theme === 'dark' ? 1 : 0;
  if (query.lang) conf.appearance.lang = query.lang;
  conf.lang = conf.appearance.lang;
  return conf as Config;
}
