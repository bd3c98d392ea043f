import type { HostBase } from '../host/host-base.ts';
import { undoState } from '../host/journal/undo-state.ts';
import type { NotesHost } from '../host/notes-host.ts';
import type { NotesPort, WriteHistory } from '../tools/contract/ports.ts';
import { orAborted } from '../tools/util/abort.ts';
import { lazyMethods } from '../tools/util/lazy.ts';

/** What reads and writes notes. */
export type Notes = Pick<NotesHost, 'notes' | 'rights' | 'history' | 'chatDocument' | 'readBlock' | 'whyKeptBack'>;

const PORT: Readonly<Record<Exclude<keyof NotesPort, 'notebooks' | 'canSearchByMeaning'>, true>> = {
  apply: true,
  attributes: true,
  backlinks: true,
  blockInfo: true,
  blocks: true,
  dailyNotes: true,
  document: true,
  documents: true,
  exportMarkdown: true,
  findSaved: true,
  grep: true,
  planAttributes: true,
  planCreateDocument: true,
  planDailyAppend: true,
  planDeleteBlocks: true,
  planDeleteDocuments: true,
  planEdit: true,
  planInsert: true,
  planMoveBlocks: true,
  planNotebook: true,
  planOrganize: true,
  planRewrite: true,
  planTag: true,
  readings: true,
  recentDocuments: true,
  related: true,
  savedSearches: true,
  search: true,
  sql: true,
  tags: true,
};

/**
 * The notes of a host that `load` makes at the first need. What the panel asks to open (notebooks, and what of its answers can be
 * undone) comes from `base`, so that nothing has to be loaded for it.
 */
export function lazyNotes(base: HostBase, load: () => Promise<NotesHost>): Notes {
  const lazy = async <Name extends keyof Notes>(name: Name): Promise<Notes[Name]> => (await load())[name];
  const { notebooks, canSearchByMeaning, journal } = base;
  const history = { undo: true, redo: true, changes: true, resolve: true } as const;
  return {
    notes: { ...lazyMethods<Pick<NotesPort, keyof typeof PORT>>(() => lazy('notes'), PORT), notebooks, canSearchByMeaning },
    rights: lazyMethods(() => lazy('rights'), { standing: true, trace: true, obstacles: true }),
    history: {
      ...lazyMethods<Pick<WriteHistory, keyof typeof history>>(() => lazy('history'), history),
      state: (sessionId, nodeId, callId) => undoState(journal, sessionId, nodeId, callId),
    },
    chatDocument: lazyMethods(() => lazy('chatDocument'), { save: true, read: true }),
    whyKeptBack: async (id, signal) => (await lazy('whyKeptBack'))(id, signal),
    readBlock: async (id, signal) => (await orAborted(lazy('readBlock'), signal))(id, signal),
  };
}
