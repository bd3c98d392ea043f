import { whenIdle } from '../../app/host-ui.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import { lazyMethods } from '../../tools/util/lazy.ts';
import { Listeners } from '../../tools/util/notify.ts';
import { openProjects } from './open-project.ts';
import { watchProject } from './panel/watch-project.ts';
import { PROJECTS, type ProjectsPort } from './projects-port.ts';

/** Instructions, a scope, a model, skills and a limit under a name, as a note: its chats keep to them. */
export const start: StartFeature = ({ base, settings, notes: { notes }, notesUnder, signal }) => {
  const { routes, policy, clock } = base;
  const projects = openProjects({ routes, notes, policy, notesUnder, prices: () => settings.get().prices, today: clock.today });
  return {
    projects,
    inPanel({ chats, show, frame, t }) {
      const changes = new Listeners<[]>();
      const changed = async () => {
        await (await frame()).controller.refresh();
        changes.call();
      };
      const load = async (): Promise<ProjectsPort> => {
        const { shownProjects } = await import('./shown-projects.ts');
        const hasModel = (model: Parameters<typeof chats.model>[1]) => chats.model({ purpose: 'answer' }, model).status.kind !== 'missing';
        return shownProjects({ routes, notes, hasModel, changed, skillsNote: () => settings.get().skills.note, signal });
      };
      const page = 'projects';
      let listing: ReturnType<typeof projects.list> | undefined;
      const port = lazyMethods<ProjectsPort>(load, { list: true, save: true, make: true, skills: true });
      return {
        ...{ name: PROJECTS.name, port },
        pages: [{ name: page, title: 'projects.title', menu: { icon: 'iconMarginaliaNotebook', part: 'chats' } }],
        // Each row of a list asks.
        projects: () => (listing ??= projects.list(signal).finally(() => (listing = undefined))),
        helps: [{ codes: ['project_gone', 'project_left', 'project_empty', 'project_other'], label: 'projects.title', page }],
        watch: (listener) => watchProject({ frame: () => whenIdle().then(frame), port, changes, t }, listener),
        requests: { 'make-project': ({ ids }) => show({ page, ids }) },
      };
    },
  };
};
