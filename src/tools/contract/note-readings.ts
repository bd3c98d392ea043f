export interface DocumentRef {
  readonly id: string;
  readonly title: string;
  readonly path: string;
}

export interface NotebookRef {
  readonly id: string;
  readonly name: string;
}

interface DocumentNode {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  readonly depth: number;
  /** Readable documents below it that the listing did not open. */
  readonly moreChildren: number;
}

export interface DocumentListing {
  readonly notebook: { readonly id: string; readonly name: string };
  readonly documents: readonly DocumentNode[];
  readonly total: number;
  readonly nextPage: number | null;
  /** The number of `documents` within the requested depth that were not opened, because there are too many. */
  readonly unopened: number;
}

/** A block as the model reads it: Markdown without ids, ZWSP or attribute lists. */
export interface BlockReading {
  readonly id: string;
  /** SiYuan's type letters: h, p, l, i, c, t, m, b, s, … */
  readonly type: string;
  readonly subtype: string;
  readonly markdown: string;
  /** First 8 characters of the block's hash: edit_block's expectHash. */
  readonly hash: string;
  /** Only for lists: every item in document order with its own first line, to be cited and edited by its id; `depth` 0: the list's own. */
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
  readonly hidden: number;
}

export interface SearchMatch {
  readonly id: string;
  readonly documentId: string;
  readonly documentTitle: string;
  readonly path: string;
  readonly notebook: string;
  readonly notebookName?: string;
  readonly type: string;
  /** Plain text around the match, ≤ 240 characters. */
  readonly snippet: string;
  /** By relevance: the query's words in it, as typed, the most characteristic first. By a pattern: its matches in the snippet. */
  readonly words?: readonly string[];
  /** Its document is a chat saved as a note: its text comes from other notes. Such matches come last on a page. */
  readonly isSavedChat?: true;
  /** By relevance: some of the other notes with the same text, which this match represents. */
  readonly alsoIn?: readonly NotePlace[];
}

export interface NotePlace {
  readonly id: string;
  /** Human-readable, "/Projects/Apollo". */
  readonly path: string;
}

/** No part of it depends on hidden text: neither matches, nor counts, nor page boundaries. */
export interface SearchPage {
  readonly matches: readonly SearchMatch[];
  /** Null while there is a next page: the total is not known then. By relevance it counts notes with a distinct text. */
  readonly total: number | null;
  readonly nextPage: number | null;
  /** By relevance, and for keywords without matches: words of the query that occur nowhere, as typed; absent if there are none. */
  readonly missing?: readonly string[];
  readonly fromIndex?: boolean;
  /** By relevance, if meaning was compared: false if the host's embedding service found nothing, or did not answer. */
  readonly byMeaning?: boolean;
}

export type SearchOrder = 'oldest' | 'newest' | 'changed-first' | 'changed-last';

/** The current results of a search that the user saved in SiYuan, in its order. */
export interface SavedSearchMatches {
  readonly matches: readonly SearchMatch[];
  readonly isMore: boolean;
  /** The notebooks that its texts may come from, whatever block they belong to; absent: each belongs to its own block. */
  readonly notebooks?: readonly string[];
}

export interface SearchQuery {
  readonly query: string;
  /** `relevance`: any of the words, best notes with their best passages; others: matching blocks. `semantic` needs embeddings. */
  readonly mode: 'relevance' | 'keyword' | 'syntax' | 'regex' | 'semantic';
  /** By relevance and by meaning: the query is sent to the host's embedding service, so the person must have allowed it. False: by words alone. */
  readonly meaning?: boolean;
  readonly notebooks?: readonly string[];
  /** Where to search, by ids: `<notebook>` or `<notebook>/<document>/<document>.sy`, as in SiYuan's own search. */
  readonly places?: readonly string[];
  /** By relevance, if the query is the words of a note: the count of each. Only the most characteristic are searched. */
  readonly occurrences?: ReadonlyMap<string, number>;
  /** With `occurrences`: the text of the note, for vectors on this device. */
  readonly text?: string;
  readonly withoutDocument?: string;
  /** By relevance if absent. */
  readonly order?: SearchOrder;
  readonly types?: readonly string[];
  /** Only blocks that have all these tags themselves or in their document. */
  readonly tags?: readonly string[];
  /** Days, YYYY-MM-DD, inclusive: when the block was last changed. */
  readonly updatedFrom?: string;
  readonly updatedTo?: string;
  readonly page: number;
  readonly pageSize: number;
}

export interface ReadRange {
  readonly start: number;
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
