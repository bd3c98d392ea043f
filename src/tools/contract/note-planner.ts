import type { DatabaseChange, NewDatabase } from './databases.ts';
import type { ChangePlan, Progress } from './plans.ts';

/** The place of moved blocks: the end of a document or container, or after a sibling. */
export type BlockTarget = { readonly parent: string } | { readonly after: string };

/** `target`: the new title for `rename`, the id of a document or notebook for `move`; unused by `duplicate`. */
export interface OrganizeRequest {
  readonly op: 'rename' | 'move' | 'duplicate';
  readonly ids: readonly string[];
  readonly target?: string;
}

export interface NewCard {
  readonly question: string;
  readonly answer: string;
}

export type NotebookRequest =
  | { readonly op: 'create'; readonly name: string }
  | { readonly op: 'rename'; readonly id: string; readonly name: string }
  | { readonly op: 'open' | 'close' | 'remove'; readonly id: string };

/** Plans write nothing; NotesPort.apply applies and WriteHistory undoes them. Also `bad_target`, `protected_attribute`, `no_change`. */
export interface NotePlanner {
  /** Within one notebook, in the given order. A heading moves alone, a folded one with what it hides. */
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
  /** New blocks, each a flashcard and an operation. Rejects with `bad_value` for a question of which SiYuan would hide a part. */
  planNewCards(
    request: { readonly cards: readonly NewCard[]; readonly at: string },
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan>;
  /** Cells, rows or columns of one database, each an operation. Rejects with `bad_value`; `newOptions` allows missing options. */
  planDatabaseChange(request: { id: string; change: DatabaseChange }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  planDatabase(request: NewDatabase, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  planOrganize(request: OrganizeRequest, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  planDeleteDocuments(request: { ids: readonly string[] }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  planNotebook(request: NotebookRequest, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /** Renames a file in every writable block that uses it, as a copy; the old one stays. `name`: without its ending. */
  planAssetRename(request: { path: string; name: string }, tool: string, signal: AbortSignal): Promise<ChangePlan>;
  /** In every writable block; without `to` the tag is removed and its words stay. */
  planTag(request: { label: string; to?: string }, tool: string, signal: AbortSignal, progress?: Progress): Promise<ChangePlan>;
}
