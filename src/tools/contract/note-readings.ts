interface DocumentNode {
  readonly id: string;
  readonly title: string;
  /** Path in words, "/Projects/Apollo". */
  readonly path: string;
  readonly depth: number;
  /** Documents below it that may be read and that the listing did not open. */
  readonly moreChildren: number;
}

export interface DocumentListing {
  readonly notebook: { readonly id: string; readonly name: string };
  readonly documents: readonly DocumentNode[];
  readonly total: number;
  readonly nextPage: number | null;
  /** Of `documents`, those within the asked depth that were not opened, since they are too many. */
  readonly unopened: number;
}

/** A block as the model reads it: Markdown without ids, ZWSP or attribute lists. */
export interface BlockReading {
  readonly id: string;
  /** SiYuan's type letters: h, p, l, i, c, t, m, b, s, … */
  readonly type: string;
  readonly subtype: string;
  readonly markdown: string;
  /** First 8 characters of the block's hash: what edit_block takes as expectHash. */
  readonly hash: string;
  /**
   * Only for lists (type `l`): every item in document order, so that each can be cited and edited by its own id. `depth` is
   * 0 for the list's own items; `markdown` is the item's own first line, without its marker.
   */
  readonly items?: readonly { readonly id: string; readonly hash: string; readonly depth: number; readonly markdown: string }[];
}

export interface DocumentReading {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly notebook: { readonly id: string; readonly name: string };
  readonly outline: readonly { readonly id: string; readonly level: number; readonly text: string }[];
  /** Top-level blocks in document order, from `start`. */
  readonly blocks: readonly BlockReading[];
  readonly start: number;
  readonly totalBlocks: number;
  /** Blocks kept back by `custom-ai-access`; said, not silently missing. */
  readonly hidden: number;
}

export interface SearchMatch {
  readonly id: string;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly path: string;
  /** The notebook's id. */
  readonly notebook: string;
  /** Its name, where the search has it at hand. */
  readonly notebookName?: string;
  readonly type: string;
  /** Plain text around the match, ≤ 240 characters. */
  readonly snippet: string;
  /** By relevance: words of the query that it has, as typed, those that say most first. By a pattern: what it matches in the snippet. */
  readonly words?: readonly string[];
  /** Its document is a chat that was saved as a note: what it says comes from other notes. Those come last on a page. */
  readonly isSavedChat?: true;
  /** By relevance: some of the other notes that say the same, for all of which this one stands. */
  readonly alsoIn?: readonly NotePlace[];
}

export interface NotePlace {
  readonly id: string;
  /** In words, "/Projects/Apollo". */
  readonly path: string;
}

/** Nothing of it depends on what hidden text says: neither matches, nor counts, nor where pages end. */
export interface SearchPage {
  readonly matches: readonly SearchMatch[];
  /** Null while there is a next page: how many there are is not known then. By relevance it counts notes that say something of their own. */
  readonly total: number | null;
  readonly nextPage: number | null;
  /** By relevance, and of keywords that find nothing: words of the query that stand nowhere, as they were typed; absent when there are none. */
  readonly missing?: readonly string[];
  /** ToolExecuteResult.fromIndex */
  readonly fromIndex?: boolean;
}

export type SearchOrder = 'oldest' | 'newest' | 'changed-first' | 'changed-last';

/** What a search that the user saved in SiYuan finds now, in its order. */
export interface SavedSearchMatches {
  readonly matches: readonly SearchMatch[];
  readonly isMore: boolean;
  /** Where its texts may be from, whatever block they stand beside; absent: each is its own block's. */
  readonly notebooks?: readonly string[];
}

export interface SearchQuery {
  readonly query: string;
  /**
   * `relevance`: any of the words, best notes first, the best passages of each one after the other; a page is so many notes. The others:
   * blocks that match, best first. `semantic`, by meaning alone, only where the host has embeddings: see NotesPort.meaningServer.
   */
  readonly mode: 'relevance' | 'keyword' | 'syntax' | 'regex' | 'semantic';
  /** By relevance and by meaning as well: the query goes to whoever computes the host's embeddings, so the person has allowed it. */
  readonly meaning?: boolean;
  readonly notebooks?: readonly string[];
  /** Where to look, by ids: `<notebook>` or `<notebook>/<document>/<document>.sy`, as SiYuan's own search has it. */
  readonly places?: readonly string[];
  /** By relevance, of a query that is the words of a note: how often it says each. Only the most characteristic of them are looked for. */
  readonly occurrences?: ReadonlyMap<string, number>;
  /** Id of a document that is left out. */
  readonly withoutDocument?: string;
  /** By relevance where it is left out. */
  readonly order?: SearchOrder;
  readonly types?: readonly string[];
  /** Only blocks that carry all these tags themselves or in their document. */
  readonly tags?: readonly string[];
  /** Days, YYYY-MM-DD, inclusive: when the block was last changed. */
  readonly updatedFrom?: string;
  readonly updatedTo?: string;
  readonly page: number;
  readonly pageSize: number;
}

export interface ReadRange {
  readonly start: number;
  /** Top-level blocks at most. */
  readonly blocks: number;
}

export type DocumentAddress = { readonly id: string } | { readonly notebook?: string; readonly path: string };

export interface ReadItem {
  readonly address: DocumentAddress;
  readonly range: ReadRange;
}

export interface DailyNote {
  readonly id: string;
  readonly notebook: { readonly id: string; readonly name: string };
  readonly date: string;
  readonly path: string;
}
