/** Something in the notes that can be attached to a question. */
export interface ContextChoice {
  /** `notebook`, `tag` and `search` are lists of documents, `open` for the name of the note in the editor. */
  readonly kind: 'document' | 'open' | 'block' | 'selection' | 'notebook' | 'tag' | 'search';
  readonly group: ContextGroup;
  /** Of the block, document or notebook; for a tag its words, for a saved search its name. */
  readonly id: string;
  readonly title: string;
  /** Of a note: the notebook that it is in, where that is known. */
  readonly notebook?: string;
  /** Its place, in words; '' if there is nothing to say. */
  readonly place: string;
  /** Of a selection: its words. */
  readonly text?: string;
  /** Of a selection: the blocks that it touches. */
  readonly blocks?: readonly string[];
  /** In the group `related`: the title of the note that it is related to. */
  readonly relatedTo?: string;
}

export type ContextGroup = 'here' | 'related' | 'documents' | 'blocks' | 'notebooks' | 'tags' | 'searches';
