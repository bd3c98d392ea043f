// The entry of the panel's chunk: joins host, tools, chat and panel by hand. Nothing here is a singleton; SiYuan's start
// script makes one PanelApp for the life of the plugin. What the first opening does without is imported where it is needed, and so is a
// file of its own in the built plugin (docs/decisions.md, "What is loaded when").

import type { ActivityFiles, createActivityFiles } from '../chat/activity/activity-files.ts';
import { createChatController } from '../chat/controller/chat-controller.ts';
import type { ChatControllerDeps } from '../chat/controller/controller-deps.ts';
import type { ChatController } from '../chat/controller/controller-port.ts';
import { tidyChats } from '../chat/controller/start-chats.ts';
import type { Summarize } from '../chat/turn/summarize.ts';
import { createAccessPolicy } from '../host/access/access-policy.ts';
import { createHostBase, type HostBase } from '../host/host-base.ts';
import { chatWrites } from '../host/journal/undo-state.ts';
import { createForward, FORWARD_TIMEOUT_MS } from '../host/kernel/forward-request.ts';
import { createKernelClient } from '../host/kernel/kernel-client.ts';
import { KernelWaits } from '../host/kernel/kernel-waits.ts';
import { commandOf, type PushSource, readTransactionsPush } from '../host/kernel/transaction-log.ts';
import { followRights } from '../host/settings/follow-rights.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import type { Ledger, LedgerOptions } from '../model/budget/ledger.ts';
import { hostAiOf } from '../model/host-providers.ts';
import { probeServedModels } from '../model/providers.ts';
import { createProviderProxy } from '../model/proxied-fetch.ts';
import { PendingList } from '../tools/calls/pending.ts';
import { ToolError } from '../tools/contract/errors.ts';
import type { ToolChainEvent } from '../tools/contract/events.ts';
import { lazyMethods, lazyPart } from '../tools/util/lazy.ts';
import { inBackground, Listeners } from '../tools/util/notify.ts';
import { moment } from '../ui/labels/format.ts';
import { loadPages, pagesFrom } from '../ui/panel/lazy-pages.ts';
import { createTranslate, type Translate } from '../ui/ports/i18n.ts';
import type { SettingsPort } from '../ui/ports/settings-port.ts';
import type { Features } from '../ui/state/features.ts';
import { aboutNotes } from './about-notes.ts';
import { createActivityPort } from './activity-port.ts';
import { openChatStore } from './chat-store.ts';
import {
  begunNote,
  deviceCalls,
  deviceId,
  deviceSecrets,
  deviceWindows,
  newId,
  pageLocks,
  random,
  recentModels,
  shownChat,
  workspaceFolder,
} from './device-storage.ts';
import { createEditingProbe } from './editor/editing-probe.ts';
import type { EditorCards, EditorCardsDeps } from './editor/editor-cards.ts';
import { loadDesktop } from './groups/lazy-desktop.ts';
import { createFormulaCheck } from './host-drawing.ts';
import { askUser, createHostUi, whenIdle } from './host-ui.ts';
import { inWords } from './in-words.ts';
import { lazyActivity } from './lazy-activity.ts';
import { lazyNotes, type Notes } from './lazy-notes.ts';
import { createModelsPort } from './models/models-adapter.ts';
import { createSpeech, speechProviders } from './models/speech.ts';
import { openAccess, setRightAloud } from './notebook-rights.ts';
import { notesUnder } from './notes-under.ts';
import { executorMaker, type OpenExecutors } from './open-executors.ts';
import { watchPageEnd } from './page-end.ts';
import { panelDrawer } from './panel-drawer.ts';
import type { PanelEnvironment, PanelFrame } from './panel-environment.ts';
import type { PanelApp, PanelHost } from './panel-host.ts';
import { resumeHistory } from './resumed-history.ts';
import { runCommand } from './run-command.ts';
import { createSettingsPort } from './settings-adapter.ts';
import { announceSettings } from './settings-notice.ts';
import { openSharedSettings, readSettings } from './shared-settings.ts';
import { type PanelFeatures, startFeatures } from './start-features.ts';
import { untilClosed } from './until-closed.ts';
import { callMemory } from './workspace/call-memory.ts';
import { meaningServerOf } from './workspace/chat-executor.ts';
import type { GuestModels } from './workspace/chat-model.ts';
import {
  type ChatModelDeps,
  createChatModel,
  createSummaryModel,
  createTitleModel,
  learntOfModels,
  modelNamed,
  providerSources,
} from './workspace/chat-model.ts';
import { createFindFirst } from './workspace/search-first.ts';
import { systemClock as clock, timeZone } from './workspace/system-clock.ts';

