// The entry of the panel's chunk: joins host, models, tools, chat and panel by hand. Nothing here is a singleton; SiYuan's start
// script makes one PanelApp for the life of the plugin. What the first opening does without is imported where it is needed, and so is a
// file of its own in the built plugin (docs/decisions.md, "What is loaded when").
import { createChatController } from '../chat/controller/chat-controller.ts';
import { tidyChats } from '../chat/controller/start-chats.ts';
import { notesNow } from '../chat/session/chat-project.ts';
import { onNotebooks } from '../host/kernel/transaction-log.ts';
import { PendingList } from '../tools/calls/pending.ts';
import { lazyPart } from '../tools/util/lazy.ts';
import { inBackground } from '../tools/util/notify.ts';
import { pagesFrom } from '../ui/panel/lazy-pages.ts';
import { createTranslate } from '../ui/ports/i18n.ts';
import { createActivityPort } from './activity-port.ts';
import { chatDeps } from './chat/open-chat.ts';
import { openHost, withDesktop } from './host/open-host.ts';
import { createHostUi, whenIdle } from './host-ui.ts';
import { openModels } from './models/open-models.ts';
import { createSpeech } from './models/speech.ts';
import { openExecutors } from './open-executors.ts';
import { panelApp } from './panel-app.ts';
import { panelDrawer } from './panel-drawer.ts';
import type { PanelEnvironment, PanelFrame } from './panel-environment.ts';
import type { PanelApp, PanelHost } from './panel-host.ts';
import { openPanelSettings } from './panel-settings.ts';
import { createSettingsPort } from './settings-adapter.ts';
import { type PanelFeatures, startFeatures } from './start-features.ts';
import { meaningServerOf } from './workspace/chat-executor.ts';

/** Views are drawn once all groups of tools are there. */
function openFeatures(started: PanelFeatures, environment: Omit<PanelEnvironment, 'frame'>, frame: PanelFrame) {
  const { executors } = environment;
  return started.inPanel({ ...environment, frame: () => executors.join(started.late).then(() => frame) });
}

const loadViews = () => import('./pages.ts');

export async function startPanel(host: PanelHost): Promise<PanelApp> {
  const [ended, closing] = [new AbortController(), new AbortController()];
  const { signal } = closing;
  const t = createTranslate(host.plugin.i18n);
  pagesFrom(loadViews);
  const { policy, probe, base, pushes, waits, notes: hostNotes, prepare, loadModel, lazy } = openHost(host, t, signal);
  const server = meaningServerOf(base, signal);
  const settings = await openPanelSettings({ host, base, policy, t, signal });
  const { notes, desktop } = await withDesktop(hostNotes, settings, signal);
  const started = await startFeatures({
    ...{ base, settings, t, signal, notes, desktop, loadGroups: lazy.loadGroups, notesUnder: lazy.notesUnder },
    loadViews: async () => (await loadViews()).VIEWS,
    onGroups: (groups) => executors.follow(groups),
  });
  const { groups: moreGroups, letsThrough, projects } = started;
  const opened = await openExecutors({ base, notes, settings, policy, pushes, signal, server, moreGroups, letsThrough });
  const { executors, contents, look, readServer } = opened;
  const refresh = (): void => inBackground(controller.refresh());
  const models = await openModels({ settings, refresh, guests: started.models }, loadModel, signal);
  const deps = chatDeps({ base, notes, settings, extensions: started.chats, projects, ...lazy }, executors, models.ofChats, signal);
  deps.events.subscribe(({ type }) => type === 'turn-start' && started.wake());
  const controller = await createChatController(deps);
  for (const each of [settings, policy, executors]) each.subscribe(refresh);
  const isNotebook = (id: string): boolean => controller.view().notebooks.some((notebook) => notebook.id === id);
  signal.addEventListener('abort', onNotebooks(pushes, isNotebook, refresh));
  const ofEditor = { host, controller, notes, routes: base.routes, t, signal };
  const attach: PanelEnvironment['attach'] = async (...request) => (await lazy.loadEditor()).attachRequest(ofEditor, ...request);
  const noteOf: PanelEnvironment['noteOf'] = async (id) => (await lazy.loadEditor()).noteOf(ofEditor, id);
  const handle: PanelApp['handle'] = async (request) => void (await (requestOf(request.action) ?? attach)(request));
  const projectNotes = (goesOn: boolean) => notesNow(controller.view().project, projects, signal, goesOn);
  const hostUi = createHostUi({ host, base, waits, notes, projectNotes, readServer, today: deps.clock.today, t, signal, ...lazy });
  const common = { settings, executors, pending: new PendingList(), t, signal };
  const settingsPort = createSettingsPort({
    ...{ store: settings, policy, models: models.port, executor: executors.current, onNewTools: executors.subscribe, calls: models.calls },
    ...{ contents, notebooks: () => base.allNotebooks(signal) },
  });
  const speech = createSpeech({ settings, assets: base.assets, ...models.ofSpeech });
  const activity = createActivityPort({ files: deps.activity, history: notes.history, routes: base.routes, controller, signal });
  const environment = {
    ...{ ...common, host, chats: deps, base, policy, notes, notesUnder: lazy.notesUnder, desktop, projects },
    ...{ modelNamed: models.named, ledger: loadModel.ledger, handle, attach, noteOf, look, typing: probe, ending: ended.signal },
    show: (place) => host.openPanel('command').then(() => drawn.current()?.show(place)),
  } satisfies Omit<PanelEnvironment, 'frame'>;
  const frame = { controller, host: hostUi, settings: settingsPort, activity, events: deps.events };
  const { features, requestOf } = openFeatures(started, environment, frame);
  const tidy = lazyPart(() => whenIdle().then(() => Promise.all([tidyChats(deps.store, deps.clock.now()), look()])));
  const drawn = panelDrawer(
    { controller, host: hostUi, i18n: t, settings: settingsPort, speech, activity, features },
    {
      onDrawn: [() => prepare(() => executors.join(started.late).finally(started.wake)), () => whenIdle().then(features.load), tidy],
      onGone: () => deps.store.search.release(),
    },
  );
  const close = (): Promise<void> => {
    ended.abort();
    return controller.dispose().finally(() => closing.abort());
  };
  return panelApp({ host, t, controller, settings, settingsPort, store: deps.store, drawn, features, handle, notes }, close);
}
