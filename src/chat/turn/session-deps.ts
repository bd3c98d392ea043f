import type { EventError } from '../../tools/contract/errors.ts';
import type { ToolChainEvent } from '../../tools/contract/events.ts';
import type { AskUser, Clock } from '../../tools/contract/ports.ts';
import type { ApprovalAdapter } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ActivityStore } from '../activity/activity.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { FindFirst } from '../session/search-first.ts';
import type { SessionStore } from '../store/store-port.ts';
import type { ChatSettings } from './chat-settings.ts';
import type { ToolsChat } from './running-calls.ts';
import type { Summarize } from './summarize.ts';

/** How the tools of one chat reach the person in front of it. */
export interface ExecutorPorts {
  readonly approvalAdapter: ApprovalAdapter;
  readonly askUser: AskUser;
  /** For tools that run a turn of their own. Absent where no turn is run. */
  readonly chat?: ToolsChat;
}

export interface SessionDeps {
  /** One executor a chat, with its own variables and consent. */
  readonly executorFactory: (ports: ExecutorPorts) => ToolExecutor;
  readonly settings: () => ChatSettings;
  /** Takes in what others changed in the settings; asked before notes or messages go to a model. Never rejects. Default: nobody else changes them. */
  readonly readSettings?: () => Promise<void>;
  readonly store: SessionStore;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly device: string;
  readonly timeZone: string;
  /** Makes summaries of older messages; loaded when first needed. Absent: none are made. */
  readonly summaries?: () => Promise<Summarize>;
  /** Searches the notes for models that want that (LanguageModel.searchFirst). Absent: nothing is searched. */
  readonly findFirst?: FindFirst;
  /** Where each call is recorded. Default: nowhere. */
  readonly activity?: ActivityStore;
  /** Where pictures that were attached are read. Default: a chat without pictures. */
  readonly assets?: AssetStore;
  /** Never resolves in a page that ends, which cut the turn's requests off. Default: there is no page. */
  readonly pageStays?: () => Promise<void>;
  /** Called when a turn begins; what it returns, when it is over. */
  readonly onTurn?: () => () => void;
}

export interface SessionListener {
  /** Something that the panel shows changed. */
  readonly onChange: () => void;
  /** A failure outside any message. */
  readonly onNotice: (error: EventError) => void;
  readonly onEvent?: (event: ToolChainEvent) => void;
}
