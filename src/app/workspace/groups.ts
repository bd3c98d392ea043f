// Groups of tools that both programs have, one line each.
import { memoryGroup } from '../../features/memory/memory-group.ts';
import { skillsGroup } from '../../features/skills/open-skills.ts';
import type { OpenGroup } from './group-environment.ts';

export const GROUPS: readonly OpenGroup[] = [
  memoryGroup, //
  skillsGroup,
];