const hostAi = (): unknown => hostAiOf(window.siyuan.config);

/** Pushes of the host's main socket, which the host itself reconnects. */
function pushSource(host: PanelHost): PushSource {
  const listen = (take: (message: unknown) => void): (() => void) => {
    const onMessage = (event: CustomEvent<unknown>): void => take(event.detail);
    host.plugin.eventBus.on('ws-main', onMessage);
    return () => host.plugin.eventBus.off('ws-main', onMessage);
  };
  return {
    onTransactions: (listener) =>
      listen((message) => {
        const push = readTransactionsPush(message);
        if (push) listener(push);
      }),
    onCommand: (listener) => listen((message) => listener(commandOf(message))),
    hears: () => true,
  };
}

interface Deps {
  readonly host: PanelHost;
  readonly base: HostBase;
  readonly notes: Notes;
  readonly settings: SettingsStore;
  readonly t: Translate;
  readonly loadActivity: () => Promise<typeof createActivityFiles>;
  readonly loadSummarize: ChatControllerDeps['summaries'];
  readonly loadAppendAnswer: ChatControllerDeps['loadAppendAnswer'];
}

/** What the open chat needs; editor tasks share it, since there must be only one store. */
function chatDeps(
  deps: Deps,
  { make, shown }: Pick<OpenExecutors, 'make' | 'shown'>,
  models: Pick<ChatControllerDeps, 'model' | 'titleModel' | 'summaryModel'>,
  signal: AbortSignal,
): ChatControllerDeps & { readonly activity: ActivityFiles; readonly events: PanelFrame['events'] } {
  const { base, notes, settings, t } = deps;
  const { storage, cache } = base;
  const { now } = clock;
  const end = watchPageEnd(signal);
  const events = new Listeners<[event: ToolChainEvent]>();
  const { store, ...window } = openChatStore({ storage, cache, now, end, signal });
  store.subscribe((ids) => base.journal.outdate(ids));
  return {
    executorFactory: make,
    onShown: shown,
    events: { subscribe: (listener) => events.add(listener) },
    onEvent: (event) => events.call(event),
    settings: () => settings.get(),
    readSettings: () => readSettings(settings),
    store,
    activity: lazyActivity({ ...window, storage, now, days: () => settings.get().activityDays, load: deps.loadActivity, signal }),
    assets: base.assets,
    pageStays: end.stays,
    onTurn: base.turns.begin,
    clock,
    newId,
    device: deviceId(),
    shown: shownChat,
    timeZone: timeZone(),
    ...models,
    summaries: deps.loadSummarize,
    loadAppendAnswer: deps.loadAppendAnswer,
    findFirst: createFindFirst(notes),
    notes: notes.notes,
    allNotebooks: base.allNotebooks,
    whyKeptBack: notes.whyKeptBack,
    history: notes.history,
    writes: chatWrites(base.journal),
    chatDocument: notes.chatDocument,
    labels: () => ({
      ...{ user: t('role.user'), assistant: t('role.assistant'), separator: t('role.separator'), summary: t('role.summary') },
      at: (time) => moment(time, t),
    }),
  };
}

