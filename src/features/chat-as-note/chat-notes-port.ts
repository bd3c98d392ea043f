export interface AppendedAnswer {
  /** The call id for `undoAppend`. */
  readonly callId: string;
  readonly documentId: string;
  readonly blockIds: readonly string[];
}

/** At the end of a document, below a block, or as a new document, whose path ends with its title. */
export type AnswerPlace = { readonly end: string } | { readonly below: string } | { readonly notebook: string; readonly path: string };

/** The open chat as a note, and its answers in notes. Nothing rejects: a notice says what could not be done. */
export interface ChatNotes {
  /** Saves the chat in a new document of the notebook, or updates the bound one. False: a notice says why not (`note_others`). */
  save(notebook: string, path: string, withOthers?: boolean): Promise<boolean>;
  /** Opens the chat that a document holds (its attributes), restoring it if storage lacks it. */
  open(documentId: string): Promise<void>;
  /** Writes an answer into a note. `letIn`: allows text of other notebooks; absent: it may not. Null: rejected, or a notice says why. */
  append(nodeId: string, place: AnswerPlace, letIn?: () => Promise<boolean>): Promise<AppendedAnswer | null>;
  /** Undoes one `append`; the answer's other writes stay. */
  undoAppend(nodeId: string, callId: string): Promise<void>;
  /** Undoes the last save as a note with its additions, and unbinds the chat; null: a notice says why not. */
  undoSave(): Promise<'all' | 'part' | 'none' | null>;
}

export const CHAT_NOTES: { readonly name: string; readonly type?: ChatNotes } = { name: 'chat-as-note' };
