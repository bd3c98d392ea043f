import type { AssetQueries } from './assets.ts';
import type { DatabaseQuery, DatabaseReading, DatabaseRef } from './databases.ts';
import type { ErrorCode } from './errors.ts';
import type { BlockReading, DocumentAddress, DocumentRef, NotebookRef, SavedSearchMatches } from './note-readings.ts';
import type { Progress } from './plans.ts';

/** Groups of tools of these names are on only in workspaces with such contents. */
export const NOTE_CONTENTS = ['databases', 'flashcards', 'assets'] as const;
export type NoteContents = (typeof NOTE_CONTENTS)[number];

export type BlockRange = 'self' | 'children' | 'context' | 'before' | 'after';

export interface BlockNeighbourhood {
  readonly document: DocumentRef;
  readonly notebook: NotebookRef;
  /** In document order; for a heading `children` are the blocks of its section. */
  readonly blocks: readonly BlockReading[];
  /** The number of blocks in the range that `limit` left out. */
  readonly more: number;
  /** The number of blocks kept back by `custom-ai-access`. */
  readonly hidden: number;
}

export interface BlockInfo {
  readonly id: string;
  readonly type: string;
  readonly subtype: string;
  readonly document: DocumentRef;
  readonly notebook: NotebookRef;
  /** From the document down to the block itself. */
  readonly breadcrumb: readonly { readonly id: string; readonly text: string }[];
  /** The number of readable blocks elsewhere that refer to it. */
  readonly backlinks: number;
  /** Without `custom-marginalia-*`, which is never shown to the model. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Ids of the databases (attribute views) that have the block as a row. */
  readonly databases: readonly string[];
}

/** One of several ids that could not be answered; the others were. */
export interface FailedId {
  readonly id: string;
  readonly code: ErrorCode;
  readonly message: string;
  readonly next: string;
}

export interface TextMatch {
  /** The innermost block that is read and edited by its own id. */
  readonly blockId: string;
  readonly type: string;
  /** 0-based index of the top-level block, as in read_doc's `start`. */
  readonly index: number;
  /** The line with the match, ≤ 300 characters around it. */
  readonly line: string;
  readonly matched: string;
}

export interface DocumentMatches {
  readonly document: DocumentRef;
  readonly notebook: NotebookRef;
  readonly matches: readonly TextMatch[];
  readonly total: number;
  readonly hidden: number;
}

export interface Backlink {
  readonly id: string;
  readonly document: DocumentRef;
  readonly notebook: NotebookRef;
  /** Plain text around the reference, ≤ 240 characters. */
  readonly text: string;
}

export interface BacklinkPage {
  readonly items: readonly Backlink[];
  /** The number of readable ones; null if counting them would mean reading all of them: there are more. */
  readonly total: number | null;
  readonly nextPage: number | null;
}

export interface SqlTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly cut: boolean;
}

export interface RecentDocument extends DocumentRef {
  readonly notebook: NotebookRef;
  /** Local time, YYYY-MM-DD HH:MM. */
  readonly updated: string;
}

export interface NoteBelow {
  readonly id: string;
  readonly title: string;
  /** Its notebook. */
  readonly notebook: string;
  /** Local time, YYYYMMDDHHmmss: when what may be read of it was last changed. */
  readonly updated: string;
}

export interface RelatedNote {
  readonly document: DocumentRef;
  readonly notebook: NotebookRef;
  /** Its best passage, ≤ 240 characters; the note itself if only its title contains any of the words. */
  readonly passage: { readonly id: string; readonly text: string };
  /** Words that both contain, the most characteristic first. */
  readonly words: readonly string[];
}

/** A block that is a flashcard: SiYuan hides its marked words, or the text below its first line. */
export interface FlashcardReading {
  readonly id: string;
  readonly markdown: string;
  readonly document: DocumentRef;
  readonly notebook: NotebookRef;
  readonly due: string;
  readonly reviews: number;
  readonly lapses: number;
}

export interface FlashcardPage {
  readonly items: readonly FlashcardReading[];
  readonly total: number;
  readonly nextPage: number | null;
}

export interface TagCount {
  readonly label: string;
  readonly count: number;
}

