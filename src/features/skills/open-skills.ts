import type { GroupEnvironment, OpenGroup } from '../../app/workspace/group-environment.ts';
import type { PluginStorage } from '../../host/kernel/storage.ts';
import { type SkillFiles, Skills } from './skills.ts';
import { createSkillsGroup } from './skills-group.ts';

/** Files of SiYuan's own agent in the workspace's `data` folder. */
const skillFiles = ({ read, list }: Pick<PluginStorage, 'read' | 'list'>): SkillFiles => ({
  read,
  folders: async (path) => (await list(path)).flatMap(({ name, isDir }) => (isDir ? [name] : [])),
});

export const openSkills = ({ notes, settings, data }: Pick<GroupEnvironment, 'notes' | 'settings' | 'data'>): Skills =>
  new Skills({ notes, choices: () => settings.get().skills, files: skillFiles(data) });

export const skillsGroup: OpenGroup = (environment) => createSkillsGroup(openSkills(environment));
