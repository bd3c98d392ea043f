import type { PreparedRequest } from '../../model/language-model.ts';
import type { ModelRef } from '../../model/providers.ts';
import type { ApprovalDecision, ToolArguments } from '../../tools/contract/types.ts';
import type { Attachment, ChatContext, OwnSettingsPatch } from '../session/types.ts';
import type { DraftStore } from '../store/draft-store.ts';
import type { ChatView } from '../view/view.ts';
import type { ChatLibrary } from './chat-library.ts';
import type { MessageActions } from './message-actions.ts';

export interface NewAttachment extends Omit<Attachment, 'id' | 'size' | 'asset'> {
  readonly bytes: Uint8Array;
}

export type AttachTo = Pick<ChatController, 'addContext' | 'attach'>;

/** A chat without a framework: the panel is a view of it, and the tests use the same object. */
export interface ChatController {
  readonly messages: Pick<MessageActions, keyof MessageActions>;
  readonly library: Pick<ChatLibrary, keyof ChatLibrary>;
  /** Unsent text of the open chat: kept over a reload. */
  readonly typed: Pick<DraftStore, 'draft' | 'keepDraft' | 'putBack' | 'subscribe'>;
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
  newChat(): Promise<void>;
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
  /** Saves the chat in a new document of the notebook, or updates the bound one. False: a notice says why not (`note_others`). */
  saveAsNote(notebook: string, path: string, withOthers?: boolean): Promise<boolean>;
  /** Opens the chat that a document holds (its attributes), restoring it if storage lacks it. */
  openFromDocument(documentId: string): Promise<void>;
  /** The open chat's own settings; if they may not be changed, a notice says so. */
  setOwn(patch: OwnSettingsPatch): Promise<void>;
  dismissNotice(): void;
  dispose(): Promise<void>;
}
