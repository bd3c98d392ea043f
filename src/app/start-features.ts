import type { ChatExtension } from '../chat/controller/controller-deps.ts';
import type { ChatProject, Projects } from '../chat/session/chat-project.ts';
import type { ToolGroup } from '../tools/contract/types.ts';
import type { LetsThrough } from '../tools/executor/ran-tools.ts';
import { Features, type FeatureViews } from '../ui/state/features.ts';
import { FEATURES } from './features.ts';
import type { Desktop } from './groups/desktop-features.ts';
import { type LazyGroups, lazyGroups } from './groups/lazy-groups.ts';
import type { PanelEnvironment } from './panel-environment.ts';
import type { OpenFeature, PanelStart } from './panel-feature.ts';
import { untilClosed } from './until-closed.ts';
import type { GuestModels } from './workspace/chat-model.ts';
import type { OpenGroup } from './workspace/group-environment.ts';

interface StartParts extends Omit<PanelStart, 'groupsChanged'> {
  readonly desktop: Desktop | undefined;
  /** Called with the groups that come and go. */
  readonly onGroups: (groups: readonly ToolGroup[]) => void;
  /** Rejects with `not_loaded`. */
  readonly loadGroups: () => Promise<readonly OpenGroup[]>;
  /** Rejects with `not_loaded`. */
  readonly loadViews: () => Promise<readonly FeatureViews[]>;
}

/** What a feature does at an action of the editor; undefined if it is of none. */
type RequestOf = (action: string) => NonNullable<OpenFeature['requests']>[string] | undefined;

export interface PanelFeatures {
  readonly models: GuestModels | undefined;
  readonly chats: readonly ChatExtension[];
  readonly letsThrough: LetsThrough | undefined;
  readonly projects: Projects | undefined;
  readonly late: LazyGroups;
  /** All that are there now; those of a chat of a project. */
  readonly groups: (of?: ChatProject) => readonly ToolGroup[];
  readonly wake: () => void;
  readonly inPanel: (app: PanelEnvironment) => { readonly features: Features; readonly requestOf: RequestOf };
}

/** Starts the features of the panel; waits for groups of tools that the first request needs. */
export async function startFeatures({ desktop, onGroups, loadGroups, loadViews, ...start }: StartParts): Promise<PanelFeatures> {
  const { base, settings, notes, t, signal } = start;
  const started = FEATURES.map((each) => each({ ...start, groupsChanged: () => onGroups(ofServers()) }));
  const ofServers = (): readonly ToolGroup[] => started.flatMap(({ groups }) => groups?.() ?? []);
  const names = started.flatMap(({ lateGroups }) => lateGroups ?? []);
  const environment = { notes: notes.notes, settings, data: base.data, t, toolsFor: desktop?.toolsFor };
  const late = await lazyGroups(loadGroups, names, environment);
  return {
    late,
    chats: started.flatMap(({ chats }) => chats ?? []),
    models: started.find((each) => each.models)?.models,
    projects: started.find((each) => each.projects)?.projects,
    letsThrough: started.find((each) => each.letsThrough)?.letsThrough,
    groups: (project) => [...(desktop?.groups() ?? []), ...late.make(project), ...ofServers()],
    wake: () => started.forEach((each) => void each.wake?.()),
    inPanel: (app) => {
      const list = started.flatMap(({ inPanel }) => inPanel?.(app) ?? []);
      const requestOf: RequestOf = (action) => list.flatMap(({ requests }) => requests?.[action.split(':', 1)[0] ?? ''] ?? [])[0];
      return { features: new Features(list, untilClosed(loadViews, signal)), requestOf };
    },
  };
}
