import type { ActivityStore } from '../chat/activity/activity.ts';
import type { Chats } from './chats/chats.ts';
import type { ServedFeature } from './http/served-feature.ts';
import type { ServiceStart, Workspace, WorkspaceFeature } from './kernel/workspace-types.ts';

/** The running service. */
export interface ServiceEnvironment {
  readonly chats: Chats;
  readonly workspace: Workspace;
  readonly activity: ActivityStore;
  readonly log: (line: string) => void;
  /** Whether the standard streams are for the program that started this one. */
  readonly stdio: boolean;
  /** Whether it is the token of the service. */
  readonly isToken: (given: string) => boolean;
}

/** What a feature adds to the service. */
export interface ServiceFeature extends WorkspaceFeature {
  readonly serve?: (service: ServiceEnvironment) => ServedFeature;
}

export type StartServiceFeature = (start: ServiceStart) => ServiceFeature;
