import type { MessageKey, Translate } from '../../../ui/ports/i18n.ts';
import type { ProjectProblem, ShownProject } from '../projects-port.ts';

export const PROBLEMS = {
  left: 'projects.left',
  unreadable: 'projects.unreadable',
  empty: 'projects.empty',
  part: 'projects.part',
  model: 'projects.modelGone',
  skill: 'projects.skillGone',
} as const satisfies Record<ProjectProblem, MessageKey>;

/** Its chats would not be answered. */
export const isRefused = ({ problems }: Pick<ShownProject, 'problems'>): boolean =>
  problems.some((problem) => problem === 'left' || problem === 'unreadable' || problem === 'empty');

export const isLeft = ({ problems }: Pick<ShownProject, 'problems'>): boolean => problems.includes('left');

export function scopeWords({ scope }: Pick<ShownProject, 'scope'>, t: Translate): string {
  if (!scope) return t('projects.everything');
  return t('projects.keeps', { names: scope.map(({ name }) => name).join(', ') });
}

/** Of a chat of a project: its name, what it keeps to, and what is wrong with it. */
export function saidOf(project: string, list: readonly ShownProject[], t: Translate): string {
  const found = list.find(({ id }) => id === project);
  if (!found) return t('projects.unreadable');
  const [problem] = found.problems;
  return t('projects.of', { name: found.title, words: problem ? t(PROBLEMS[problem]) : scopeWords(found, t) });
}
