import { fetchGet, fetchPost, fetchSyncPost } from '../core/http.ts';
import { config, frontend, query } from '../core/state.ts';
import { highlightRender, mathRender } from '../editor/drawing.ts';
import { Protyle } from '../editor/protyle.ts';
import { dockOfType } from '../layout/dock.ts';
import { activeEditor, allEditors, openBlock } from '../layout/documents.ts';
import { closeSheet } from '../layout/mobile.ts';
import { saveLayout } from '../layout/saved.ts';
import { activeTab, allTabs, customTabs, openCustomTab, type Tab } from '../layout/tabs.ts';
import { copyText } from '../ui/clipboard.ts';
import { confirmDialog, Dialog } from '../ui/dialog.ts';
import { hotkeyLabel } from '../ui/hotkey.ts';
import { hideMessage, showMessage } from '../ui/message.ts';
import { Constants } from './constants.ts';
import { Menu } from './menu.ts';
import { notImplemented } from './not-implemented.ts';
import { Plugin } from './plugin.ts';
import { Setting } from './setting.ts';

interface OpenTabOptions {
  doc?: { id: string; action?: string[]; zoomIn?: boolean };
  custom?: { id: string; title: string; icon: string; data?: unknown };
  asset?: { path: string };
  pdf?: { path: string; page?: number };
  keepCursor?: boolean;
  afterOpen?: (model?: unknown) => void;
}

/** Opens a block's document or a plugin's tab; on mobile it does nothing, as in SiYuan. */
async function openTab(options: OpenTabOptions): Promise<Tab | undefined> {
  if (query.mobile) return undefined;
  let tab: Tab | undefined;
  if (options.doc) tab = await openBlock(options.doc.id, { action: options.doc.action ?? [], keepCursor: options.keepCursor ?? false });
  else if (options.custom) tab = openCustomTab(options.custom, options.keepCursor);
  else if (options.asset) showMessage('The development host does not show files; SiYuan opens them in a tab.');
  else if (options.pdf) showMessage(`SiYuan would show page ${options.pdf.page ?? 1} of ${options.pdf.path} in a tab.`);
  else notImplemented('openTab of a search or card')();
  options.afterOpen?.(tab?.model);
  return tab;
}

function getBackend(): string {
  const container = config().system.container;
  return container && container !== 'std' ? container : (config().system.os ?? 'linux');
}

function getAllModels(): Record<string, unknown[]> {
  const none = { graph: [], asset: [], outline: [], backlink: [], search: [], inbox: [], files: [], bookmark: [], tag: [] };
  return {
    ...none,
    editor: allTabs().flatMap((tab) => (tab.model?.editor ? [tab.model] : [])),
    custom: customTabs().map((tab) => tab.model),
  };
}

const protyleMethod = new Proxy(
  { mathRender, highlightRender },
  { get: (target, name) => Reflect.get(target, name) ?? notImplemented(`ProtyleMethod.${String(name)}`) },
);

const missing = [
  'openWindow',
  'lockScreen',
  'exitSiYuan',
  'saveExportFile',
  'openSetting',
  'openAttributePanel',
  'globalCommand',
  'expandDocTree',
  'openEmoji',
];

/** `require("siyuan")`. The list of names is the one measured on SiYuan 3.7.3. */
export const pluginApi: Record<string, unknown> = {
  ...Object.fromEntries(missing.map((name) => [name, notImplemented(name)])),
  Plugin,
  Dialog,
  Menu,
  Setting,
  Protyle,
  ProtyleMethod: protyleMethod,
  Constants,
  adaptHotkey: hotkeyLabel,
  confirm: confirmDialog,
  showMessage,
  hideMessage,
  fetchPost,
  fetchSyncPost,
  fetchGet,
  getFrontend: frontend,
  getBackend,
  getModelByDockType: (type: string) => dockOfType(type)?.data[type],
  openTab,
  openMobileFileById: (_app: unknown, id: string, action: string[] = []) => {
    closeSheet(); // SiYuan takes its side panel away too
    void openBlock(id, { action });
  },
  getAllEditor: allEditors,
  getActiveEditor: activeEditor,
  getAllTabs: () => allTabs(),
  getActiveTab: () => activeTab(),
  getAllModels,
  saveLayout: (callback?: () => void) => {
    saveLayout();
    callback?.();
  },
  platformUtils: {
    writeText: copyText,
    copyPlainText: copyText,
    isMac: () => /mac/i.test(navigator.platform),
    updateHotkeyTip: hotkeyLabel,
  },
};
