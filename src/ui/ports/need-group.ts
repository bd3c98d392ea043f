import type { SettingsPort } from './settings-port.ts';

type Groups = Pick<SettingsPort, 'tools' | 'setGroup'>;

/** Whether the person switched a group off: what needs its tools is then not offered. */
export const isSwitchedOff = (settings: Pick<Groups, 'tools'>, name: string): boolean =>
  settings.tools().some(({ group, enabled, follows }) => group === name && !enabled && follows === undefined);

/** Switches on a group that is off because the notes contain nothing for it yet: the person asks for what its tools do. */
export async function needGroup(settings: Groups, name: string): Promise<void> {
  if (settings.tools().some(({ group, enabled, follows }) => group === name && !enabled && follows !== undefined))
    await settings.setGroup(name, true);
}
