import type { StartFeature } from '../../app/panel-feature.ts';
import { programsOf } from './panel/panel-pending.ts';
import { PROGRAMS } from './programs-port.ts';
import { pendingLabel } from './view/pending-label.ts';

/** Other programs in the notes: through the service, or SiYuan's own agent. */
export const start: StartFeature = () => ({
  inPanel(app) {
    const { chats, host, t } = app;
    const page = 'programs';
    const programs = programsOf({ ...app, ...chats, executors: app.executors, settings: app.settings, plugin: host.plugin });
    return {
      name: PROGRAMS.name,
      port: programs,
      pages: [{ name: page, title: 'programs.title' }],
      watch: (listener) => programs.watch(([first]) => listener(first && { label: pendingLabel(first, t), page })),
    };
  },
});
