import type { ActivityStore } from '../chat/activity/activity.ts';
import type { ChatControllerDeps, OwnedChatController } from '../chat/controller/controller-deps.ts';
import type { Projects } from '../chat/session/chat-project.ts';
import type { ChatContext } from '../chat/session/types.ts';
import type { AccessPolicy } from '../host/access/access-policy.ts';
import type { HostBase } from '../host/host-base.ts';
import type { SettingsStore } from '../host/settings/settings.ts';
import type { Ledger } from '../model/budget/ledger.ts';
import type { ModelRef } from '../model/providers.ts';
import type { PendingList } from '../tools/calls/pending.ts';
import type { ToolChainEvent } from '../tools/contract/events.ts';
import type { ActivityPort } from '../ui/ports/activity-port.ts';
import type { HostUi } from '../ui/ports/host-ui.ts';
import type { Translate } from '../ui/ports/i18n.ts';
import type { PanelPlace } from '../ui/ports/panel-place.ts';
import type { SettingsPort } from '../ui/ports/settings-port.ts';
import type { BrowserEditingProbe } from './editor/editing-probe.ts';
import type { Desktop } from './groups/desktop-features.ts';
import type { Notes } from './lazy-notes.ts';
import type { OpenExecutors } from './open-executors.ts';
import type { EditorRequest, PanelApp, PanelHost } from './panel-host.ts';

/** What views are drawn with. */
export interface PanelFrame {
  readonly controller: OwnedChatController;
  readonly host: HostUi;
  readonly settings: SettingsPort;
  readonly activity: ActivityPort;
  /** Of the open chat. */
  readonly events: { subscribe(listener: (event: ToolChainEvent) => void): () => void };
}

/** The panel that a feature is opened in. */
export interface PanelEnvironment {
  readonly host: PanelHost;
  readonly chats: ChatControllerDeps & { readonly activity: ActivityStore };
  readonly base: HostBase;
  readonly settings: SettingsStore;
  readonly policy: AccessPolicy;
  readonly notes: Notes;
  /** The same notes under other rights. */
  readonly notesUnder: (policy: AccessPolicy) => Notes;
  /** Absent without the feature. */
  readonly projects: Projects | undefined;
  readonly executors: Pick<OpenExecutors, 'build' | 'arranged' | 'current' | 'subscribe' | 'join'>;
  /** The model of a name; undefined for none. */
  readonly modelNamed: (name: string) => ModelRef | undefined;
  /** What requests used, on all devices. */
  readonly ledger: Pick<Ledger, 'report' | 'startAnew'>;
  /** What waits for the person in this window. */
  readonly pending: PendingList;
  /** A request of the editor, also one that another feature does. Rejects with ToolError or SaidError. */
  readonly handle: PanelApp['handle'];
  /** Opens the panel with what a request is about, or with the whole notes of that, and returns it. Rejects with ToolError or SaidError. */
  readonly attach: (request: EditorRequest, wholeNotes?: boolean) => Promise<readonly ChatContext[]>;
  /** The note of a block. Rejects with ToolError, or with SaidError if the model may not read it. */
  readonly noteOf: (block: string) => Promise<string>;
  /** Opens the panel at something in it. */
  readonly show: (place: PanelPlace) => Promise<void>;
  /** Reads again what is in the notes, by which tools are on. */
  readonly look: () => Promise<unknown>;
  /** Who is asked first whether to write where the user is typing. */
  readonly typing: Pick<BrowserEditingProbe, 'askFirst'>;
  /** Absent in a browser and on a phone. */
  readonly desktop: Desktop | undefined;
  /** Resolves once the panel is there, with all groups of tools. */
  readonly frame: () => Promise<PanelFrame>;
  readonly t: Translate;
  /** The panel is about to end: chats can still be saved. */
  readonly ending: AbortSignal;
  readonly signal: AbortSignal;
}
