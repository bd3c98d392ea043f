import type { NamedProject, Projects } from '../../chat/session/chat-project.ts';
import { projectNamed } from '../../chat/session/named-project.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { ServiceError } from '../contract/errors.ts';

/** A project by its name or id. Rejects with ServiceError if there is none, or more than one of the name. */
export async function askedProject(projects: Projects | undefined, wanted: string): Promise<NamedProject> {
  const all = (await projects?.list(NEVER)) ?? [];
  const project = projectNamed(all, wanted);
  if (project) return project;
  const names = all.map(({ id, name }) => `${JSON.stringify(name)} (${id})`).join(', ');
  const why = `there is no project ${JSON.stringify(wanted.slice(0, 80))}, or more than one`;
  throw new ServiceError(400, 'bad_project', why, names === '' ? 'make one in the panel' : `give the id of one of these: ${names}`);
}
