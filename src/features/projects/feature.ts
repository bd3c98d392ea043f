import { whenIdle } from '../../app/host-ui.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import type { ChatProject } from '../../chat/session/chat-project.ts';
import { lazyMethods } from '../../tools/util/lazy.ts';
import { openProject } from './open-project.ts';
import { watchProject } from './panel/watch-project.ts';
import { PROJECTS, type ProjectsPort } from './projects-port.ts';

/** Instructions, a scope, a model, skills and a limit under a name, as a note: its chats keep to them. */
export const start: StartFeature = ({ base, settings, notes: { notes }, notesUnder, signal }) => {
  const { routes, policy, clock } = base;
  const opened = new Map<string, ChatProject>();
  const project = (id: string): ChatProject => {
    const read = async (stop: AbortSignal) => (await import('./read-project.ts')).readProject({ routes, notes }, id, stop);
    const made = opened.get(id) ?? openProject({ read, policy, notesUnder, prices: () => settings.get().prices, today: clock.today });
    opened.set(id, made);
    return made;
  };
  return {
    project,
    inPanel({ chats, show, frame, t }) {
      const load = async (): Promise<ProjectsPort> => {
        const { shownProjects } = await import('./shown-projects.ts');
        const hasModel = (model: Parameters<typeof chats.model>[1]) => chats.model({ purpose: 'answer' }, model).status.kind !== 'missing';
        return shownProjects({ routes, notes, hasModel, skillsNote: () => settings.get().skills.note, signal });
      };
      const page = 'projects';
      const port = lazyMethods<ProjectsPort>(load, { list: true, save: true, make: true, skills: true });
      return {
        ...{ name: PROJECTS.name, port },
        pages: [{ name: page, title: 'projects.title', menu: { icon: 'iconMarginaliaNotebook', part: 'chats' } }],
        helps: [{ codes: ['project_gone', 'project_empty'], label: 'projects.title', page }],
        watch: (listener) => watchProject({ frame: () => whenIdle().then(frame), port, t }, listener),
        requests: { 'make-project': ({ ids }) => show({ page, ids }) },
      };
    },
  };
};
