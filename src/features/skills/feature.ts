import type { StartFeature } from '../../app/panel-feature.ts';
import type { Help } from '../../ui/state/features.ts';
import { openSkillsPort } from './panel/open-skills-port.ts';
import { SKILLS } from './skills-port.ts';
import { skillActions } from './view/make-skill.ts';

export const HELPS: readonly Help[] = [{ part: 'skills', setUp: { read_skill: 'tools.setUp.read_skill' } }];

/** Instructions of the user for certain tasks. On for everybody, but of use only with a note that holds them, or a file that was switched on. */
export const start: StartFeature = () => ({
  lateGroups: [{ name: SKILLS.name, isOfUse: ({ skills: { note, on } }) => note !== '' || Object.values(on).includes(true) }],
  inPanel: (app) => ({ name: SKILLS.name, port: openSkillsPort(app), actions: skillActions, helps: HELPS }),
});
