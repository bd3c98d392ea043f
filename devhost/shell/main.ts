/** The page's start. The order is SiYuan's, as measured on 3.7.3. */
import { call } from './core/http.ts';
import { Socket } from './core/socket.ts';
import { app, completeConfig, config, emitAll, isNewer, query, siyuan } from './core/state.ts';
import { languages, text } from './core/texts.ts';
import type { Answer } from './core/types.ts';
import { initHotkeys, openCommandPanel } from './layout/commands.ts';
import { dockFor, initDocks } from './layout/dock.ts';
import { initDocuments, onDocumentPush, openBlock, openFileByUrl } from './layout/documents.ts';
import { applyTheme, buildFrame, toolbarItem } from './layout/frame.ts';
import { initMobile } from './layout/mobile.ts';
import { openPluginsMenu } from './layout/plugins-menu.ts';
import { savedLayout } from './layout/saved.ts';
import { initTabs } from './layout/tabs.ts';
import { createTree, loadNotebooks, openFirstNotebook } from './layout/tree.ts';
import { refreshTreeSoon } from './layout/tree-refresh.ts';
import { agentCapabilities } from './plugin/agent-capabilities.ts';
import { afterLayoutReady, loadPlugins, type ReloadLists, reloadPlugins } from './plugin/loader.ts';
import { Plugin } from './plugin/plugin.ts';
import { insertIcons } from './ui/icons.ts';
import { commonMenu } from './ui/menu.ts';
import { initTooltips } from './ui/tooltip.ts';

/** Pushes after which the tree may look different. */
const treePushes = new Set([
  'createnotebook',
  'mount',
  'unmount',
  'closeBox',
  'removeBox',
  'removeDoc',
  'create',
  'createdailynote',
  'moveDoc',
  'rename',
  'renamenotebook',
  'reloadFiletree',
  'reloadDocInfo',
  'reloadNotebookInfo',
]);

/** The main session of the push socket: every push goes to the plugins first. */
function onMainPush(answer: Answer): void {
  emitAll('ws-main', answer);
  const cmd = answer.cmd ?? '';
  const data = (typeof answer.data === 'object' && answer.data !== null ? answer.data : {}) as Record<string, unknown>;
  if (treePushes.has(cmd)) refreshTreeSoon();
  if (cmd === 'reloadPlugin') void reloadPlugins(data as ReloadLists);
  if (cmd === 'mount') emitAll('opened-notebook', answer);
  if (cmd === 'closeBox' || cmd === 'unmount') emitAll('closed-notebook', answer);
  if (cmd === 'openFileById' && typeof data.id === 'string') void openBlock(data.id, { action: ['cb-get-focus'] });
  if (cmd === 'setConf') siyuan.config = completeConfig(answer.data);
  if (cmd === 'setLocalStorageVal' && siyuan.storage) siyuan.storage[String(data.key)] = data.val;
  onDocumentPush(cmd, data);
}

async function loadStorage(): Promise<void> {
  const stored = (await call<Record<string, unknown>>('/api/storage/getLocalStorage')) ?? {};
  siyuan.storage = {
    'local-plugin-docks': {},
    'local-plugintopunpin': [],
    'local-dialogposition': {},
    'local-fileposition': {},
    ...stored,
  };
}

function buildToolbar(): void {
  const bar = document.getElementById('toolbar');
  const plugins = toolbarItem('barPlugins', 'iconPlugin', text('plugin'), () => {
    const at = plugins.getBoundingClientRect();
    void openPluginsMenu({ x: at.right, y: at.bottom + 4, h: at.height });
  });
  bar?.append(
    plugins,
    toolbarItem('barCommand', 'iconTerminal', text('commands'), openCommandPanel),
    toolbarItem('barMode', 'iconTheme', text('theme'), () => {
      const { appearance } = config();
      appearance.mode = appearance.mode === 1 ? 0 : 1;
      applyTheme();
    }),
  );
}

/** Docks, tabs and the documents that were open before. */
async function restoreLayout(): Promise<void> {
  const openDocument = (id: string) => void openBlock(id);
  if (query.mobile) {
    initMobile(openDocument);
  } else {
    const left = dockFor('LeftTop');
    left?.add(
      'file',
      { position: 'LeftTop', size: { width: 228, height: 0 }, icon: 'iconFiles', title: text('fileTree'), show: true },
      (panel) => createTree(panel, openDocument),
    );
    const { documents, active } = savedLayout;
    for (const id of documents) await openBlock(id, { keepCursor: id !== active });
    if (active && documents.includes(active)) await openBlock(active);
  }
  if (query.open) await openBlock(query.open, { action: ['cb-get-focus', 'cb-get-hl'] });
}

async function boot(): Promise<void> {
  Object.assign(window, { siyuan, openFileByURL: openFileByUrl, agentCapabilities });
  insertIcons();
  siyuan.ws = new Socket({
    id: crypto.getRandomValues(new Uint32Array(2)).join(''),
    type: 'main',
    onMessage: onMainPush,
    onReconnect: refreshTreeSoon,
  });
  const answer = await call<{ conf: unknown; isPublish?: boolean }>('/api/system/getConf');
  siyuan.config = completeConfig(answer?.conf);
  siyuan.isPublish = answer?.isPublish ?? false;
  Reflect.deleteProperty(Plugin.prototype, isNewer() ? 'addAgentAction' : 'addAgentCapability');
  applyTheme();
  await loadPlugins();
  await loadStorage();
  siyuan.languages = languages();
  siyuan.menus = { menu: commonMenu() };
  siyuan.user = null;
  await loadNotebooks();
  openFirstNotebook();
  buildFrame();
  buildToolbar();
  initTooltips();
  initTabs();
  initDocuments();
  if (!query.mobile) initDocks();
  initHotkeys();
  await restoreLayout();
  afterLayoutReady();
  document.body.setAttribute('data-ready', app.appId);
}

void boot();
