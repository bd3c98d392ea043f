import { olderName } from '../../languages.ts';
import { create } from '../core/dom.ts';
import { call } from '../core/http.ts';
import { app, frontend, isNewer, query } from '../core/state.ts';
import type { LoadedPlugin, Petal } from '../core/types.ts';
import { callSafely } from '../layout/custom.ts';
import { customTabs } from '../layout/tabs.ts';
import { removeCapabilities } from './agent-capabilities.ts';
import { pluginApi } from './api.ts';
import { addPluginDocks, placeStatusBar, placeTopBar, removePluginElements } from './bars.ts';
import { EventBus } from './event-bus.ts';
import { endPlugin, runHook } from './life-cycle.ts';
import { isPluginClass, setReloader } from './plugin.ts';

const loading = new WeakMap<LoadedPlugin, Promise<void>>();

/** What the kernel's `reloadPlugin` push carries: names of plugins. */
export interface ReloadLists {
  uninstallPlugins?: string[];
  unloadPlugins?: string[];
  reloadPlugins?: string[];
  dataChangePlugins?: string[];
  /** Since 3.8: who changed the data, a sync or another window of the same kernel. */
  dataChangeReason?: 'sync' | 'overwrite';
}

function requireModule(name: string): unknown {
  if (name === 'siyuan') return pluginApi;
  throw new Error(`require("${name}") is not implemented in the development host → bundle the module, only "siyuan" is given`);
}

/** Fetches the petals and starts them; `onload` is not awaited while booting. */
export async function loadPlugins(names?: string[]): Promise<void> {
  const petals = (await call<Petal[]>('/api/petal/loadPetals', { frontend: frontend() })) ?? [];
  for (const petal of petals) {
    if (names && !names.includes(petal.name)) continue;
    if (query.lang) petal.i18n = await textsOf(petal, query.lang);
    const plugin = evaluate(petal);
    insertCss(petal);
    if (plugin && names) await loading.get(plugin);
  }
}

/** With `?lang=` the plugin's texts follow the page; the kernel knows only its own language. */
async function textsOf(petal: Petal, lang: string): Promise<Record<string, unknown>> {
  for (const file of [lang, olderName(lang)]) {
    const response = await fetch(`/plugins/${petal.name}/i18n/${file}.json`);
    if (response.ok && response.headers.get('content-type')?.includes('json')) return (await response.json()) as Record<string, unknown>;
  }
  return petal.i18n;
}

function evaluate(petal: Petal): LoadedPlugin | undefined {
  const module: { exports: Record<string, unknown> } = { exports: {} };
  try {
    // CommonJS text from the kernel, as SiYuan runs it; the comment gives it a name in the browser's debugger.
    const source = `${petal.js}\n//# sourceURL=plugin:${encodeURIComponent(petal.name)}`;
    const run = new Function('require', 'module', 'exports', source);
    run(requireModule, module, module.exports);
  } catch (error) {
    console.error(`plugin ${petal.name} run error:`, error);
    return undefined;
  }
  const exported: unknown = module.exports.default ?? module.exports;
  if (!isPluginClass(exported)) {
    console.error(`plugin ${petal.name} does not export a class that extends Plugin`);
    return undefined;
  }
  const plugin = new exported({ app, name: petal.name, displayName: petal.displayName ?? petal.name, i18n: petal.i18n ?? {} });
  app.plugins.push(plugin);
  loading.set(
    plugin,
    runHook(plugin, 'onload', () => plugin.onload()),
  );
  return plugin;
}

function insertCss(petal: Petal): void {
  if (!petal.css) return;
  document.getElementById(`pluginsStyle${petal.name}`)?.remove();
  const style = create('style', '', { id: `pluginsStyle${petal.name}` });
  style.textContent = petal.css;
  document.head.append(style);
}

/** The layout stands: each plugin's `onLayoutReady` follows its own `onload`. */
export function afterLayoutReady(): void {
  for (const plugin of app.plugins) void loading.get(plugin)?.then(() => afterLoad(plugin));
}

/** 3.7.3 waits for no hook but `onload`. */
function callHook(plugin: LoadedPlugin, name: string, hook: () => unknown): void {
  if (isNewer()) void runHook(plugin, name, hook);
  else callSafely(`plugin ${plugin.name} ${name}`, hook);
}

function afterLoad(plugin: LoadedPlugin): void {
  if (!app.plugins.includes(plugin)) return;
  callHook(plugin, 'onLayoutReady', () => plugin.onLayoutReady());
  placeTopBar(plugin);
  placeStatusBar(plugin);
  addPluginDocks(plugin);
}

/** Unloads a plugin: `onunload`, then `uninstall` when it is removed for good, then everything of it leaves the page. */
async function unloadPlugin(name: string, isReload: boolean): Promise<void> {
  const plugin = app.plugins.find((candidate) => candidate.name === name);
  if (!plugin) return;
  const hooks = { onunload: () => plugin.onunload(), ...(!isReload && { uninstall: () => plugin.uninstall() }) };
  if (isNewer()) await endPlugin(plugin, hooks);
  else for (const [hook, run] of Object.entries(hooks)) callSafely(`plugin ${name} ${hook}`, run);
  for (const type of Object.keys(plugin.models)) {
    for (const tab of customTabs(type)) {
      if (!isReload) tab.close();
      else if (tab.model?.update) callSafely(`tab ${type} update`, () => tab.model?.update?.call(tab.model));
    }
  }
  removePluginElements(plugin);
  removeCapabilities(name);
  if (plugin.eventBus instanceof EventBus) plugin.eventBus.cutOff();
  app.plugins = app.plugins.filter((candidate) => candidate !== plugin);
}

/** Carries out a `reloadPlugin` push. */
export async function reloadPlugins(lists: ReloadLists): Promise<void> {
  for (const name of lists.unloadPlugins ?? []) await unloadPlugin(name, true);
  for (const name of lists.uninstallPlugins ?? []) await unloadPlugin(name, false);
  const reload = lists.reloadPlugins ?? [];
  for (const name of reload) await unloadPlugin(name, true);
  // SiYuan asks for its plugins also where none is to be loaded.
  await loadPlugins(reload);
  for (const plugin of app.plugins) if (reload.includes(plugin.name)) afterLoad(plugin);
  for (const plugin of [...app.plugins]) {
    if (lists.dataChangePlugins?.includes(plugin.name))
      callHook(plugin, 'onDataChanged', () => plugin.onDataChanged(isNewer() ? lists.dataChangeReason : undefined));
  }
}

setReloader((name) => void reloadPlugins({ reloadPlugins: [name] }));
