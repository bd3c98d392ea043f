import type { GroupEnvironment, OpenGroup } from '../../app/workspace/group-environment.ts';
import { skillFiles } from './skill-files.ts';
import { Skills } from './skills.ts';
import { createSkillsGroup } from './skills-group.ts';

export const openSkills = ({ notes, settings, data }: Pick<GroupEnvironment, 'notes' | 'settings' | 'data'>): Skills =>
  new Skills({ notes, choices: () => settings.get().skills, files: skillFiles(data) });

export const skillsGroup: OpenGroup = (environment) => createSkillsGroup(openSkills(environment));
