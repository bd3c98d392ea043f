import { createMemoryGroup } from '../../features/memory/memory.ts';
import type { PluginStorage } from '../../host/kernel/storage.ts';
import type { SettingsStore } from '../../host/settings/settings.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import type { Tool, ToolGroup } from '../../tools/contract/types.ts';
import { Skills } from '../../tools/groups/skills/skills.ts';
import { createSkillsGroup } from '../../tools/groups/skills/skills-group.ts';
import { createWebGroup } from '../../tools/groups/web/web.ts';
import { testWebSearch } from '../../tools/groups/web/web-search.ts';
import type { ChatExecutorDeps } from '../workspace/chat-executor.ts';
import { skillFiles } from '../workspace/skill-files.ts';
import { createPanelSearch } from './web-search.ts';

export interface GroupsBeyondNotes {
  readonly make: NonNullable<ChatExecutorDeps['moreGroups']>;
  readonly skills: Skills;
  /** Rejects with ToolError like web_search. */
  readonly testSearch: (signal: AbortSignal) => Promise<void>;
}

export interface GroupsDeps {
  readonly settings: SettingsStore;
  readonly notes: NotesPort;
  /** The `data` folder of the workspace. */
  readonly data: Pick<PluginStorage, 'read' | 'list'>;
  /** In the desktop app: groups that need the computer, and web_fetch. */
  readonly desktop?: { readonly groups: () => readonly ToolGroup[]; readonly fetchPage: Tool } | undefined;
  /** The title of a new note for the memory. */
  readonly memoryTitle: string;
}

/** Groups that reach beyond notes, or that few people use: a separate file. */
export function createGroupsBeyondNotes({ settings, notes, data, memoryTitle, desktop }: GroupsDeps): GroupsBeyondNotes {
  const search = createPanelSearch(settings);
  const home = {
    get: () => settings.get().memory,
    title: memoryTitle,
    made: (document: string) => settings.update((now) => ({ memory: { ...now.memory, document } })),
  };
  const skills = new Skills({ notes, choices: () => settings.get().skills, files: skillFiles(data) });
  return {
    skills,
    make: () => [createWebGroup(search, desktop?.fetchPage), createMemoryGroup(notes, home), createSkillsGroup(skills)],
    testSearch: (signal) => testWebSearch(search, signal),
  };
}
