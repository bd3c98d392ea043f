import type { ModelUse } from '../../model/budget/usage.ts';
import type { LanguageModel } from '../../model/language-model.ts';
import type { ModelRef } from '../../model/providers.ts';
import { type EventError, ToolError } from '../../tools/contract/errors.ts';
import type { ToolChainEvent } from '../../tools/contract/events.ts';
import type { NotesPort, WriteHistory } from '../../tools/contract/ports.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { AppendAnswer } from '../chat-document/append-answer.ts';
import type { BoundDocumentDeps } from '../chat-document/note-binding.ts';
import type { ChatStore } from '../store/store-port.ts';
import { NO_MODEL } from '../turn/notices.ts';
import type { SessionDeps } from '../turn/session.ts';
import type { ModelStatus } from '../view/view.ts';
import type { ChatWrites } from './chat-library.ts';
import type { ChatController } from './controller-port.ts';

/** Which model answers now; asked anew for every turn. `problem` says what a message gets when there is none. */
export interface ChatModel {
  readonly status: ModelStatus;
  readonly model: LanguageModel | null;
  readonly problem?: EventError;
}

export interface ChatControllerDeps extends SessionDeps, BoundDocumentDeps {
  /** The model of a reference; without one, that of the settings. `use`: what its requests are recorded as. */
  readonly model: (use: ModelUse, ref?: ModelRef) => ChatModel;
  /** Gives chats their titles; null, or absent: none are given. `ref`: the chat's own model. */
  readonly titleModel?: (use: ModelUse, ref?: ModelRef) => LanguageModel | null;
  /** Writes summaries of older messages; null, or absent: the model that answers. `ref`: the chat's own model. */
  readonly summaryModel?: (use: ModelUse, ref?: ModelRef) => LanguageModel | null;
  readonly store: ChatStore;
  readonly notes: Pick<NotesPort, 'notebooks' | 'document'>;
  /** For people, also those that the model may not read. Absent: those of `notes`. */
  readonly allNotebooks?: NotesPort['notebooks'];
  readonly history: WriteHistory;
  /** Puts an answer into a note; loaded when first needed. Rejects with `not_loaded`. */
  readonly loadAppendAnswer: () => Promise<AppendAnswer>;
  /** What chats wrote into notes, as a whole. Absent: nothing is kept of it. */
  readonly writes?: ChatWrites;
  /** The chat that this window shows, kept over its reloads; get gives null in a new window. Absent: there is no window. */
  readonly shown?: { get(): string | null; set(sessionId: string): void };
  /** Called with the executor of the chat that is shown now, and after it those of chats whose answers go on. */
  readonly onShown?: (executors: readonly ToolExecutor[]) => void;
  /** Every event of the chat that is shown, for other listeners than the panel. */
  readonly onEvent?: (event: ToolChainEvent) => void;
}

/** The model that answers, and those that give titles and write summaries. */
export type ChatModels = Pick<ChatControllerDeps, 'model' | 'titleModel' | 'summaryModel'>;

/** The controller as its owner has it: the panel needs no more than ChatController. */
export interface OwnedChatController extends ChatController {
  /** Looks again at model, notebooks and rights: after settings changed, or when the host came back. */
  refresh(): Promise<void>;
}

/** The model that was chosen for a chat. Where it is no longer set up none answers: another one might be elsewhere, and would get all of the chat. */
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

/** The model of the next turn, or what its message says instead. */
export function answeringModel({ model, problem = NO_MODEL }: ChatModel): LanguageModel | ToolError {
  return model ?? new ToolError(problem.code, problem.message, problem.next);
}
