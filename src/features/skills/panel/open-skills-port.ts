import type { PanelEnvironment } from '../../../app/panel-environment.ts';
import { lazyPart } from '../../../tools/util/lazy.ts';
import type { SkillsPort } from '../skills-port.ts';

/** Loaded when the settings list them. */
export function openSkillsPort({ notes: { notes }, settings, base: { data }, signal }: PanelEnvironment): SkillsPort {
  const skills = lazyPart(async () => (await import('../open-skills.ts')).openSkills({ notes, settings, data }));
  return { own: async () => (await skills()).list(signal) };
}
