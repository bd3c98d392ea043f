import type { PreparedRequest } from '../../model/language-model.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { ApprovalDecision, ToolArguments } from '../../tools/contract/types.ts';
import type { Attachment, ChatContext, OwnSettingsPatch } from '../session/types.ts';
import type { DraftStore } from '../store/draft-store.ts';
import type { ChatView } from '../view/view.ts';
import type { ChatLibrary } from './chat-library.ts';
import type { MessageActions } from './message-actions.ts';

/** A file that will be sent with the next question. */
export interface NewAttachment extends Omit<Attachment, 'id' | 'size' | 'asset'> {
  readonly bytes: Uint8Array;
}

/** Where notes and files are attached. */
export type AttachTo = Pick<ChatController, 'addContext' | 'attach'>;

/** A chat without a framework: the panel is a view of it, and the tests drive the same object. */
export interface ChatController {
  /** What one does to single messages. */
  readonly messages: Pick<MessageActions, keyof MessageActions>;
  /** All chats: find, order, keep, take in and out. */
  readonly library: Pick<ChatLibrary, keyof ChatLibrary>;
  /** What is typed in the open chat and not sent: kept over a reload. */
  readonly typed: Pick<DraftStore, 'draft' | 'keepDraft' | 'putBack' | 'subscribe'>;
  view(): ChatView;
  /** Calls back after every change (batched to at most one call a microtask); returns the way to stop listening. */
  subscribe(listener: (view: ChatView) => void): () => void;
  /** `beside`: what goes along besides what is attached. Where that cannot be read, the words stand in the composer again, and it rejects with ToolError. */
  send(text: string, beside?: Promise<readonly ChatContext[]>): Promise<void>;
  /** What `send` would send first to a chat model; null where the model is of another type. Rejects with ToolError. */
  preview(text: string, beside?: readonly ChatContext[]): Promise<PreparedRequest | null>;
  /** Ends the answer. What waits behind it goes back into the composer. */
  stop(): void;
  /** Takes what waits behind the answer back into the composer. */
  editQueued(): void;
  /** Drops what waits behind the answer. */
  dropQueued(): void;
  decide(approvalId: string, decision: ApprovalDecision): void;
  /** Asks about the call with other arguments, planned anew. Rejects with ToolError, and the approval waits as it was. */
  revise(approvalId: string, args: ToolArguments): Promise<void>;
  revoke(tool: string, scope: string): void;
  newChat(): Promise<void>;
  openChat(sessionId: string): Promise<void>;
  /**
   * `rest`: goes on with an answer that its limit cut off, in the same message. `model`: answers this once; the chat keeps its own.
   */
  rerun(nodeId: string, rest?: boolean, model?: ModelRef): Promise<void>;
  undo(nodeId: string): Promise<void>;
  /** Writes again what was undone; what has been changed since stays, and `redoReport` says so. */
  redo(nodeId: string): Promise<void>;
  /** What to do with a block that Undo left alone, since it was changed (see WriteHistory.resolve). */
  resolveConflict(nodeId: string, blockId: string, choice: 'undo' | 'keep', shown?: string | null): Promise<void>;
  /** Answers a question of the model; null closes it unanswered. */
  answer(callId: string, text: string | null): void;
  addContext(context: ChatContext): void;
  removeContext(contextId: string): void;
  /** Saves a file and attaches it to the next question. Rejects with ToolError, as AssetStore does. */
  attach(file: NewAttachment): Promise<void>;
  removeAttachment(id: string): void;
  /** The composer that is shown now, for what takes time to read: it lands there, whatever chat is shown by then. */
  composer(): AttachTo;
  /** Whole value of a variable of this chat; null when it is gone. */
  variable(name: string): string | null;
  /**
   * Binds the chat to a new document under the given notebook and saves it there; or updates the bound document; false: a
   * notice says why not. Text of other notebooks goes in only `withOthers` (`note_others`).
   */
  saveAsNote(notebook: string, path: string, withOthers?: boolean): Promise<boolean>;
  /** Opens the chat that a document holds (its attributes), restoring it if storage lacks it. */
  openFromDocument(documentId: string): Promise<void>;
  /** What the open chat has of its own instead of the settings; where it may not be changed, a notice says so. */
  setOwn(patch: OwnSettingsPatch): Promise<void>;
  dismissNotice(): void;
  dispose(): Promise<void>;
}
