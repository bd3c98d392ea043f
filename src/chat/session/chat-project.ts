import type { LanguageModel } from '../../model/language-model.ts';
import type { EventError } from '../../tools/contract/errors.ts';
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

export const PROJECT_OFF: EventError = {
  code: 'project_gone',
  message: 'this chat belongs to a project, which is not available here',
  next: 'open the chat in the panel, or start a new chat',
};

/** Without the feature nothing is sent: its chats keep to their scope. */
export const refuseProject = async (): Promise<never> => {
  throw new ToolError(PROJECT_OFF.code, PROJECT_OFF.message, PROJECT_OFF.next);
};
