import type { ModelUse } from '../../model/budget/usage.ts';
import type { LanguageModel } from '../../model/language-model.ts';
import type { ModelRef } from '../../model/providers.ts';
import { type EventError, ToolError } from '../../tools/contract/errors.ts';
import type { ToolChainEvent } from '../../tools/contract/events.ts';
import type { NotesPort, WriteHistory } from '../../tools/contract/ports.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ChatStore } from '../store/store-port.ts';
import { NO_MODEL } from '../turn/notices.ts';
import type { ChatSession, SessionDeps } from '../turn/session.ts';
import type { ModelStatus } from '../view/view.ts';
import type { ChatWrites } from './chat-library.ts';
import type { ChatController } from './controller-port.ts';

/** The model that answers now; asked again for every turn. `problem` is the message's error if there is none. */
export interface ChatModel {
  readonly status: ModelStatus;
  readonly model: LanguageModel | null;
  readonly problem?: EventError;
}

/** What a feature does with chats. A rejection becomes a notice. */
export interface ChatExtension {
  /** A chat is shown as its file has it; what is sent waits for this. */
  readonly opened: (session: ChatSession, signal: AbortSignal) => Promise<void>;
  /** Messages of a turn or a summary are there. */
  readonly grown: (session: ChatSession, signal: AbortSignal) => Promise<void>;
}

export interface ChatControllerDeps extends SessionDeps {
  readonly extensions?: readonly ChatExtension[];
  readonly newId: () => string;
  /** The model of a reference; without one, the model of the settings. `use`: how its requests are recorded. */
  readonly model: (use: ModelUse, ref?: ModelRef) => ChatModel;
  /** The model that titles chats; null or absent: no titles. `ref`: the chat's own model. */
  readonly titleModel?: (use: ModelUse, ref?: ModelRef) => LanguageModel | null;
  /** The model that summarizes older messages; null or absent: the answering model. `ref`: the chat's own model. */
  readonly summaryModel?: (use: ModelUse, ref?: ModelRef) => LanguageModel | null;
  readonly store: ChatStore;
  readonly notes: Pick<NotesPort, 'notebooks'>;
  /** For people: includes notebooks that the model may not read. Absent: those of `notes`. */
  readonly allNotebooks?: NotesPort['notebooks'];
  readonly history: WriteHistory;
  /** The writes of whole chats into notes. Absent: they are not recorded. */
  readonly writes?: ChatWrites;
  /** The chat shown by this window, kept over reloads; `get` gives null in a new window. Absent: there is no window. */
  readonly shown?: { get(): string | null; set(sessionId: string): void };
  /** Called with the executor of the shown chat, followed by those of chats whose answers continue. */
  readonly onShown?: (executors: readonly ToolExecutor[]) => void;
  readonly onEvent?: (event: ToolChainEvent) => void;
}

export type ChatModels = Pick<ChatControllerDeps, 'model' | 'titleModel' | 'summaryModel'>;

export interface OwnedChatController extends ChatController {
  /** Reads model, notebooks and rights again: after settings changed, or when the host is available again. */
  refresh(): Promise<void>;
}

/** The model chosen for a chat. If it is no longer set up, none answers: another one might be remote, and would receive the whole chat. */
export function modelOfChat(model: ChatControllerDeps['model'], use: ModelUse, own: ModelRef | undefined): ChatModel {
  const chosen = model(use, own);
  if (!own || chosen.status.kind !== 'missing') return chosen;
  const problem: EventError = {
    code: 'model_gone',
    message: `the model of this chat, ${own.model}, is no longer set up`,
    next: 'choose a model for this chat',
  };
  return { status: { ...chosen.status, gone: own }, model: null, problem };
}

export function answeringModel({ model, problem = NO_MODEL }: ChatModel): LanguageModel | ToolError {
  return model ?? new ToolError(problem.code, problem.message, problem.next);
}
