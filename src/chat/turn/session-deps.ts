import type { EventError } from '../../tools/contract/errors.ts';
import type { ToolChainEvent } from '../../tools/contract/events.ts';
import type { AskUser, Clock } from '../../tools/contract/ports.ts';
import type { ApprovalAdapter } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ActivityStore } from '../activity/activity.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { ChatProject, Projects } from '../session/chat-project.ts';
import type { FindFirst } from '../session/search-first.ts';
import type { SessionStore } from '../store/store-port.ts';
import type { ChatSettings } from './chat-settings.ts';
import type { ToolsChat } from './running-calls.ts';
import type { Summarize } from './summarize.ts';

export interface ExecutorPorts {
  readonly approvalAdapter: ApprovalAdapter;
  readonly askUser: AskUser;
  /** For tools that run their own turn. Absent if no turns are run. */
  readonly chat?: ToolsChat;
  /** Its notes are in place of all others. */
  readonly project?: ChatProject | undefined;
}

export interface SessionDeps {
  /** Creates the executor of a chat, with its own variables and consent. */
  readonly executorFactory: (ports: ExecutorPorts) => ToolExecutor;
  readonly settings: () => ChatSettings;
  /** A project by the id of its note. Absent: chats of projects are not answered. */
  readonly project?: Projects['of'] | undefined;
  /** Reads changes of the settings by others; called before notes or messages are sent to a model. Never rejects. Default: nothing. */
  readonly readSettings?: () => Promise<void>;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly device: string;
  readonly timeZone: string;
  /** Makes summaries of older messages; loaded when first needed. Absent: none are made. */
  readonly summaries?: () => Promise<Summarize>;
  /** Searches the notes for models that need it (LanguageModel.searchFirst). Absent: nothing is searched. */
  readonly findFirst?: FindFirst;
  readonly activity?: ActivityStore;
  /** Where attached pictures are read from. Default: a chat without pictures. */
  readonly assets?: AssetStore;
  /** Never resolves in a page that is being unloaded, which aborted the turn's requests. Default: there is no page. */
  readonly pageStays?: () => Promise<void>;
  /** Called when a turn begins; the returned function is called when it is over. */
  readonly onTurn?: () => () => void;
}

export interface SessionListener {
  readonly onChange: () => void;
  readonly onNotice: (error: EventError) => void;
  readonly onEvent?: (event: ToolChainEvent) => void;
}
