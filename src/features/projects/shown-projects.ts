import type { KernelRoutes } from '../../host/kernel/kernel-routes.ts';
import { isToolError } from '../../tools/contract/errors.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import { LEFT_PROJECT_ATTRIBUTE, PROJECT_ATTRIBUTE } from '../../tools/contract/saved-names.ts';
import { type ProjectSettings, readSettings } from './project.ts';
import type { ProjectProblem, ProjectsPort, ShownProject } from './projects-port.ts';
import { projectIds, readProject } from './read-project.ts';

interface Deps {
  readonly routes: Pick<KernelRoutes, 'sql' | 'flushIndex' | 'attributesOf' | 'setAttributes' | 'createDocument' | 'notebooks'>;
  readonly notes: Pick<NotesPort, 'document' | 'documents' | 'notebooks' | 'blockInfo'>;
  /** The note whose notes are skills; '' for none. */
  readonly skillsNote: () => string;
  /** Whether a model is set up. */
  readonly hasModel: (model: NonNullable<ProjectSettings['model']>) => boolean;
  /** Called when a project was changed. */
  readonly changed: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** What a person set for projects, and what of it is not there. */
export function shownProjects({ routes, notes, skillsNote, hasModel, changed, signal }: Deps): ProjectsPort {
  const skills: ProjectsPort['skills'] = async () => {
    const parent = skillsNote();
    if (parent === '') return [];
    const { documents } = await notes.documents({ parent, depth: 1, page: 1, pageSize: 30 }, signal);
    return documents.map(({ id, title }) => ({ id, name: title }));
  };
  const problemsOf = async (id: string, { model, skills: wanted = [] }: ProjectSettings): Promise<readonly ProjectProblem[]> => {
    const known = wanted.length === 0 ? [] : await skills().catch(() => []);
    const own: readonly (ProjectProblem | false | undefined)[] = [
      model && !hasModel(model) && 'model',
      wanted.some((skill) => !known.some((each) => each.id === skill)) && 'skill',
    ];
    const read = await readProject({ routes, notes }, id, signal).then(
      ({ gone }): ProjectProblem | false => gone > 0 && 'part',
      (error: unknown) => (isToolError(error) && error.code === 'project_empty' ? 'empty' : 'unreadable'),
    );
    return [read, ...own].filter((each) => typeof each === 'string');
  };
  const scopeOf = async ({ scope }: ProjectSettings): Promise<ShownProject['scope']> => {
    if (!scope) return undefined;
    const [books, titles] = await Promise.all([routes.notebooks(signal), routes.attributesOf(scope.notes, signal)]);
    const notebooks = books.filter(({ id }) => scope.notebooks.includes(id)).map(({ id, name }) => ({ id, name, isNotebook: true }));
    const documents = scope.notes.flatMap((id) => (titles[id]?.title ? [{ id, name: titles[id].title, isNotebook: false }] : []));
    return [...notebooks, ...documents];
  };
  const save: ProjectsPort['save'] = async (id, settings) => {
    const left = settings ? '' : (await routes.attributesOf([id], signal))[id]?.[PROJECT_ATTRIBUTE];
    const now = { [PROJECT_ATTRIBUTE]: settings ? JSON.stringify(settings) : '', [LEFT_PROJECT_ATTRIBUTE]: left ?? '' };
    await routes.setAttributes(id, now, signal);
    await changed();
  };
  return {
    skills,
    async list() {
      const ids = await projectIds({ routes }, signal);
      const attributes = await routes.attributesOf(ids, signal);
      const shown = ids.map(async (id): Promise<ShownProject> => {
        const { title = '', [PROJECT_ATTRIBUTE]: own, [LEFT_PROJECT_ATTRIBUTE]: kept } = attributes[id] ?? {};
        const settings = readSettings(own);
        if (!own) return { id, title, settings: readSettings(kept), problems: ['left'] };
        if (!settings) return { id, title, settings, problems: ['unreadable'] };
        return { id, title, settings, scope: await scopeOf(settings), problems: await problemsOf(id, settings) };
      });
      return (await Promise.all(shown)).filter(({ problems, settings }) => settings || !problems.includes('left'));
    },
    save,
    async make(notebook, title, settings) {
      const id = await routes.createDocument(notebook, `/${title.replaceAll('/', '∕')}`, signal);
      await save(id, settings);
      return id;
    },
  };
}
