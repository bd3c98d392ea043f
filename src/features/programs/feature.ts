import { capabilityOffer } from '../../app/capability-offer.ts';
import { programsHere } from '../../app/device-storage.ts';
import { hasNode } from '../../app/groups/lazy-desktop.ts';
import { whenIdle } from '../../app/host-ui.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';
import { lazyMethods } from '../../tools/util/lazy.ts';
import { PROGRAM_METHODS, PROGRAMS, type ProgramsPort, type WatchedPrograms } from './programs-port.ts';
import { pendingLabel } from './view/pending-label.ts';

/** Other programs in the notes: through the desktop app, the service, or SiYuan's own agent. */
export const start: StartFeature = () => ({
  inPanel(app) {
    const { host, t, signal } = app;
    const { activity, clock, newId } = app.chats;
    const parts = { ...app, activity, clock, newId, plugin: host.plugin };
    const load = untilClosed(async () => (await import('./panel/panel-pending.ts')).programsOf(parts), signal);
    // SiYuan's agent gets its tools though nobody looks at the panel; what cannot be loaded now is tried again when it is drawn.
    void whenIdle()
      .then(load)
      .catch(() => undefined);
    const watch: WatchedPrograms['watch'] = (listener) => {
      const gone = new AbortController();
      const begin = async (): Promise<void> => {
        const programs = await load();
        if (!gone.signal.aborted) gone.signal.addEventListener('abort', programs.watch(listener));
      };
      void begin().catch(() => undefined);
      return () => gone.abort();
    };
    const calls = { ...parts, notes: app.notes.notes, executor: app.executors.build, chat: app.executors.current };
    const door = untilClosed(async () => (await import('./panel/app-calls.ts')).doorOfApp({ ...calls, signal }), signal);
    if (hasNode() && programsHere.isOn())
      void whenIdle()
        .then(door)
        .catch(() => undefined);
    const port: WatchedPrograms = {
      ...lazyMethods<ProgramsPort>(load, PROGRAM_METHODS),
      ...{ watch, hasAgent: capabilityOffer(host.plugin) !== undefined, app: hasNode() ? door : undefined },
    };
    const page = 'programs';
    return {
      ...{ name: PROGRAMS.name, port, pages: [{ name: page, title: 'programs.title' }] },
      watch: (listener) => watch(([first]) => listener(first && { label: pendingLabel(first, t), page })),
    };
  },
});
