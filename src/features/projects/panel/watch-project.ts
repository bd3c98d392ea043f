import type { PanelFrame } from '../../../app/panel-environment.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import type { Waiting } from '../../../ui/state/features.ts';
import type { ProjectsPort } from '../projects-port.ts';

interface WatchDeps {
  readonly frame: () => Promise<Pick<PanelFrame, 'controller'>>;
  readonly port: Pick<ProjectsPort, 'list'>;
  readonly t: Translate;
}

/** Says of a chat of a project, when it is opened and after each answer, what it keeps to. Nothing is loaded for others. */
export function watchProject({ frame, port, t }: WatchDeps, listener: (said: Waiting | undefined) => void): () => void {
  let stop = (): void => undefined;
  let ended = false;
  let asked = '';
  const begin = async (): Promise<void> => {
    const { controller } = await frame();
    const look = async ({ project, sessionId, running } = controller.view()): Promise<void> => {
      const now = project === undefined ? '' : `${project} ${sessionId} ${running}`;
      if (now === asked) return;
      asked = now;
      if (project === undefined) return listener(undefined);
      const { saidOf } = await import('../view/project-words.ts');
      const said = saidOf(project, await port.list().catch(() => []), t);
      if (now === asked && !ended) listener({ label: said, page: 'projects' });
    };
    if (ended) return;
    stop = controller.subscribe((view) => inBackground(look(view)));
    await look();
  };
  inBackground(begin());
  return () => {
    ended = true;
    stop();
  };
}
