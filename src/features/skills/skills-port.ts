import type { Skill } from './skills.ts';

/** The user's own skills. Rejects with ToolError. */
export interface SkillsPort {
  own(): Promise<readonly Skill[]>;
}

export const SKILLS: { readonly name: string; readonly type?: SkillsPort } = { name: 'skills' };
