/** A chat that is kept as notes: what chats need of a notebook for it. The host implements it. */
import type { WriteOrigin } from '../../tools/contract/ports.ts';

/** A value of a chat as it is kept beside the message that it came with. */
export interface ProjectedVariable {
  readonly name: string;
  readonly type: string;
  readonly value?: string | undefined;
  /** Where a value stands that is too large for an attribute: a file of `variables/<session>/`. */
  readonly file?: string | undefined;
  readonly sha256?: string | undefined;
  readonly desc?: string | undefined;
  readonly created?: number | undefined;
  /** Where it came from, and the message in which the model wrote it. */
  readonly sources?: unknown;
  readonly node?: string | undefined;
}

/** One message of a saved chat as plain data; chat turns its payloads into this and back. */
export interface ProjectedMessage {
  readonly nodeId: string;
  readonly parentId: string | null;
  readonly role: 'user' | 'assistant' | 'separator';
  /** Stands above it instead of the label of its role. */
  readonly label?: 'summary';
  /** What reads well as a note. */
  readonly markdown: string;
  /** When it was said, in milliseconds since the epoch. */
  readonly time?: number;
  /** The system hint of the compressed message, plain text. */
  readonly hint?: string;
  /** The compressed tool-call history. */
  readonly chain?: readonly unknown[];
  readonly vars?: readonly ProjectedVariable[];
  /** Raw content, author, usage, times, … as chat wants them back. */
  readonly message?: Readonly<Record<string, unknown>>;
}

export interface DecodedMessage extends Omit<ProjectedMessage, 'markdown' | 'label' | 'time'> {
  readonly sessionId: string;
  readonly textHash: string;
  /** Attributes that were there and could not be read. */
  readonly problems: readonly string[];
}

/** Who speaks and when, above each message, in the user's language. */
export interface SpeakerLabels {
  readonly user: string;
  readonly assistant: string;
  readonly separator: string;
  readonly summary: string;
  /** A moment in milliseconds since the epoch, in words. */
  at(time: number): string;
}

export interface SaveRequest {
  /** A document that is there, or where to make one. */
  readonly target: { readonly documentId: string } | { readonly notebook: string; readonly path: string };
  readonly sessionId: string;
  /** From the first to the last of the branch that is shown. */
  readonly messages: readonly ProjectedMessage[];
  readonly labels: SpeakerLabels;
  /** Whose write this is in the write journal, so that it can be undone; absent: it is not in it. */
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
  readonly title: string;
  readonly messages: readonly ReadMessage[];
}

/** A chat kept in a document: the session is the master, the document its projection. */
export interface ChatDocument {
  /**
   * Appends what follows the last message that stands, and never rewrites a block. The user asked for it, so no plan is
   * shown; the notebook must be at `write`.
   */
  save(request: SaveRequest, signal: AbortSignal): Promise<SaveReport>;
  /** Null for a document that holds no chat. Of copied blocks with one node id the first counts. */
  read(documentId: string, signal: AbortSignal): Promise<ReadChat | null>;
}
