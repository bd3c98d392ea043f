/** By the id of a skill; `*` for those that are not listed. */
export type SkillSwitches = Readonly<Record<string, boolean>>;

export function isSkillOn(switches: SkillSwitches, id: string, otherwise: boolean): boolean {
  return switches[id] ?? switches['*'] ?? otherwise;
}
