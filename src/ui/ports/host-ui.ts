import type { ChatContext } from '../../chat/session/types.ts';
import type { DueCard, Rating, ReviewScope } from '../../tools/contract/card-review.ts';
import type { FoundList } from '../../tools/contract/found-notes.ts';
import type { ContextChoice } from './context-choice.ts';

/** Renders in the host's own look. Returns HTML that must still be sanitised; null if it cannot render this. */
export interface Drawing {
  formula(tex: string, display: boolean): string | null;
  code(text: string, language: string): string | null;
}

/** A note that something can be put into. */
export interface NoteChoice {
  readonly id: string;
  readonly title: string;
  /** Notebook and path in words; '' where nobody chose. */
  readonly place: string;
}

/** Lines for SiYuan's file of notes without embeddings; '' where there is nothing to write, or nothing written. */
export interface EmbeddingIgnorePlan {
  readonly text: string;
  readonly written: string;
}

/** A block, or the beginning of a note, with its place. */
export interface BlockPreview {
  readonly title: string;
  /** Notebook and path in words; '' where it is not known. */
  readonly place: string;
  readonly markdown: string;
}

export interface Suggestion {
  readonly text: string;
  /** The note that it is about, which goes along. */
  readonly about?: ContextChoice;
  /** Id of the note whose title it contains, if it is another one. */
  readonly note?: string | undefined;
}

/** What the plugin does differently where SiYuan has it, by the probe that found it here or not. */
export interface HostReport {
  readonly version: string;
  readonly frontend: string;
  readonly found: Readonly<Record<'agentTools' | 'omissions' | 'newBlocks' | 'reasons' | 'aiOff', boolean>>;
}

/** What the host is busy with; `answer`: it does not answer. */
export type HostWait = 'index' | 'write' | 'list' | 'read' | 'search' | 'other' | 'answer';

/** The host functions that the panel needs. Everything else about SiYuan is outside `ui`. */
export interface HostUi {
  /** Phones: the panel is the whole screen, and Enter breaks the line instead of sending. */
  readonly mobile: boolean;
  openBlock(id: string): void;
  /** Titles of the notes that hold blocks, by the ids of these; without those that may not be read. Rejects with ToolError. */
  noteTitles(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Of a note or a section the block that has most of the words, else the block itself. Rejects with ToolError. */
  nearestBlock(id: string, words: RegExp): Promise<string>;
  /** Opens the PDF of a block at a page; false if the block has none. Rejects with ToolError. */
  openPdf(id: string, page: number): Promise<boolean>;
  /** The block that holds the caret of the editor that was used last; undefined where none has one. */
  caretBlock(): string | undefined;
  /** The note in the editor that was used last; undefined where none is open. */
  noteInEditor(): NoteChoice | undefined;
  /** Notes whose title has the words, those changed last where there are no words. Rejects with ToolError. */
  findNotes(words: string): Promise<readonly NoteChoice[]>;
  /** What can be attached to a question and may be read, by words in its name; without words, what is open now. `goesOn`: in a list that is shown. Rejects with ToolError. */
  findContexts(words: string, goesOn?: boolean): Promise<readonly ContextChoice[]>;
  /** Of the same list, for the open note, notes that are related to it: they take longer to find. Rejects with ToolError. */
  relatedContexts(): Promise<readonly ContextChoice[]>;
  /** Notes related to one, nearest first, each with the words that both have. Rejects with ToolError. */
  relatedNotes(id: string): Promise<FoundList>;
  /** The address of SiYuan's embedding service, as it is now; undefined if it has none. Searches know it from then on. */
  meaningServer(): Promise<string | undefined>;
  /** Keeps notes that the assistant may not read from the service that computes the host's embeddings. Rejects with ToolError. */
  readonly embeddingIgnore: {
    /** What would be written now, and what is. */
    plan(): Promise<EmbeddingIgnorePlan>;
    /** Writes this text, and keeps the lines of others. */
    write(text: string): Promise<void>;
    remove(): Promise<void>;
  };
  /** What Marginalia put on blocks to know answers, sources and chats in notes again. Rejects with ToolError. */
  readonly ownAttributes: {
    count(): Promise<{ readonly blocks: number; readonly notes: number }>;
    /** It is final. */
    remove(): Promise<void>;
  };
  /** Flashcards that are to be reviewed; as `CardReview`. */
  readonly cards: {
    due(scope: ReviewScope): Promise<readonly DueCard[]>;
    rate(card: DueCard, rating: Rating, round: readonly string[]): Promise<void>;
  };
  /** What was chosen, read now. Rejects with ToolError. */
  readContext(choice: ContextChoice): Promise<ChatContext>;
  /** Blocks and documents by their ids: what was dragged here. Rejects with ToolError. */
  readDragged(ids: readonly string[]): Promise<readonly ChatContext[]>;
  /** The note in the editor, if it may be read; undefined where none is. Rejects with ToolError. */
  openNote(): Promise<ContextChoice | undefined>;
  /** What is selected in the editor, if all of it may be read, with its words; undefined where nothing is. Rejects with ToolError. */
  selection(): Promise<ContextChoice | undefined>;
  /** Changes whenever another note is open or other words are selected. */
  editorMark(): string;
  /** Shows a file of the workspace, `assets/…`. */
  openAsset(path: string): void;
  /** '' where the browser gives none. */
  readClipboard(): Promise<string>;
  /** Asks yes or no. The texts are plain: a host that takes HTML has to escape them. */
  confirm(question: { readonly title: string; readonly text: string; readonly action: string }): Promise<boolean>;
  /** Markdown of a block or the beginning of a note; null when it is gone or may not be read. */
  blockMarkdown(id: string): Promise<string | null>;
  /** The same for a preview, with its place. */
  preview(id: string): Promise<BlockPreview | null>;
  /** `html`: the same for programs that take rich text. False where the browser gives no clipboard (plain http). */
  writeClipboard(text: string, html?: string): Promise<boolean>;
  /** The host's own KaTeX and highlight.js, loaded when first asked for; null where it has none. */
  drawing?(): Promise<Drawing | null>;
  /** The program that the host draws such diagrams with, as text, and never run in this page. Rejects where the host has none. */
  diagramProgram?(kind: 'mermaid' | 'echarts'): Promise<string>;
  /** Questions made from the user's own notes for an empty chat; at most three are shown. */
  suggestions?(): Promise<readonly Suggestion[]>;
  /** Calls back with what the host is busy with, now and whenever that changes. Returns a function that stops listening. */
  watchWaits?(listener: (wait: HostWait | undefined) => void): () => void;
  /** Rejects with ToolError. */
  report?(): Promise<HostReport>;
  /** This build of the host has its AI switched off. */
  readonly aiOff?: boolean;
  /** The workspace was opened read-only, or this page is what SiYuan publishes of it. */
  readonly readOnly?: boolean;
}
