import { create } from '../core/dom.ts';
import { config, query, siyuan } from '../core/state.ts';
import type { Answer, App, Command, CustomModel, DockConfig, DockEntry, LoadedPlugin, ModelCallbacks, SlashEntry } from '../core/types.ts';
import { createCustom } from '../layout/custom.ts';
import { customTabs } from '../layout/tabs.ts';
import { type AgentCapability, addCapability } from './agent-capabilities.ts';
import { addPluginDocks, placeStatusBar, placeTopBar } from './bars.ts';
import { loadData, removeData, saveData } from './data.ts';
import { EventBus } from './event-bus.ts';
import { notImplemented } from './not-implemented.ts';
import type { Setting } from './setting.ts';

interface AddDockOptions extends ModelCallbacks {
  config: DockConfig;
  data?: unknown;
  type: string;
}

interface AgentAction {
  name: string;
  description: string;
  handler: (args: Record<string, unknown>, app: App) => Promise<{ result?: string; error?: string }>;
}

let reload: (name: string) => void = () => {};

/** The loader says how a plugin is loaded again; it imports this file, so this file cannot import it. */
export function setReloader(reloader: (name: string) => void): void {
  reload = reloader;
}

/** The base class that `require("siyuan")` gives to plugins. */
export class Plugin implements LoadedPlugin {
  declare readonly name: string;
  displayName: string;
  i18n: Record<string, unknown>;
  eventBus: EventBus;
  app: App;
  data: Record<string, unknown> = {};
  commands: Command[] = [];
  protyleSlash: SlashEntry[] = [];
  customBlockRenders: Record<string, unknown> = {};
  protyleOptions: unknown;
  setting?: Setting;
  topBarIcons: Element[] = [];
  statusBarIcons: Element[] = [];
  agentActions: string[] = [];
  models: LoadedPlugin['models'] = {};
  docks: Record<string, DockEntry> = {};
  addFloatLayer = notImplemented('Plugin.addFloatLayer');

  constructor(options: { app: App; name: string; displayName?: string; i18n: Record<string, unknown> }) {
    this.app = options.app;
    this.i18n = options.i18n;
    this.displayName = options.displayName ?? options.name;
    this.eventBus = new EventBus(options.name);
    Object.defineProperty(this, 'name', { value: options.name, writable: false });
    this.updateProtyleToolbar([]);
  }

  get kernel(): never {
    return notImplemented('Plugin.kernel')();
  }

  onload(): unknown {
    return undefined;
  }
  onunload(): unknown {
    return undefined;
  }
  uninstall(): unknown {
    return undefined;
  }
  onLayoutReady(): unknown {
    return undefined;
  }

  /** Sync changed the plugin's stored data: unless overridden, the plugin is loaded again. */
  onDataChanged(_reason?: 'sync' | 'overwrite'): unknown {
    reload(this.name);
    return undefined;
  }

  updateCards(options: unknown): unknown {
    return options;
  }

  updateProtyleToolbar(toolbar: unknown[]): unknown[] {
    return toolbar;
  }

  addIcons(svg: string): void {
    const defs = document.querySelector(`svg[data-name="${CSS.escape(this.name)}"] defs`);
    if (defs) {
      defs.insertAdjacentHTML('afterbegin', svg);
      return;
    }
    const hidden = 'position:absolute;width:0;height:0;overflow:hidden';
    const html = `<svg data-name="${this.name}" style="${hidden}" xmlns="http://www.w3.org/2000/svg"><defs>${svg}</defs></svg>`;
    const last = [...document.querySelectorAll('body > svg')].at(-1);
    if (last) last.insertAdjacentHTML('afterend', html);
    else document.body.insertAdjacentHTML('afterbegin', html);
  }

  addTopBar(options: {
    icon: string;
    title: string;
    position?: 'left' | 'right';
    callback: (event: MouseEvent) => void;
  }): HTMLElement | undefined {
    const symbol = options.icon.trim();
    if (!symbol.startsWith('icon') && !symbol.startsWith('<svg')) {
      console.error(`plugin ${this.name} addTopBar error: icon must be svg id or svg tag`);
      return undefined;
    }
    const element = create('div', 'toolbar__item ariaLabel', {
      id: `plugin_${this.name}_${this.topBarIcons.length}`,
      'aria-label': options.title,
      role: 'button',
      tabindex: '0',
      'data-menu': 'true',
      'data-location': options.position ?? 'right',
    });
    element.innerHTML = symbol.startsWith('icon') ? `<svg><use href="#${symbol}"></use></svg>` : symbol;
    element.addEventListener('click', options.callback);
    this.topBarIcons.push(element);
    if (siyuan.storage) placeTopBar(this);
    return element;
  }