/** The answering model, and the models to choose from. */
async function openModels(
  { settings, refresh, guests }: Pick<Deps, 'settings'> & { readonly refresh: () => void; readonly guests: GuestModels | undefined },
  load: Pick<ChatModelDeps, 'load' | 'loadMedia' | 'ledger'>,
  signal: AbortSignal,
) {
  const calls = callMemory(deviceCalls);
  const request = fetch.bind(window);
  const patient = createKernelClient({ baseUrl: '', fetch: request, timeoutMs: FORWARD_TIMEOUT_MS });
  const proxy = createProviderProxy({ fetch: request, forward: createForward(patient), onChange: refresh });
  const served = await probeServedModels(location.origin, hostAi(), request, signal);
  const parts = { settings, hostAi, served, guests };
  const model = createChatModel({ ...parts, proxy, today: clock.today, random, windows: deviceWindows, calls, ...load });
  const port = createModelsPort({
    ...{ settings, model, fetch: request, proxy, recent: recentModels, newId, calls },
    learnt: learntOfModels({ ...parts, calls, windows: deviceWindows }),
    sources: () => providerSources(parts),
    loadTest: lazyPart(async () => (await import('../model/test-connection.ts')).testConnection),
  });
  const ofChats = { model, titleModel: createTitleModel(parts, model), summaryModel: createSummaryModel(parts, model) };
  const named = (name: string) => modelNamed(parts, name);
  return { port, calls, named, ofChats, ofSpeech: { model, providers: () => speechProviders(port.providers()) } };
}

/** The kernel behind its two checks: rights and write path, which waits while the user is typing. */
function openHost(host: PanelHost, t: Translate, cards: () => EditorCards | undefined, signal: AbortSignal) {
  const policy = createAccessPolicy();
  const probe = createEditingProbe((ids, signal) => {
    // A write of a card is confirmed on the card; everything else in a dialog.
    const answer = cards()?.askWhileTyping(ids, signal);
    if (answer !== undefined) return { answer, modal: false };
    const question = { title: t('typing.title'), text: t('typing.text'), action: t('typing.write'), cancel: t('action.cancel') };
    return { answer: askUser(host, question, signal).then((yes) => (yes ? 'write' : 'cancel')), modal: true };
  });
  const waits = new KernelWaits();
  const base = createHostBase({
    client: createKernelClient({ baseUrl: '', fetch: fetch.bind(window), onRequest: waits.begin }),
    policy,
    clock,
    device: deviceId(),
  });
  const load = untilClosed(() => import('./notes-and-model.ts'), signal);
  const openOver = async (over: HostBase) => {
    const { createMarkdownEngine, createNotesHost, flashing } = await load();
    const made = createNotesHost({
      ...{ base: over, probe, random },
      engine: createMarkdownEngine(window.Lute),
      pushes: pushSource(host),
      session: `marginalia-${newId()}`,
      checkFormula: createFormulaCheck(host.siyuan.ProtyleMethod, signal),
    });
    signal.addEventListener('abort', () => made.close());
    return flashing(made, signal);
  };
  const makeNotes = lazyPart(() => openOver(base));
  const makeLedger = lazyPart(async () => (await load()).createLedger(ledgerOptions(base)));
  const loadModel: Pick<ChatModelDeps, 'load' | 'loadMedia' | 'ledger'> = {
    ledger: {
      underway: new Set(),
      ...lazyMethods<Omit<Ledger, 'underway'>>(makeLedger, { add: true, spent: true, report: true, startAnew: true }),
    },
    load: async (protocol) => (await load()).loadModel(protocol, () => window.siyuan.config),
    // Rarely needed: a separate file.
    loadMedia: untilClosed(async () => {
      const { createOpenAIMedia } = await import('../model/media/openai-media.ts');
      return (options) => createOpenAIMedia({ ...options, hostConfig: () => window.siyuan.config });
    }, signal),
  };
  // They will be needed soon, and nobody waits for them now; if they cannot be loaded, their user gets the error.
  const prepare = (more: () => Promise<void>): Promise<unknown> =>
    whenIdle().then(() => Promise.allSettled([makeNotes(), loadPages(), more()]));
  const loadSummarize = async (): Promise<Summarize> => (await load()).summarize;
  const loadActivity = async (): Promise<typeof createActivityFiles> => (await load()).createActivityFiles;
  const loadGroups = async () => (await load()).LATE_GROUPS;
  const lazy = {
    ...{ loadSummarize, loadActivity, loadGroups },
    loadAppendAnswer: async () => (await load()).appendAnswer,
    loadChoices: async () => (await load()).choices,
    loadRequests: async () => (await load()).handleEditorRequest,
    notesUnder: notesUnder(base, openOver),
  };
  return { policy, probe, base, waits, notes: lazyNotes(base, makeNotes), prepare, loadModel, lazy };
}

