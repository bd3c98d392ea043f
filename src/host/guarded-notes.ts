import type { NotesPort } from '../tools/ports.ts';
import type { Access } from './access-policy.ts';
import type { ChangePlanner } from './change-planner.ts';
import type { NotesReader } from './notes-reader.ts';
import type { NotesSearch } from './notes-search.ts';
import type { WritePath } from './write-path.ts';

export interface GuardedNotesDeps {
  readonly access: Access;
  readonly reader: NotesReader;
  readonly search: NotesSearch;
  readonly planner: ChangePlanner;
  readonly writePath: WritePath;
}

/** The second door (ARCHITECTURE.md): tools get this and never the kernel. Each part asks `access` for every block it touches. */
export function createGuardedNotes(deps: GuardedNotesDeps): NotesPort {
  return {
    notebooks: async (signal) => (await deps.access.notebooks(signal)).filter((notebook) => notebook.right !== 'none'),
    documents: deps.reader.documents,
    document: deps.reader.document,
    search: deps.search.search,
    dailyNotes: deps.reader.dailyNotes,
    planCreateDocument: deps.planner.planCreateDocument,
    planInsert: deps.planner.planInsert,
    planEdit: deps.planner.planEdit,
    planDailyAppend: deps.planner.planDailyAppend,
    apply: deps.writePath.apply,
  };
}
