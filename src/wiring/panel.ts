// The entry of the panel's chunk: joins host, tools, chat and panel by hand. Nothing here is a singleton; SiYuan's start
// script makes one PanelApp for the life of the plugin.
import english from '../../i18n/en_US.json';
import { type ChatControllerDeps, createChatController } from '../chat/controller/controller.ts';
import type { ExecutorPorts } from '../chat/turn/session.ts';
import { createAccessPolicy } from '../host/access/access-policy.ts';
import { createMarkdownEngine } from '../host/blocks/markdown-engine.ts';
import { createKernelClient } from '../host/kernel/kernel-client.ts';
import { type PushSource, readTransactionsPush } from '../host/kernel/push-log.ts';
import { createNotesHost, type NotesHost } from '../host/notes-host.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import { probeServedModels } from '../model/providers.ts';
import { ToolError } from '../tools/contract/errors.ts';
import type { Clock, NotebookRight } from '../tools/contract/ports.ts';
import { VariableSystem } from '../tools/executor/variables.ts';
import { createBasicGroup, createNotesGroups, GROUP_DEFAULTS, type ToolExecutor, toolExecutorFactory } from '../tools/index.ts';
import { type MountedPanel, mountPanel, type PanelProps } from '../ui/panel/mount.ts';
import { createTranslate, type Translate } from '../ui/ports/i18n.ts';
import type { SettingsPort } from '../ui/ports/settings-port.ts';
import { createChatModel } from './chat-model.ts';
import { openChatStore } from './chat-store.ts';
import { deviceId, deviceSecrets, newId, random, shownChat } from './device.ts';
import { createEditingProbe } from './editing-probe.ts';
import { EditorCards } from './editor-cards.ts';
import { handleEditorRequest } from './editor-requests.ts';
import { escapeHtml } from './escape-html.ts';
import { createFormulaCheck } from './host-drawing.ts';
import { askUser, createHostUi } from './host-ui.ts';
import { watchPageEnd } from './page-end.ts';
import type { PanelApp, PanelHost } from './panel-host.ts';
import { runCommand } from './run-command.ts';
import { createSettingsPort, followRights } from './settings-adapter.ts';
import { openSharedSettings } from './shared-settings.ts';

const pad = (value: number): string => String(value).padStart(2, '0');
const clock: Clock = {
  now: () => Date.now(),
  today() {
    const now = new Date();
    return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
  },
};

const timeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

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
function executorMaker({ notesHost, settings }: Pick<Parts, 'notesHost' | 'settings'>, searchByMeaning: boolean) {
  const { notes } = notesHost;
  let latest: ToolExecutor | undefined;
  const build = ({ approvalAdapter, askUser }: ExecutorPorts): ToolExecutor => {
    const { groups, tools, permissions } = settings.get();
    // The list of steps is kept with the chat's other variables.
    const varSystem = new VariableSystem({ clock });
    return toolExecutorFactory({
      approvalAdapter,
      clock,
      varSystem,
      groups: [
        createBasicGroup({ clock, timeZone: timeZone(), variables: varSystem, askUser }),
        ...createNotesGroups(notes, clock, { searchByMeaning, files: notesHost.exportFiles }),
      ],
      groupDefaults: { ...GROUP_DEFAULTS, ...groups },
      toolDefaults: tools,
      permissions,
      rights: notesHost.rights,
      localOnly: () => settings.get().localOnly,
    });
  };
  const make = (ports: ExecutorPorts): ToolExecutor => {
    latest = build(ports);
    return latest;
  };
  const current = (): ToolExecutor => {
    if (!latest) throw new Error('no chat is open yet');
    return latest;
  };
  return { build, make, current };
}

/** What the open chat needs; editor tasks share it, since the store must be one. */
async function chatDeps(
  parts: Parts,
  executorFactory: (ports: ExecutorPorts) => ToolExecutor,
  signal: AbortSignal,
): Promise<ChatControllerDeps> {
  const { notesHost, settings, t } = parts;
  const { storage, cache } = notesHost;
  const end = watchPageEnd(signal);
  return {
    executorFactory,
    settings: () => settings.get(),
    store: openChatStore({ storage, cache, now: clock.now, end, signal }),
    pageStays: end.stays,
    clock,
    newId,
    device: deviceId(),
    shown: shownChat,
    timeZone: timeZone(),
    model: createChatModel({ settings, hostAi, served: await probeServedModels(location.origin, hostAi(), fetch.bind(window), signal) }),
    notes: notesHost.notes,
    history: notesHost.history,
    chatDocument: notesHost.chatDocument,
    labels: () => ({ user: t('role.user'), assistant: t('role.assistant'), separator: t('role.separator') }),
  };
}

