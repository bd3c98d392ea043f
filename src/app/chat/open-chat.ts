import type { ActivityFiles, createActivityFiles } from '../../chat/activity/activity-files.ts';
import type { ChatControllerDeps } from '../../chat/controller/controller-deps.ts';
import type { Projects } from '../../chat/session/chat-project.ts';
import type { HostBase } from '../../host/host-base.ts';
import { chatWrites } from '../../host/journal/undo-state.ts';
import type { SettingsStore } from '../../host/settings/settings.ts';
import type { ToolChainEvent } from '../../tools/contract/events.ts';
import { Listeners } from '../../tools/util/notify.ts';
import { openChatStore } from '../chat-store.ts';
import { deviceId, newId, shownChat } from '../device-storage.ts';
import { lazyActivity } from '../lazy-activity.ts';
import type { Notes } from '../lazy-notes.ts';
import type { OpenExecutors } from '../open-executors.ts';
import { watchPageEnd } from '../page-end.ts';
import type { PanelFrame } from '../panel-environment.ts';
import { readSettings } from '../shared-settings.ts';
import { createFindFirst } from '../workspace/search-first.ts';
import { systemClock as clock, timeZone } from '../workspace/system-clock.ts';

interface Deps {
  readonly base: HostBase;
  readonly notes: Notes;
  readonly settings: SettingsStore;
  readonly extensions: ChatControllerDeps['extensions'];
  readonly projects: Projects | undefined;
  readonly loadActivity: () => Promise<typeof createActivityFiles>;
  readonly loadSummarize: ChatControllerDeps['summaries'];
}

/** What the open chat needs; editor tasks share it, since there must be only one store. */
export function chatDeps(
  deps: Deps,
  { make, shown }: Pick<OpenExecutors, 'make' | 'shown'>,
  models: Pick<ChatControllerDeps, 'model' | 'titleModel' | 'summaryModel'>,
  signal: AbortSignal,
): ChatControllerDeps & { readonly activity: ActivityFiles; readonly events: PanelFrame['events'] } {
  const { base, notes, settings, extensions, projects } = deps;
  const { storage, cache } = base;
  const { now } = clock;
  const end = watchPageEnd(signal);
  const events = new Listeners<[event: ToolChainEvent]>();
  const { store, ...window } = openChatStore({ storage, cache, now, end, signal });
  store.subscribe((ids) => base.journal.outdate(ids));
  return {
    extensions,
    project: projects?.of,
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
    findFirst: createFindFirst(notes),
    notes: notes.notes,
    allNotebooks: base.allNotebooks,
    history: notes.history,
    writes: chatWrites(base.journal),
  };
}
