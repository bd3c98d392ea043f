import { type NotebookLevels, narrowedPolicy } from '../../app/workspace/narrowed-policy.ts';
import { createFindFirst } from '../../app/workspace/search-first.ts';
import type { ChatProject, Projects } from '../../chat/session/chat-project.ts';
import type { AccessPolicy } from '../../host/access/access-policy.ts';
import type { BudgetDeps } from '../../model/budget/budgeted-model.ts';
import { limitedTurn } from '../../model/budget/turn-limit.ts';
import { isToolError } from '../../tools/contract/errors.ts';
import type { ProjectNow, ReadProjectDeps } from './read-project.ts';

interface ProjectDeps extends Pick<BudgetDeps, 'prices' | 'today'> {
  readonly read: (signal: AbortSignal) => Promise<ProjectNow>;
  readonly policy: AccessPolicy;
  readonly notesUnder: (policy: AccessPolicy) => Pick<ChatProject, 'notes' | 'rights'>;
}

/** The notes of a project's chats: what the settings allow, and of that what the project allows as it was read last. */
export function openProject({ read, policy, notesUnder, prices, today }: ProjectDeps): ChatProject {
  let now: ProjectNow | undefined;
  let scope: ChatProject['scope'];
  const within = (): ProjectNow['within'] => (now ? now.within : {});
  const { notes, rights } = notesUnder({ ...narrowedPolicy(policy, () => now?.levels ?? {}), within });
  return {
    notes,
    rights,
    findFirst: createFindFirst({ notes, rights }),
    get instructions() {
      return now?.instructions ?? '';
    },
    get scope() {
      return scope;
    },
    get skills() {
      return now?.settings.skills;
    },
    async read(signal) {
      try {
        now = await read(signal);
        scope = await notes.notebooks(signal);
      } catch (error) {
        if (!isToolError(error) || error.code !== 'aborted') {
          now = undefined;
          scope = [];
        }
        throw error;
      }
    },
    budgeted: (model) => {
      const limit = () => ({ tokens: now?.settings.tokens });
      return limitedTurn(model, limit, { prices, today, use: { purpose: 'answer' } });
    },
  };
}

type ProjectsDeps = Omit<ProjectDeps, 'read'> & Omit<ReadProjectDeps, 'scoped'>;

/** All projects of a workspace; each is opened once for the same rights. */
export function openProjects({ routes, notes, ...deps }: ProjectsDeps): Projects {
  const opened = new Map<string, ChatProject>();
  const load = () => import('./read-project.ts');
  const open = (id: string, levels: NotebookLevels | undefined): ChatProject => {
    const policy = levels ? narrowedPolicy(deps.policy, levels) : deps.policy;
    // Nothing is named of it that whoever keeps to it may not read.
    const scoped = levels && deps.notesUnder(policy).notes;
    return openProject({ ...deps, policy, read: async (stop) => (await load()).readProject({ routes, notes, scoped }, id, stop) });
  };
  return {
    of(id, levels) {
      const key = JSON.stringify([id, levels]);
      const made = opened.get(key) ?? open(id, levels);
      opened.set(key, made);
      return made;
    },
    list: async (signal) => (await load()).namedProjects({ routes, notes }, signal),
  };
}
