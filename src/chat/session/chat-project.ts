import type { LanguageModel } from '../../model/language-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { NotesPort } from '../../tools/contract/ports.ts';
import type { NoteRights } from '../../tools/contract/provenance.ts';
import type { FindFirst } from './search-first.ts';

/** What a chat of a project keeps to. Before the first `read`, and after one that rejects, nothing of `notes` may be read. */
export interface ChatProject {
  readonly notes: NotesPort;
  readonly rights: NoteRights;
  readonly findFirst: FindFirst;
  /** Put before the conversation, as of the last `read`. */
  readonly instructions: string;
  /** The only skills that are offered; undefined: all that are on. */
  readonly skills: readonly string[] | undefined;
  /** Reads it as it is now. Rejects with ToolError: nothing is sent then. */
  read(signal: AbortSignal): Promise<void>;
  /** Keeps to the project's budget as of the last `read`, for one turn. */
  budgeted(model: LanguageModel): LanguageModel;
}

/** Without the feature nothing is sent: its chats keep to their scope. */
export const refuseProject = async (): Promise<never> => {
  const next = 'open the chat in the panel, or start a new chat';
  throw new ToolError('project_gone', 'this chat belongs to a project, which is not available here', next);
};