/** The cards of this window: created when the first is requested. */
interface LazyCards {
  readonly get: () => Promise<EditorCards>;
  readonly current: () => EditorCards | undefined;
}

function lazyCards(deps: EditorCardsDeps): LazyCards {
  let made: EditorCards | undefined;
  const load = untilClosed(() => import('./editor/editor-cards.ts'), deps.signal);
  const get = lazyPart(async () => {
    const { EditorCards } = await load();
    made = new EditorCards(deps);
    return made;
  });
  return { get, current: () => made };
}

/** The windows of a device are serialized; without locks each has files of its own. */
function ledgerOptions({ storage }: HostBase): LedgerOptions {
  const locks = pageLocks();
  return {
    storage: {
      read: (path) => storage.read(path),
      write: (path, text) => storage.write(path, text),
      list: async (folder) => (await storage.list(folder)).map(({ name }) => name),
    },
    device: deviceId(),
    now: clock.now,
    ...(locks ? { exclusive: (work) => locks.request('siyuan-marginalia:usage', work) } : { window: newId().slice(-10) }),
  };
}

/** The settings, published to the start script now and whenever they may have changed. */
function published(host: PanelHost, settings: SettingsStore, t: Translate): SettingsStore {
  announceSettings(settings, t, host.siyuan.showMessage);
  host.onSettings(settings.get());
  settings.subscribe((now) => host.onSettings(now));
  return settings;
}

/** Notes whose Undo continues across a reload; in the desktop app it undoes files too, and there are more groups of tools. */
async function withDesktop(notes: Notes, settings: SettingsStore, signal: AbortSignal) {
  const folders = (): readonly string[] => settings.get().folders;
  const desktop = await loadDesktop({ workspace: workspaceFolder(), folders, now: clock.now, kernel: location.origin });
  const history = desktop?.history(notes.history) ?? notes.history;
  const pageStays = watchPageEnd(signal).stays;
  return { notes: { ...notes, history: resumeHistory(history, { note: begunNote, pageStays, signal }) }, desktop };
}

interface AppDeps {
  readonly host: PanelHost;
  readonly t: Translate;
  readonly controller: ChatController;
  readonly settings: SettingsStore;
  readonly settingsPort: SettingsPort;
  readonly store: Pick<ChatControllerDeps['store'], 'changedOutside'>;
  readonly openCards: LazyCards;
  readonly drawn: ReturnType<typeof panelDrawer>;
  readonly features: Features;
  readonly handle: PanelApp['handle'];
  readonly notes: Pick<Notes, 'hands'>;
}

/** The running product for the start script. `close` ends its parts. */
function panelApp(deps: AppDeps, close: () => Promise<void>): PanelApp {
  const { host, t, controller, settings, settingsPort, store, openCards, drawn, features, handle, notes } = deps;
  return {
    mount: drawn.mount,
    async mountTab(type, element) {
      const draw = features.tab(type);
      if (!draw) throw new ToolError('not_found', `nothing draws tabs of the type ${type}`, 'close the tab');
      return draw(element);
    },
    handle: (request) => inWords(handle(request), t),
    command: (name) =>
      inWords(runCommand(name, { host, controller, cards: openCards.current(), panel: drawn.current, handle, features }), t),
    setRight: (notebook, right) => inWords(setRightAloud(host, settingsPort, t, notebook, right), t),
    async hear(early) {
      const hands = await notes.hands();
      for (const push of early.map(readTransactionsPush)) if (push) await hands.heard(push);
    },
    dataChanged() {
      store.changedOutside();
      inBackground(readSettings(settings));
    },
    async dispose() {
      openCards.current()?.dispose();
      await close();
    },
  };
}

type ExecutorParts = Pick<PanelEnvironment, 'base' | 'notes' | 'settings' | 'policy' | 'signal'> & { readonly started: PanelFeatures };

/** The tools of each chat, which follow what the notes contain. */
async function openExecutors({ base, notes, settings, policy, signal, started }: ExecutorParts) {
  const { forTools, look } = aboutNotes(notes, settings, policy, signal);
  const server = await meaningServerOf(base, signal);
  const shared = { base, notes, settings, meaningServer: () => server, ...forTools };
  return { executors: executorMaker({ ...shared, moreGroups: started.groups }), contents: forTools.contents, look };
}

