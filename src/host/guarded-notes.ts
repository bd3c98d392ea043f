import type { NoteQueries } from '../tools/contract/note-queries.ts';
import type { NotesPort } from '../tools/contract/ports.ts';
import type { HostBase } from './host-base.ts';
import type { ChangePlanner } from './planning/change-planner.ts';
import type { StructurePlanner } from './planning/structure-planner.ts';
import type { NotesReader } from './reading/notes-reader.ts';
import type { NotesSearch } from './search/notes-search.ts';
import type { LockedPlans } from './writing/locked-plans.ts';
import type { WritePath } from './writing/write-path.ts';

export interface GuardedNotesDeps {
  readonly base: Pick<HostBase, 'notebooks' | 'canSearchByMeaning'>;
  readonly reader: NotesReader;
  readonly search: NotesSearch;
  readonly queries: NoteQueries;
  readonly planner: ChangePlanner;
  readonly structurePlanner: StructurePlanner;
  readonly writePath: WritePath;
  readonly locks: LockedPlans;
}

/**
 * The second check (docs/architecture.md, "Two checks"): tools get this and never the kernel. Each part asks `access` for every
 * block it touches.
 */
export function createGuardedNotes(deps: GuardedNotesDeps): NotesPort {
  const { locks, planner, structurePlanner } = deps;
  return {
    ...deps.queries,
    notebooks: deps.base.notebooks,
    canSearchByMeaning: deps.base.canSearchByMeaning,
    documents: (query, signal) => deps.reader.documents(query, signal),
    document: (address, range, signal) => deps.reader.document(address, range, signal),
    readings: (items, signal) => deps.reader.readings(items, signal),
    search: (query, signal) => deps.search.search(query, signal),
    dailyNotes: (query, signal) => deps.reader.dailyNotes(query, signal),
    planCreateDocument: (request, tool, signal) => locks.say(planner.planCreateDocument(request, tool, signal), signal),
    planInsert: (request, tool, signal) => locks.say(planner.planInsert(request, tool, signal), signal),
    planEdit: (request, tool, signal) => locks.say(planner.planEdit(request, tool, signal), signal),
    planDailyAppend: (request, tool, signal) => locks.say(planner.planDailyAppend(request, tool, signal), signal),
    planAttributes: (request, tool, signal) => locks.say(structurePlanner.planAttributes(request, tool, signal), signal),
    planOrganize: (request, tool, signal) => locks.say(structurePlanner.planOrganize(request, tool, signal), signal),
    planDeleteDocuments: (request, tool, signal) => locks.say(structurePlanner.planDeleteDocuments(request, tool, signal), signal),
    planNotebook: (request, tool, signal) => locks.say(structurePlanner.planNotebook(request, tool, signal), signal),
    planMoveBlocks: (request, tool, signal) => locks.say(planner.blocks.planMoveBlocks(request, tool, signal), signal),
    planDeleteBlocks: (request, tool, signal) => locks.say(planner.blocks.planDeleteBlocks(request, tool, signal), signal),
    planRewrite: (request, tool, signal) => locks.say(planner.blocks.planRewrite(request, tool, signal), signal),
    planTag: (request, tool, signal, progress) => locks.say(planner.blocks.planTag(request, tool, signal, progress), signal),
    async apply(approved, origin, signal, progress) {
      await locks.assertSaid(approved, signal);
      return deps.writePath.apply(approved, origin, signal, progress);
    },
  };
}
