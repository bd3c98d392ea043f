import type { ChatProject } from '../../chat/session/chat-project.ts';
import type { PluginStorage } from '../../host/kernel/storage.ts';
import type { SettingsStore } from '../../host/settings/settings.ts';
import type { Settings } from '../../host/settings/settings-format.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import type { Tool, ToolGroup } from '../../tools/contract/types.ts';
import type { Translate } from '../../tools/plan-words/i18n.ts';

/** What groups of features are made of, in a program with a screen and in one without. */
export interface GroupEnvironment {
  readonly notes: NotesPort;
  /** Where what the person wrote for models is read, also in a chat that keeps to other notes. Default: `notes`. */
  readonly ownNotes?: NotesPort | undefined;
  /** The only skills that are offered; default: all that are on. */
  readonly onlySkills?: (() => readonly string[] | undefined) | undefined;
  /** Without `update` in a program that only reads them. */
  readonly settings: Pick<SettingsStore, 'get' | 'searchKey'> & Partial<Pick<SettingsStore, 'update'>>;
  /** The `data` folder of the workspace. */
  readonly data: Pick<PluginStorage, 'read' | 'list'>;
  /** Absent in a program without a screen. */
  readonly t?: Translate;
  /** Tools that this computer adds to a group; none in a browser. */
  readonly toolsFor?: (group: string) => readonly Tool[];
}

/** For a chat of a project, which keeps to its notes and skills. */
export const environmentOf = (environment: GroupEnvironment, project: ChatProject | undefined): GroupEnvironment =>
  project ? { ...environment, notes: project.notes, ownNotes: environment.notes, onlySkills: () => project.skills } : environment;

export type OpenGroup = (environment: GroupEnvironment) => ToolGroup;

/** A group that the panel opens without. */
export interface LateGroup {
  readonly name: string;
  /** Default: wherever it is on. */
  readonly isOfUse?: (settings: Settings) => boolean;
}