/** Views are drawn once all groups of tools are there. */
function openFeatures(started: PanelFeatures, environment: Omit<PanelEnvironment, 'frame'>, frame: PanelFrame): Features {
  const { executors } = environment;
  return started.inPanel({ ...environment, frame: () => executors.join(started.late).then(() => frame) });
}

const loadViews = () => import('./pages.ts');

export async function startPanel(host: PanelHost): Promise<PanelApp> {
  const closing = new AbortController();
  const { signal } = closing;
  const t = createTranslate(host.plugin.i18n);
  pagesFrom(loadViews);
  let cards: LazyCards | undefined;
  const { policy, probe, base, waits, notes: hostNotes, prepare, loadModel, lazy } = openHost(host, t, () => cards?.current(), signal);
  const settings = published(host, await openSharedSettings({ storage: base.storage, secrets: deviceSecrets, now: clock.now, signal }), t);
  followRights(settings, policy);
  const { notes, desktop } = await withDesktop(hostNotes, settings, signal);
  const started = await startFeatures({
    ...{ base, settings, t, signal, notes: notes.notes, desktop, loadGroups: lazy.loadGroups },
    loadViews: async () => (await loadViews()).VIEWS,
    onGroups: (groups) => executors.follow(groups),
  });
  const { executors, contents, look } = await openExecutors({ base, notes, settings, policy, signal, started });
  const refresh = (): void => inBackground(controller.refresh());
  const models = await openModels({ settings, refresh, guests: started.models }, loadModel, signal);
  const deps = chatDeps({ host, base, notes, settings, t, ...lazy }, executors, models.ofChats, signal);
  deps.events.subscribe(({ type }) => type === 'turn-start' && started.wake());
  const controller = await createChatController(deps);
  for (const each of [settings, policy, executors]) each.subscribe(refresh);
  const handle: PanelApp['handle'] = async (request) => (await lazy.loadRequests())(requests, request);
  const hostUi = createHostUi({ host, base, waits, notes, today: clock.today, t, signal, ...lazy, ask: handle, controller });
  const common = { settings, executors, pending: new PendingList(), t, signal };
  const settingsPort = createSettingsPort({
    ...{ store: settings, policy, models: models.port, executor: executors.current, onNewTools: executors.subscribe, calls: models.calls },
    ...{ contents, notebooks: () => base.allNotebooks(signal) },
  });
  const openCards = lazyCards({
    ...{ host, controller, hostUi, settings: settingsPort, t, signal, domOf: base.routes.dom, madeCards: look },
    task: { ...deps, ...notes, executorFactory: executors.build, translateTo: () => settings.get().translateTo },
    openAccess: (notebook) => openAccess(host, notebook, () => drawn.current()),
  });
  cards = openCards;
  const speech = createSpeech({ settings, assets: base.assets, ...models.ofSpeech });
  const activity = createActivityPort({ files: deps.activity, history: notes.history, routes: base.routes, controller, signal });
  const environment = {
    ...{ ...common, host, chats: deps, base, policy, notes, notesUnder: lazy.notesUnder, desktop },
    ...{ modelNamed: models.named, ledger: loadModel.ledger },
  };
  const features = openFeatures(started, environment, { controller, host: hostUi, settings: settingsPort, activity, events: deps.events });
  const tidy = lazyPart(() => whenIdle().then(() => Promise.all([tidyChats(deps.store, clock.now()), look(), hostUi.written.outdated()])));
  const drawn = panelDrawer(
    { controller, host: hostUi, i18n: t, settings: settingsPort, speech, activity, features },
    {
      onDrawn: [() => prepare(() => executors.join(started.late).finally(started.wake)), () => whenIdle().then(features.load), tidy],
      onGone: () => deps.store.search.release(),
    },
  );
  const ofPanel = { host, hostUi, controller, notes, t, signal, clock, drawn, settings: settingsPort };
  const requests = { ...ofPanel, routes: base.routes, cards: openCards.get };
  signal.addEventListener('abort', () => probe.dispose());
  const close = (): Promise<void> => controller.dispose().finally(() => closing.abort());
  return panelApp({ host, t, controller, settings, settingsPort, store: deps.store, openCards, drawn, features, handle, notes }, close);
}
