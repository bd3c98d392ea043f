import type { PanelFrame } from '../../../app/panel-environment.ts';
import { inBackground, type Listeners } from '../../../tools/util/notify.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import type { Waiting } from '../../../ui/state/features.ts';
import type { ProjectsPort } from '../projects-port.ts';

interface WatchDeps {
  readonly frame: () => Promise<{ readonly controller: Pick<PanelFrame['controller'], 'view' | 'subscribe'> }>;
  readonly port: Pick<ProjectsPort, 'list'>;
  /** Of projects, by the person. */
  readonly changes: Pick<Listeners<[]>, 'add'>;
  readonly t: Translate;
}

/** Says of a chat of a project, when it is opened, after each answer and when a project is changed, what it keeps to. Nothing is loaded for others. */
export function watchProject({ frame, port, changes, t }: WatchDeps, listener: (said: Waiting | undefined) => void): () => void {
  let stop = (): void => undefined;
  let ended = false;
  let asked = '';
  let looks = 0;
  const begin = async (): Promise<void> => {
    const { controller } = await frame();
    const look = async ({ project, sessionId, running } = controller.view()): Promise<void> => {
      const now = project === undefined ? '' : `${project} ${sessionId} ${running}`;
      if (now === asked) return;
      asked = now;
      looks += 1;
      const mine = looks;
      if (project === undefined) return listener(undefined);
      const { saidOf } = await import('../view/project-words.ts');
      const said = saidOf(project, await port.list().catch(() => []), t);
      // One that began before a change may end after it.
      if (mine === looks && !ended) listener({ label: said, page: 'projects', show: t('projects.title') });
    };
    if (ended) return;
    const stops = [
      controller.subscribe((view) => inBackground(look(view))),
      changes.add(() => {
        asked = '';
        inBackground(look());
      }),
    ];
    stop = () => {
      for (const each of stops) each();
    };
    await look();
  };
  inBackground(begin());
  return () => {
    ended = true;
    stop();
  };
}
