import type { ChatControllerDeps } from '../chat/controller/controller-deps.ts';
import type { AccessPolicy } from '../host/access/access-policy.ts';
import type { HostBase } from '../host/host-base.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import type { ModelRef } from '../model/providers.ts';
import type { PendingList } from '../tools/calls/pending.ts';
import type { Translate } from '../ui/ports/i18n.ts';
import type { Notes } from './lazy-notes.ts';
import type { OpenExecutors } from './open-executors.ts';

/** The panel that a feature is opened in. */
export interface PanelEnvironment {
  readonly chats: ChatControllerDeps;
  readonly base: HostBase;
  readonly settings: SettingsStore;
  readonly policy: AccessPolicy;
  readonly notes: Notes;
  /** The same notes under other rights. */
  readonly notesUnder: (policy: AccessPolicy) => Notes;
  readonly executors: Pick<OpenExecutors, 'build' | 'arranged' | 'current' | 'subscribe'>;
  /** The model of a name; undefined for none. */
  readonly modelNamed: (name: string) => ModelRef | undefined;
  /** What waits for the person in this window. */
  readonly pending: PendingList;
  readonly t: Translate;
  readonly signal: AbortSignal;
}
