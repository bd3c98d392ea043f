import { escapeHtml } from '../core/dom.ts';
import { call, fetchPost } from '../core/http.ts';
import { app, frontend } from '../core/state.ts';
import { text } from '../core/texts.ts';
import type { MenuOptions, Petal } from '../core/types.ts';
import { reloadPlugins } from '../plugin/loader.ts';
import { confirmDialog } from '../ui/dialog.ts';
import { commonMenu, openMenu } from '../ui/menu.ts';

/** Plugins that were in the workspace when the page was loaded; a disabled one stays in the list. */
const known = new Map<string, string>();

/** The puzzle icon: settings, reload, disable or enable, and uninstall of every plugin. */
export async function openPluginsMenu(position: { x: number; y: number; h: number }): Promise<void> {
  const petals = (await call<Petal[]>('/api/petal/loadPetals', { frontend: frontend() })) ?? [];
  for (const { name, displayName } of [...petals, ...app.plugins]) known.set(name, displayName || name);
  const menu = commonMenu();
  menu.remove();
  for (const [name, label] of known) {
    menu.addItem({ label: escapeHtml(label), icon: 'iconPlugin', type: 'submenu', submenu: entries(name) });
  }
  if (known.size === 0) menu.addItem({ type: 'readonly', iconHTML: '', label: text('noPlugins') });
  openMenu({ ...position, isLeft: true });
}

function entries(name: string): MenuOptions[] {
  const plugin = app.plugins.find((candidate) => candidate.name === name);
  if (!plugin) return [{ id: 'enable', icon: 'iconPlay', label: text('enable'), click: () => void enable(name, true) }];
  const settings: MenuOptions = { id: 'config', icon: 'iconSettings', label: text('config'), click: () => plugin.openSetting() };
  return [
    ...(plugin.setting ? [settings] : []),
    { id: 'reload', icon: 'iconRefresh', label: text('reload'), click: () => void reloadPlugins({ reloadPlugins: [name] }) },
    { id: 'disable', icon: 'iconPause', label: text('disable'), click: () => void enable(name, false) },
    {
      id: 'uninstall',
      icon: 'iconTrashcan',
      label: text('uninstall'),
      click: () => confirmDialog(text('uninstall'), text('uninstallAsk'), () => uninstall(name)),
    },
  ];
}

/** The kernel removes it and pushes `reloadPlugin` to every window, this one too: there `onunload` and `uninstall` run. */
function uninstall(name: string): void {
  void fetchPost('/api/bazaar/uninstallBazaarPlugin', { packageName: name }, () => known.delete(name));
}

/** The kernel keeps the state and pushes `reloadPlugin` to every window, this one too, which carries it out. */
async function enable(name: string, enabled: boolean): Promise<void> {
  await call('/api/petal/setPetalEnabled', { packageName: name, enabled });
}
