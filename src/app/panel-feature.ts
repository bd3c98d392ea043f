import type { ChatExtension } from '../chat/controller/controller-deps.ts';
import type { Projects } from '../chat/session/chat-project.ts';
import type { AccessPolicy } from '../host/access/access-policy.ts';
import type { HostBase } from '../host/host-base.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import type { ToolGroup } from '../tools/contract/types.ts';
import type { LetsThrough } from '../tools/executor/ran-tools.ts';
import type { Translate } from '../ui/ports/i18n.ts';
import type { PanelFeature } from '../ui/state/features.ts';
import type { Notes } from './lazy-notes.ts';
import type { PanelEnvironment } from './panel-environment.ts';
import type { EditorRequest } from './panel-host.ts';
import type { GuestModels } from './workspace/chat-model.ts';
import type { LateGroup } from './workspace/group-environment.ts';

/** The panel before its models and tools are there. */
export interface PanelStart {
  readonly base: HostBase;
  readonly settings: SettingsStore;
  readonly notes: Notes;
  /** The same notes under other rights. */
  readonly notesUnder: (policy: AccessPolicy) => Notes;
  readonly t: Translate;
  readonly signal: AbortSignal;
  /** To be called when `groups` gives others. */
  readonly groupsChanged: () => void;
}

/** What a feature adds to the panel. What is absent, it does without. */
interface StartedFeature {
  /** More models to answer with. */
  readonly models?: GuestModels | undefined;
  /** Groups that the first request waits for where they are on; their tools are in the list of late groups. */
  readonly lateGroups?: readonly LateGroup[];
  /** Groups that come and go. */
  readonly groups?: () => readonly ToolGroup[];
  /** Tells if a change of a chat's own model needs no question. */
  readonly letsThrough?: LetsThrough;
  /** What chats, orders and programs can be given. */
  readonly projects?: Projects;
  /** What it does with the chats of the panel. */
  readonly chats?: ChatExtension;
  /** Called when a turn begins, and when the panel was drawn. Nobody waits for it. */
  readonly wake?: () => void;
  /** What it adds to the frame; undefined where it is not there, as in a browser. */
  readonly inPanel?: (app: PanelEnvironment) => OpenFeature | undefined;
}

/** What a feature adds to the running panel. */
export interface OpenFeature extends PanelFeature {
  /** What it does at requests of the editor, by their actions, or by what is before the colon of one. They reject with ToolError or SaidError. */
  readonly requests?: Readonly<Record<string, (request: EditorRequest) => Promise<void>>>;
}

export type StartFeature = (start: PanelStart) => StartedFeature;