  addStatusBar(options: { element: HTMLElement; position?: 'left' | 'right' }): HTMLElement | undefined {
    if (query.mobile) return undefined;
    options.element.setAttribute('data-location', options.position ?? 'right');
    this.statusBarIcons.push(options.element);
    placeStatusBar(this);
    return options.element;
  }

  /** Keeps the hotkey in `window.siyuan.config.keymap.plugin`, where a user's own one would win. */
  private keyFor(name: string, hotkey: string): string {
    const keymap = config().keymap;
    keymap.plugin ??= {};
    const own = keymap.plugin[this.name] ?? {};
    keymap.plugin[this.name] = own;
    const entry = own[name] ?? { default: hotkey, custom: hotkey };
    own[name] = entry;
    entry.default = hotkey;
    return typeof entry.custom === 'string' ? entry.custom : hotkey;
  }

  addCommand(command: Command): void {
    command.hotkey ??= '';
    command.customHotkey = this.keyFor(command.langKey, command.hotkey);
    this.commands.push(command);
  }

  addTab(options: ModelCallbacks & { type: string }): ((options: { tab: unknown; data: unknown }) => CustomModel) | undefined {
    if (query.mobile) return undefined;
    const type = this.name + options.type;
    const make = (at: { tab: unknown; data: unknown }) => {
      const { panelElement } = at.tab as { panelElement: HTMLElement };
      return createCustom({ ...options, type, data: at.data, tab: at.tab, element: panelElement });
    };
    this.models[type] = make;
    return make;
  }

  addDock(options: AddDockOptions): DockEntry {
    const type = this.name + options.type;
    options.config.index ??= 1000;
    this.keyFor(type, options.config.hotkey ?? '');
    this.docks[type] = {
      config: options.config,
      model: ({ tab }) => {
        tab.panelElement.classList.add(`sy__${type}`, 'dockPanel');
        return createCustom({ ...options, type, data: options.data, tab, element: tab.panelElement });
      },
      mobileModel: (element) => createCustom({ ...options, type, data: options.data, tab: undefined, element }),
    };
    addPluginDocks(this);
    return this.docks[type];
  }

  getOpenedTab(): Record<string, unknown[]> {
    const entries = Object.keys(this.models).map((type) => [type.slice(this.name.length), customTabs(type).map((tab) => tab.model)]);
    return Object.fromEntries(entries) as Record<string, unknown[]>;
  }

  openSetting(): void {
    this.setting?.open(this.displayName || this.name);
  }

  loadData(name: string): Promise<unknown> {
    return loadData(this.name, this.data, name);
  }

  saveData(name: string, content: unknown): Promise<Answer> {
    return saveData(this.name, this.data, name, content);
  }

  removeData(name: string): Promise<Answer> {
    return removeData(this.name, this.data, name);
  }

  getSecret(name: string): string {
    return config().secrets?.items?.find((item) => item.name === name)?.value ?? '';
  }

  getVariable(name: string): string {
    return config().variables?.items?.find((item) => item.name === name)?.value ?? '';
  }

  /** In 3.8, in the place of actions. */
  addAgentCapability(options: AgentCapability): string {
    return addCapability(this.name, options);
  }

  /** There is no built-in agent here to call the action; the name is kept and given back as SiYuan does. */
  addAgentAction(options: AgentAction): string {
    const full = `plugin__${this.name}__${options.name}`;
    if (!this.agentActions.includes(full)) this.agentActions.push(full);
    return full;
  }
}

/** The class as a value for the loader's `instanceof` check. */
export function isPluginClass(
  value: unknown,
): value is new (options: {
  app: App;
  name: string;
  displayName: string;
  i18n: Record<string, unknown>;
}) => Plugin {
  return typeof value === 'function' && value.prototype instanceof Plugin;
}
