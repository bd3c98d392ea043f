/** A chat saved as notes; the host implements it. */
import type { WriteOrigin } from '../../tools/contract/ports.ts';

export interface ProjectedVariable {
  readonly name: string;
  readonly type: string;
  readonly value?: string | undefined;
  /** The file in `variables/<session>/` that holds a value too large for an attribute. */
  readonly file?: string | undefined;
  readonly sha256?: string | undefined;
  readonly desc?: string | undefined;
  readonly created?: number | undefined;
  /** The sources of the value, and the message in which the model wrote it. */
  readonly sources?: unknown;
  readonly node?: string | undefined;
}

/** One message of a saved chat as plain data; chat turns its payloads into this and back. */
export interface ProjectedMessage {
  readonly nodeId: string;
  readonly parentId: string | null;
  readonly role: 'user' | 'assistant' | 'separator';
  readonly label?: 'summary';
  readonly markdown: string;
  readonly time?: number;
  readonly chain?: readonly unknown[];
  readonly vars?: readonly ProjectedVariable[];
  /** Raw content, author, usage, times, … as chats need them to be restored. */
  readonly message?: Readonly<Record<string, unknown>>;
}

export interface DecodedMessage extends Omit<ProjectedMessage, 'markdown' | 'label' | 'time'> {
  readonly sessionId: string;
  readonly textHash: string;
  readonly problems: readonly string[];
}

/** Labels for speaker and time above each message, in the user's language. */
export interface SpeakerLabels {
  readonly user: string;
  readonly assistant: string;
  readonly separator: string;
  readonly summary: string;
  at(time: number): string;
}

export interface SaveRequest {
  /** An existing document, or where to create one. */
  readonly target: { readonly documentId: string } | { readonly notebook: string; readonly path: string };
  readonly sessionId: string;
  readonly project?: string | undefined;
  readonly messages: readonly ProjectedMessage[];
  readonly labels: SpeakerLabels;
  /** The origin in the write journal, so that it can be undone; absent: it is not journaled. */
  readonly origin?: WriteOrigin;
}

export interface SaveReport {
  readonly documentId: string;
  /** Nodes that were written now; the others were there already and were not changed. */
  readonly appended: readonly string[];
  /** Variables whose values did not fit into attributes, by node. */
  readonly omittedVariables: Readonly<Record<string, readonly string[]>>;
}

export interface ReadMessage extends DecodedMessage {
  readonly blockId: string;
  readonly markdown: string;
  /** Somebody edited the message in the document; the session stays the master. */
  readonly edited: boolean;
}

export interface ReadChat {
  readonly sessionId: string;
  /** The project that the chat keeps to. */
  readonly project?: string | undefined;
  readonly title: string;
  readonly messages: readonly ReadMessage[];
}

/** A chat saved in a document: the session is authoritative, the document its projection. */
export interface ChatDocument {
  /** Appends what follows its last message, never rewriting a block. Shows no plan, as the user asked; the notebook must be at `write`. */
  save(request: SaveRequest, signal: AbortSignal): Promise<SaveReport>;
  /** Null for a document without a chat. If copied blocks share a node id, the first counts. */
  read(documentId: string, signal: AbortSignal): Promise<ReadChat | null>;
}