/** The kernel behind its two doors: rights and write path, watched over by what the user types. */
function openHost(host: PanelHost, t: Translate, cards: () => EditorCards | undefined, signal: AbortSignal) {
  const policy = createAccessPolicy();
  const probe = createEditingProbe((ids, signal) => {
    // A write of a card is asked about on the card; everything else in a dialog.
    const answer = cards()?.askWhileTyping(ids, signal);
    if (answer) return { answer, modal: false };
    const question = { title: t('typing.title'), text: t('typing.text'), action: t('typing.write'), cancel: t('action.cancel') };
    return { answer: askUser(host, question, signal).then((yes) => (yes ? 'write' : 'cancel')), modal: true };
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
    checkFormula: createFormulaCheck(host.siyuan.ProtyleMethod, signal),
  });
  return { policy, probe, notesHost };
}

/** Asked once: the tools say what can be searched for. A kernel that does not answer is one that cannot. */
async function canSearchByMeaning({ notes }: NotesHost, signal: AbortSignal): Promise<boolean> {
  try {
    return await notes.canSearchByMeaning(signal);
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}

/** From the notebook's own menu, where nothing else would show that it took. */
async function setRightAloud(host: PanelHost, settings: SettingsPort, t: Translate, notebook: string, right: NotebookRight): Promise<void> {
  await settings.setRight(notebook, right);
  const name = (await settings.notebooks()).find((each) => each.id === notebook)?.name ?? '';
  host.siyuan.showMessage(escapeHtml(t('rights.now', { notebook: name, right: t(`right.${right}`) })));
}

/** Draws the panel into the dock's element, which comes and goes, and knows the one that is drawn now. */
function panelDrawer(props: PanelProps, onGone: () => void) {
  let drawn: MountedPanel | undefined;
  const mount: PanelApp['mount'] = (element) => {
    const panel = mountPanel(element, props);
    drawn = panel;
    return {
      focus: () => panel.focusComposer(),
      unmount() {
        panel.destroy();
        if (drawn === panel) drawn = undefined;
        onGone();
      },
    };
  };
  return { mount, current: () => drawn };
}

export async function startPanel(host: PanelHost): Promise<PanelApp> {
  const closing = new AbortController();
  const t = createTranslate(host.plugin.i18n, english);
  let cards: EditorCards | undefined;
  const { policy, probe, notesHost } = openHost(host, t, () => cards, closing.signal);
  const { storage } = notesHost;
  const settings = await openSharedSettings({ storage, secrets: deviceSecrets, now: clock.now, signal: closing.signal });
  followRights(settings, policy);
  if (settings.problem) host.siyuan.showMessage(t(`notice.${settings.problem}`), 8000);
  const executors = executorMaker({ notesHost, settings }, await canSearchByMeaning(notesHost, closing.signal));
  // A change of settings or rights shows at once, not with the next answer.
  const refresh = (): void => void controller.refresh();
  const deps = await chatDeps({ host, notesHost, settings, t }, executors.make, closing.signal);
  const controller = await createChatController(deps);
  host.onPrompts(settings.get().prompts);
  settings.subscribe(({ prompts }) => host.onPrompts(prompts));
  settings.subscribe(refresh);
  policy.subscribe(refresh);
  const hostUi = createHostUi({ host, notes: notesHost.notes, readBlock: notesHost.readBlock, t, signal: closing.signal });
  const settingsPort = createSettingsPort({
    store: settings,
    policy,
    hostAi,
    executor: executors.current,
    notebooks: () => notesHost.allNotebooks(closing.signal),
  });
  const openCards = new EditorCards({
    ...{ host, controller, hostUi, settings: settingsPort, t, signal: closing.signal },
    task: {
      ...deps,
      executorFactory: executors.build,
      readBlock: notesHost.readBlock,
      rights: notesHost.rights,
      translateTo: () => settings.get().translateTo,
    },
    domOf: notesHost.routes.dom,
  });
  cards = openCards;
  const drawn = panelDrawer({ controller, host: hostUi, i18n: t, settings: settingsPort }, () => deps.store.search.release());
  const requests = { host, controller, notesHost, cards, t, signal: closing.signal, prompts: () => settings.get().prompts };
  return {
    mount: drawn.mount,
    handle: (request) => handleEditorRequest(requests, request),
    command: (name) => runCommand(name, { host, controller, cards: openCards, panel: drawn.current }),
    setRight: (notebook, right) => setRightAloud(host, settingsPort, t, notebook, right),
    dataChanged() {
      deps.store.changedOutside();
      // Where the host does not answer, the next change or sync reads them.
      void settings.reload().catch(() => undefined);
    },
    async dispose() {
      openCards.dispose();
      await controller.dispose();
      closing.abort();
      probe.dispose();
      notesHost.close();
    },
  };
}
