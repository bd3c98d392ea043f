import type { LanguageModel } from '../../model/language-model.ts';
import type { ModelRef } from '../../model/providers.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { NotebookRight } from '../../tools/contract/notebook-right.ts';
import type { NotebookInfo, NotesPort } from '../../tools/contract/ports.ts';
import type { NoteRights } from '../../tools/contract/provenance.ts';
import type { FindFirst } from './search-first.ts';

/** What a chat of a project keeps to. Before the first `read`, and after one that rejects, nothing of `notes` may be read. */
export interface ChatProject {
  readonly notes: NotesPort;
  readonly rights: NoteRights;
  readonly findFirst: FindFirst;
  /** Put before the conversation, as of the last `read`. */
  readonly instructions: string;
  /** The notebooks with what is allowed there, as of the last `read`; undefined before the first. */
  readonly scope: readonly NotebookInfo[] | undefined;
  /** The only skills that are offered; undefined: all that are on. */
  readonly skills: readonly string[] | undefined;
  /** Reads it as it is now. Rejects with ToolError: nothing is sent then. */
  read(signal: AbortSignal): Promise<void>;
  /** Keeps to the project's budget as of the last `read`, for one turn. */
  budgeted(model: LanguageModel): LanguageModel;
}

/** A project, with what its chats begin with. */
export interface NamedProject {
  /** Of its note. */
  readonly id: string;
  readonly name: string;
  readonly model?: ModelRef | undefined;
}

/** Projects, for all that can be given one. */
export interface Projects {
  /** What a chat of one keeps to. `levels`: and to these rights, for who may do less than the workspace. */
  of(id: string, levels?: Readonly<Record<string, NotebookRight>>): ChatProject;
  /** Those whose notes may be read. Rejects with ToolError. */
  list(signal: AbortSignal): Promise<readonly NamedProject[]>;
}

/** The notes of a project as it is now, or with `goesOn` as it was read last, undefined without an id; where it cannot be read, nothing of them may be. */
export async function notesNow(
  id: string | undefined,
  projects: Projects | undefined,
  signal: AbortSignal,
  goesOn = false,
): Promise<NotesPort | undefined> {
  const project = id === undefined ? undefined : projects?.of(id);
  if (!goesOn || !project?.scope) await project?.read(signal).catch(() => undefined);
  return project?.notes;
}

/** The model, or why it does not answer in a chat of this project. */
export function answersIn<Given extends LanguageModel | ToolError>(model: Given, project: string | undefined): Given | ToolError {
  if (model instanceof ToolError || model.project === undefined || model.project === project) return model;
  return new ToolError(
    'project_other',
    `${model.label} answers only in chats of its project`,
    'begin a chat in that project, or choose another model',
  );
}

/** Without the feature nothing is sent: its chats keep to their scope. */
export const refuseProject = async (): Promise<never> => {
  const next = 'open the chat in the panel, or start a new chat';
  throw new ToolError('project_gone', 'this chat belongs to a project, which is not available here', next);
};

/** Reads the project of a chat as it is now; undefined for a chat without one. */
export const projectReader = (chat: {
  readonly project: ChatProject | undefined;
  readonly projectId: string | undefined;
}): ChatProject['read'] | undefined => chat.project?.read ?? (chat.projectId === undefined ? undefined : refuseProject);
