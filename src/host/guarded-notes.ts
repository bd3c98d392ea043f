import type { NoteQueries } from '../tools/contract/note-queries.ts';
import type { NotesPort } from '../tools/contract/ports.ts';
import type { HostBase } from './host-base.ts';
import type { ChangePlanner } from './planning/change-planner.ts';
import type { StructurePlanner } from './planning/structure-planner.ts';
import type { NotesReader } from './reading/notes-reader.ts';
import type { NotesSearch } from './search/notes-search.ts';
import type { WritePath } from './writing/write-path.ts';

export interface GuardedNotesDeps {
  readonly base: Pick<HostBase, 'notebooks' | 'canSearchByMeaning'>;
  readonly reader: NotesReader;
  readonly search: NotesSearch;
  readonly queries: NoteQueries;
  readonly planner: ChangePlanner;
  readonly structurePlanner: StructurePlanner;
  readonly writePath: WritePath;
}

/**
 * The second check (docs/architecture.md, "Two checks"): tools get this and never the kernel. Each part asks `access` for every
 * block it touches.
 */
export function createGuardedNotes(deps: GuardedNotesDeps): NotesPort {
  return {
    ...deps.queries,
    ...deps.planner.blocks,
    notebooks: deps.base.notebooks,
    canSearchByMeaning: deps.base.canSearchByMeaning,
    documents: (query, signal) => deps.reader.documents(query, signal),
    document: (address, range, signal) => deps.reader.document(address, range, signal),
    readings: (items, signal) => deps.reader.readings(items, signal),
    search: (query, signal) => deps.search.search(query, signal),
    dailyNotes: (query, signal) => deps.reader.dailyNotes(query, signal),
    planCreateDocument: (request, tool, signal) => deps.planner.planCreateDocument(request, tool, signal),
    planInsert: (request, tool, signal) => deps.planner.planInsert(request, tool, signal),
    planEdit: (request, tool, signal) => deps.planner.planEdit(request, tool, signal),
    planDailyAppend: (request, tool, signal) => deps.planner.planDailyAppend(request, tool, signal),
    planAttributes: (request, tool, signal) => deps.structurePlanner.planAttributes(request, tool, signal),
    planOrganize: (request, tool, signal) => deps.structurePlanner.planOrganize(request, tool, signal),
    planDeleteDocuments: (request, tool, signal) => deps.structurePlanner.planDeleteDocuments(request, tool, signal),
    planNotebook: (request, tool, signal) => deps.structurePlanner.planNotebook(request, tool, signal),
    apply: (...request) => deps.writePath.apply(...request),
  };
}
