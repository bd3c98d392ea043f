import type { GroupEnvironment, OpenGroup } from '../../app/workspace/group-environment.ts';
import type { PluginStorage } from '../../host/kernel/storage.ts';
import { type SkillFiles, Skills } from './skills.ts';
import { createSkillsGroup } from './skills-group.ts';

/** Files of SiYuan's own agent in the workspace's `data` folder. */
const skillFiles = ({ read, list }: Pick<PluginStorage, 'read' | 'list'>): SkillFiles => ({
  read,
  folders: async (path) => (await list(path)).flatMap(({ name, isDir }) => (isDir ? [name] : [])),
});

type SkillEnvironment = Pick<GroupEnvironment, 'notes' | 'ownNotes' | 'onlySkills' | 'settings' | 'data'>;

export const openSkills = ({ notes, ownNotes = notes, onlySkills, settings, data }: SkillEnvironment): Skills =>
  new Skills({ notes: ownNotes, choices: () => ({ ...settings.get().skills, only: onlySkills?.() }), files: skillFiles(data) });

export const skillsGroup: OpenGroup = (environment) => createSkillsGroup(openSkills(environment));
