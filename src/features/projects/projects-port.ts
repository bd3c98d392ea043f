import type { ProjectSettings } from './project.ts';

/** What is wrong with a project: it is none any more, its settings or note, its whole scope, or a part of what it names. */
export type ProjectProblem = 'left' | 'unreadable' | 'empty' | 'part' | 'model' | 'skill';

export interface ShownProject {
  readonly id: string;
  readonly title: string;
  /** Undefined if they cannot be read. */
  readonly settings: ProjectSettings | undefined;
  /** Names of the notebooks and notes that it keeps to, as far as they are there; absent: it keeps to none. */
  readonly scope?: readonly { readonly id: string; readonly name: string; readonly isNotebook: boolean }[] | undefined;
  readonly problems: readonly ProjectProblem[];
}

/** Projects for people. Each method rejects with ToolError. */
export interface ProjectsPort {
  /** Also those that are none any more, with the settings that they had. */
  list(): Promise<readonly ShownProject[]>;
  /** `id`: of the note; undefined: it is no project any more, and its settings are kept apart. */
  save(id: string, settings: ProjectSettings | undefined): Promise<void>;
  /** Makes its note in a notebook. Resolves with the id. */
  make(notebook: string, title: string, settings: ProjectSettings): Promise<string>;
  /** Skills that are notes. */
  skills(): Promise<readonly { readonly id: string; readonly name: string }[]>;
}

export const PROJECTS: { readonly name: string; readonly type?: ProjectsPort } = { name: 'projects' };
