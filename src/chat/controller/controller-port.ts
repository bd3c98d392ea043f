import type { PreparedRequest } from '../../model/language-model.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ApprovalDecision, ToolArguments } from '../../tools/contract/types.ts';
import type { Attachment, ChatContext, NewChat, OwnSettingsPatch, Session } from '../session/types.ts';
import type { DraftStore } from '../store/draft-store.ts';
import type { ChatSession } from '../turn/session.ts';
import type { ChatView } from '../view/view.ts';
import type { ChatLibrary } from './chat-library.ts';
import type { MessageActions } from './message-actions.ts';
import type { UndoStates } from './undo-states.ts';

export interface NewAttachment extends Omit<Attachment, 'id' | 'size' | 'asset'> {
  readonly bytes: Uint8Array;
}

export type AttachTo = Pick<ChatController, 'addContext' | 'attach'>;

/** The open chat for the work of a feature. */
export interface OpenedChat {
  readonly session: ChatSession;
  readonly undo: Pick<UndoStates, 'undo' | 'look'>;
  /** Until another is opened. */
  readonly isShown: () => boolean;
  readonly say: (problem: EventError) => void;
  readonly signal: AbortSignal;
}

/** A chat without a framework: the panel is a view of it, and the tests use the same object. */
export interface ChatController {
  readonly messages: Pick<MessageActions, keyof MessageActions>;
  readonly library: Pick<ChatLibrary, keyof ChatLibrary>;
  /** Unsent text of the open chat: kept over a reload. */
  readonly typed: Pick<DraftStore, 'draft' | 'forms' | 'keepDraft' | 'putBack' | 'subscribe'>;
  view(): ChatView;
  /** Calls back after every change (batched to at most one call per microtask); returns a function that stops it. */
  subscribe(listener: (view: ChatView) => void): () => void;
  /** `beside`: further contexts. If they cannot be read, the text goes back into the composer, and it rejects with ToolError. */
  send(text: string, beside?: Promise<readonly ChatContext[]>): Promise<void>;
  /** The first request that `send` would make to a chat model; null if the model has another type. Rejects with ToolError. */
  preview(text: string, beside?: readonly ChatContext[]): Promise<PreparedRequest | null>;
  stop(): void;
  editQueued(): void;
  dropQueued(): void;
  decide(approvalId: string, decision: ApprovalDecision): void;
  /** Asks for approval of the call with other arguments, planned again. Rejects with ToolError, and the approval then waits unchanged. */
  revise(approvalId: string, args: ToolArguments): Promise<void>;
  revoke(tool: string, scope: string): void;
  newChat(made?: NewChat): Promise<void>;
  openChat(sessionId: string): Promise<void>;
  /** `rest`: continues a cut-off answer in the same message. `model`: answers this once; the chat keeps its own. */
  rerun(nodeId: string, rest?: boolean, model?: ModelRef): Promise<void>;
  undo(nodeId: string): Promise<void>;
  /** Writes again what was undone; later changes stay, and `redoReport` lists them. */
  redo(nodeId: string): Promise<void>;
  /** Decides about a block that Undo left alone because it had changed (see WriteHistory.resolve). */
  resolveConflict(nodeId: string, blockId: string, choice: 'undo' | 'keep', shown?: string | null): Promise<void>;
  answer(callId: string, text: string | null): void;
  addContext(context: ChatContext): void;
  removeContext(contextId: string): void;
  /** Saves a file and attaches it to the next question. Rejects with ToolError, like AssetStore. */
  attach(file: NewAttachment): Promise<void>;
  removeAttachment(id: string): void;
  /** The composer that is shown now, for contexts that take time to read: they go there, whatever chat is shown by then. */
  composer(): AttachTo;
  variable(name: string): string | null;
  /** Work of a feature on the open chat; a failure becomes a notice. */
  work(run: (chat: OpenedChat) => Promise<void>): Promise<void>;
  /** Opens the chat that is found as it is saved here, or as it was found if it is not. */
  openFound(find: (signal: AbortSignal) => Promise<Session>): Promise<void>;
  /** The open chat's own settings; if they may not be changed, a notice says so. */
  setOwn(patch: OwnSettingsPatch): Promise<void>;
  dismissNotice(): void;
  dispose(): Promise<void>;
}
