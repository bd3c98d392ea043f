import type { DatabaseChange, NewDatabase } from './databases.ts';
import type { ChangePlan, Progress } from './plans.ts';

/** Where moved blocks go: to the end of a document or container, or after a sibling. */
export type BlockTarget = { readonly parent: string } | { readonly after: string };

/** `target`: the new title for `rename`, the id of a document or notebook for `move`; unused by `duplicate`. */
export interface OrganizeRequest {
  readonly op: 'rename' | 'move' | 'duplicate';
  readonly ids: readonly string[];
  readonly target?: string;
}

/** Question and answer of a flashcard that is to be written, as Markdown. */
export interface NewCard {
  readonly question: string;
  readonly answer: string;
}

export type NotebookRequest =
  | { readonly op: 'create'; readonly name: string }
  | { readonly op: 'rename'; readonly id: string; readonly name: string }
  | { readonly op: 'open' | 'close' | 'remove'; readonly id: string };

/**
 * Plans of writes beyond create, insert and edit. Plans write nothing; each is applied by NotesPort.apply and undone by
 * WriteHistory. Errors as in NotesPort; further codes: `bad_target` (into itself, into another notebook's encrypted box, …),
 * `protected_attribute`, `no_change`, `bad_label`.
 */
export interface NotePlanner {
  /**
   * Within one notebook, in the given order. A heading moves alone (the blocks of its section are its siblings), a folded one
   * with what it hides.
   */
  planMoveBlocks(request: { ids: readonly string[]; target: BlockTarget }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /** A heading is deleted alone; an emptied container too. Blocks with database rows go to the trash document. */
  planDeleteBlocks(request: { ids: readonly string[] }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /** The document's new text as block operations: unchanged blocks keep id and attributes; `notices` list what would be lost. */
  planRewrite(request: { id: string; markdown: string }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /** `''` removes an attribute. */
  planAttributes(
    request: { ids: readonly string[]; attrs: Readonly<Record<string, string>> },
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan>;
  /** Blocks become flashcards of SiYuan's own deck, or stop being any. Rejects with `no_change` where all are so already. */
  planFlashcards(request: { op: 'create' | 'remove'; ids: readonly string[] }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /**
   * New blocks, each a flashcard of SiYuan's own deck and an operation of its own: at the end of a note or of a heading's section, or after
   * a block. Rejects with `bad_value` for a question of which SiYuan would hide a part.
   */
  planNewCards(
    request: { readonly cards: readonly NewCard[]; readonly at: string },
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan>;
  /**
   * Cells, rows or columns of one database; each is an operation of its own. Rejects with `bad_value` for what does not fit its column, and
   * for an option that is not there, unless `newOptions`.
   */
  planDatabaseChange(request: { id: string; change: DatabaseChange }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /** A new database at the end of a note, or after a block. */
  planDatabase(request: NewDatabase, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  planOrganize(request: OrganizeRequest, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  planDeleteDocuments(request: { ids: readonly string[] }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  planNotebook(request: NotebookRequest, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /**
   * Another name for a file that notes use, in every writable block that shows or links it. The file is copied; the old one stays for what
   * else uses it. `name`: without its ending. Rejects with `bad_path`, `bad_value`, `not_found` or `no_change`.
   */
  planAssetRename(request: { path: string; name: string }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /** In every writable block; without `to` the tag is removed and its words stay. */
  planTag(request: { label: string; to?: string }, tool: string, signal: AbortSignal, progress?: Progress): Promise<ChangePlan>;
}
