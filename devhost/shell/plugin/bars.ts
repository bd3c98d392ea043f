import { query } from '../core/state.ts';
import type { LoadedPlugin } from '../core/types.ts';
import { dockFor, dockOfType } from '../layout/dock.ts';

/** Puts a plugin's buttons into the tool bar, once. */
export function placeTopBar(plugin: LoadedPlugin): void {
  for (const element of plugin.topBarIcons) {
    if (document.contains(element)) continue;
    const before = element.getAttribute('data-location') === 'left' ? '#drag' : '#barPlugins';
    document.querySelector(before)?.before(element);
  }
}

export function placeStatusBar(plugin: LoadedPlugin): void {
  const status = document.getElementById('status');
  for (const element of plugin.statusBarIcons) {
    if (!status || document.contains(element)) continue;
    if (element.getAttribute('data-location') === 'left') status.prepend(element);
    else status.append(element);
  }
}

/** Adds the icons of a plugin's docks. On mobile they are entries of a menu (layout/mobile.ts). */
export function addPluginDocks(plugin: LoadedPlugin): void {
  if (query.mobile) return;
  for (const [type, entry] of Object.entries(plugin.docks)) {
    if (dockOfType(type)) continue;
    dockFor(entry.config.position)?.add(type, entry.config, (panelElement) => entry.model({ tab: { panelElement } }));
  }
}

/** Takes away everything of a plugin that is in the page. */
export function removePluginElements(plugin: LoadedPlugin): void {
  for (const element of [...plugin.topBarIcons, ...plugin.statusBarIcons]) element.remove();
  for (const type of Object.keys(plugin.docks)) dockOfType(type)?.remove(type);
  document.querySelector(`svg[data-name="${CSS.escape(plugin.name)}"]`)?.remove();
  document.getElementById(`pluginsStyle${plugin.name}`)?.remove();
}
