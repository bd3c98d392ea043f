// The entry of the panel's chunk: joins host, tools, chat and panel by hand. Nothing here is a singleton; SiYuan's start
// script makes one PanelApp for the life of the plugin.
import english from '../../i18n/en_US.json';
import { createChatController, type OwnedChatController } from '../chat/controller.ts';
import { createChatStore } from '../chat/store.ts';
import { createAccessPolicy } from '../host/access-policy.ts';
import { createKernelClient } from '../host/kernel-client.ts';
import { createMarkdownEngine } from '../host/markdown-engine.ts';
import { createNotesHost, type NotesHost } from '../host/notes-host.ts';
import { type PushSource, readTransactionsPush } from '../host/push-log.ts';
import { openSettings, type SettingsStore } from '../host/settings.ts';
import { probeServedModels } from '../model/providers.ts';
import {
  createBlocksGroup,
  createDocumentsGroup,
  createNotebooksGroup,
  createSearchGroup,
  notebookAccess,
  type ToolExecutor,
  toolExecutorFactory,
} from '../tools/index.ts';
import type { Clock } from '../tools/ports.ts';
import type { ApprovalAdapter } from '../tools/types.ts';
import { createTranslate, type Translate } from '../ui/i18n.ts';
import { mountPanel } from '../ui/mount.ts';
import { createChatModel } from './chat-model.ts';
import { deviceId, deviceSecrets, newId, random } from './device.ts';
import { createEditingProbe } from './editing-probe.ts';
import { handleEditorRequest } from './editor-requests.ts';
import { askUser, createHostUi } from './host-ui.ts';
import type { PanelApp, PanelHost } from './panel-host.ts';
import { createSettingsPort } from './settings-adapter.ts';

/** What is on before the user changes anything; a group's tools still ask as TOOLS.md says. */
const GROUP_DEFAULTS = { notebooks: true, documents: true, blocks: true, search: true };

const pad = (value: number): string => String(value).padStart(2, '0');
const clock: Clock = {
  now: () => Date.now(),
  today() {
    const now = new Date();
    return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  },
};

const hostAi = (): unknown => (window.siyuan.config ? Reflect.get(window.siyuan.config, 'ai') : undefined);

/** `transactions` pushes of the host's main socket. */
function pushSource(host: PanelHost): PushSource {
  return {
    onTransactions(listener) {
      const onMessage = (event: CustomEvent<unknown>): void => {
        const push = readTransactionsPush(event.detail);
        if (push) listener(push);
      };
      host.plugin.eventBus.on('ws-main', onMessage);
      return () => host.plugin.eventBus.off('ws-main', onMessage);
    },
  };
}

interface Parts {
  readonly host: PanelHost;
  readonly notesHost: NotesHost;
  readonly settings: SettingsStore;
  readonly t: Translate;
}

/** One executor a chat; the last one made is the open chat's. */
function executorMaker({ notesHost, settings }: Pick<Parts, 'notesHost' | 'settings'>) {
  const { notes } = notesHost;
  let latest: ToolExecutor | undefined;
  const make = (approvalAdapter: ApprovalAdapter): ToolExecutor => {
    const { groups, tools, permissions } = settings.get();
    latest = toolExecutorFactory({
      approvalAdapter,
      clock,
      groups: [createNotebooksGroup(notes), createDocumentsGroup(notes, clock), createBlocksGroup(notes), createSearchGroup(notes)],
      groupDefaults: { ...GROUP_DEFAULTS, ...groups },
      toolDefaults: tools,
      permissions,
      mayReadNotebooks: notebookAccess(notes),
    });
    return latest;
  };
  const current = (): ToolExecutor => {
    if (!latest) throw new Error('no chat is open yet');
    return latest;
  };
  return { make, current };
}

async function createController(
  parts: Parts,
  make: (adapter: ApprovalAdapter) => ToolExecutor,
  signal: AbortSignal,
): Promise<OwnedChatController> {
  const { notesHost, settings, t } = parts;
  const { storage } = notesHost;
  const chatStorage = { ...storage, list: async (folder: string) => (await storage.list(folder)).map((entry) => entry.name) };
  return createChatController({
    executorFactory: make,
    settings: () => settings.get(),
    store: createChatStore({ storage: chatStorage, device: deviceId(), now: clock.now }),
    clock,
    newId,
    device: deviceId(),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    model: createChatModel({ settings, hostAi, served: await probeServedModels(location.origin, fetch.bind(window), signal) }),
    notes: notesHost.notes,
    history: notesHost.history,
    chatDocument: notesHost.chatDocument,
    labels: () => ({ user: t('role.user'), assistant: t('role.assistant'), separator: t('role.separator') }),
  });
}

/** The kernel behind its two doors: rights and write path, watched over by what the user types. */
function openHost(host: PanelHost, t: Translate) {
  const policy = createAccessPolicy();
  const probe = createEditingProbe(async (_ids, signal) => {
    const question = { title: t('typing.title'), text: t('typing.text'), action: t('typing.write'), cancel: t('action.cancel') };
    return (await askUser(host, question, signal)) ? 'write' : 'cancel';
  });
  const notesHost = createNotesHost({
    client: createKernelClient({ baseUrl: '', fetch: fetch.bind(window) }),
    engine: createMarkdownEngine(window.Lute),
    policy,
    probe,
    clock,
    random,
    pushes: pushSource(host),
    device: deviceId(),
    session: `marginalia-${newId()}`,
  });
  return { policy, probe, notesHost };
}

export async function startPanel(host: PanelHost): Promise<PanelApp> {
  const closing = new AbortController();
  const t = createTranslate(host.plugin.i18n, english);
  const { policy, probe, notesHost } = openHost(host, t);
  const settings = await openSettings(notesHost.storage, deviceSecrets, clock.now);
  for (const [notebook, right] of Object.entries(settings.get().notebooks)) policy.setRight(notebook, right);
  if (settings.problem) host.siyuan.showMessage(t(`notice.${settings.problem}`), 8000);
  const executors = executorMaker({ notesHost, settings });
  // A change of settings or rights shows at once, not with the next answer.
  const refresh = (): void => void controller.refresh();
  const controller = await createController({ host, notesHost, settings, t }, executors.make, closing.signal);
  settings.subscribe(refresh);
  policy.subscribe(refresh);
  const hostUi = createHostUi({
    host,
    notes: notesHost.notes,
    readBlock: notesHost.readBlock,
    safeDom: (markdown) => notesHost.safeDom(markdown, closing.signal),
    t,
    signal: closing.signal,
  });
  const settingsPort = createSettingsPort({
    store: settings,
    policy,
    hostAi,
    executor: executors.current,
    notebooks: () => notesHost.allNotebooks(closing.signal),
  });
  return {
    mount(element) {
      const panel = mountPanel(element, { controller, host: hostUi, i18n: t, settings: settingsPort });
      return { focus: () => panel.focusComposer(), unmount: () => panel.destroy() };
    },
    handle: (request) => handleEditorRequest({ controller, notesHost, t, signal: closing.signal }, request),
    newChat: () => void controller.newChat(),
    stop: () => controller.stop(),
    async dispose() {
      await controller.dispose();
      closing.abort();
      probe.dispose();
      notesHost.close();
    },
  };
}