/** Reads with the checks, rights and errors of NotesPort; also `sql_off`, `bad_sql`, `bad_pattern`. Nothing depends on hidden text. */
export interface NoteQueries extends AssetQueries {
  /** `context` = `limit` blocks around it, including itself; `before` and `after` are its siblings. */
  blocks(query: { id: string; range: BlockRange; limit: number }, signal: AbortSignal): Promise<BlockNeighbourhood>;
  blockInfo(ids: readonly string[], signal: AbortSignal): Promise<readonly (BlockInfo | FailedId)[]>;
  grep(
    query: { id: string; pattern: string; regex: boolean; limit: number },
    signal: AbortSignal,
    progress?: Progress,
  ): Promise<DocumentMatches>;
  /** `links` are references, `mentions` are texts that name the block without a reference. */
  backlinks(query: { id: string; kind: 'links' | 'mentions'; page: number; pageSize: number }, signal: AbortSignal): Promise<BacklinkPage>;
  sql(query: { stmt: string; maxRows: number }, signal: AbortSignal): Promise<SqlTable>;
  /** Newest first. */
  recentDocuments(query: { days: number; limit: number }, signal: AbortSignal): Promise<{ readonly documents: readonly RecentDocument[] }>;
  /** Equal as long as no block was written, no note moved there or away, nor, if `databases`, a database written; reads none of them. */
  changeMark(query: { below: readonly string[]; databases: boolean }, signal: AbortSignal): Promise<string>;
  /** Notes below notebooks and notes, at any depth, by the ids of these; one that is gone, closed or may not be read is missing. */
  notesBelow(ids: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly NoteBelow[]>>;
  /** Notes that contain the most frequent words of a note or block, ranked like a search by relevance. Without the note itself. */
  related(
    query: { id: string; limit: number },
    signal: AbortSignal,
  ): Promise<{ readonly document: DocumentRef; readonly notebook: NotebookRef; readonly notes: readonly RelatedNote[] }>;
  /** English names of the languages of readable notes, the most common first; empty if unknown. */
  languages(signal: AbortSignal): Promise<readonly string[]>;
  contents(signal: AbortSignal): Promise<readonly NoteContents[]>;
  /** The attributes of one block that the model may see. */
  attributes(
    id: string,
    signal: AbortSignal,
  ): Promise<{ readonly document: DocumentRef; readonly notebook: NotebookRef; readonly attributes: Readonly<Record<string, string>> }>;
  /** Soonest due first; `in`: of a notebook, or of a document and those below it; `due`: only those that are due now. */
  flashcards(query: { in?: string | undefined; due: boolean; page: number; pageSize: number }, signal: AbortSignal): Promise<FlashcardPage>;
  /** Databases that may be read; `find`: words of the name or of the note's path. */
  databases(query: { readonly find?: string | undefined }, signal: AbortSignal): Promise<readonly DatabaseRef[]>;
  /** A database with the rows of a view, or the row that a block is in each. Rejects with `bad_target` for a note with none or several. */
  database(query: DatabaseQuery, signal: AbortSignal): Promise<readonly DatabaseReading[]>;
  /** Counted over readable blocks; by count, then name. */
  tags(
    query: { filter?: string; limit: number },
    signal: AbortSignal,
  ): Promise<{ readonly tags: readonly TagCount[]; readonly total: number }>;
  /** Names of the searches that the user saved in SiYuan, in their order; those without words find nothing and are left out. */
  savedSearches(signal: AbortSignal): Promise<readonly string[]>;
  /** Rejects with `not_found` if none has the name; an SQL search with the errors of `sql`. */
  findSaved(query: { name: string; limit: number }, signal: AbortSignal): Promise<SavedSearchMatches>;
  /** The whole document, or one block, as Markdown, without what rights keep back. */
  exportMarkdown(
    address: DocumentAddress | { readonly block: string },
    signal: AbortSignal,
    progress?: Progress,
  ): Promise<{ readonly document: DocumentRef; readonly notebook: NotebookRef; readonly markdown: string; readonly hidden: number }>;
}

/** All names, for callers that forward every method. */
export const NOTE_QUERIES: Readonly<Record<keyof NoteQueries, true>> = {
  blocks: true,
  blockInfo: true,
  grep: true,
  backlinks: true,
  sql: true,
  recentDocuments: true,
  changeMark: true,
  notesBelow: true,
  related: true,
  languages: true,
  contents: true,
  attributes: true,
  flashcards: true,
  assets: true,
  assetFile: true,
  unusedAssets: true,
  databases: true,
  database: true,
  tags: true,
  savedSearches: true,
  findSaved: true,
  exportMarkdown: true,
};
