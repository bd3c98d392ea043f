import type { HostBase } from '../host/host-base.ts';
import { undoState } from '../host/journal/undo-state.ts';
import type { NotesHost } from '../host/notes-host.ts';
import { NOTE_QUERIES } from '../tools/contract/note-queries.ts';
import type { NotesPort, WriteHistory } from '../tools/contract/ports.ts';
import type { SavedAnswers } from '../tools/contract/saved-answers.ts';
import { orAborted } from '../tools/util/abort.ts';
import { lazyMethods, type MethodNames } from '../tools/util/lazy.ts';

/** The code that reads and writes notes. */
export interface Notes extends Pick<NotesHost, 'notes' | 'rights' | 'history' | 'chatDocument' | 'readBlock' | 'whyKeptBack' | 'cards'> {
  readonly answers: () => Promise<SavedAnswers>;
  readonly hands: () => Promise<NotesHost['hands']>;
  readonly contentHash: () => Promise<NotesHost['contentHash']>;
}

/** What must be loaded for it. */
type Loaded = Omit<NotesPort, 'notebooks' | 'meaningServer'>;

const LOADED: MethodNames<Loaded> = {
  ...NOTE_QUERIES,
  ...{ documents: true, document: true, readings: true, search: true, dailyNotes: true, apply: true },
  ...{
    planCreateDocument: true,
    planInsert: true,
    planEdit: true,
    planDailyAppend: true,
    planAttributes: true,
    planFlashcards: true,
    planNewCards: true,
    planDatabaseChange: true,
    planDatabase: true,
    planOrganize: true,
  },
  ...{ planDeleteDocuments: true, planNotebook: true, planMoveBlocks: true, planDeleteBlocks: true, planRewrite: true, planTag: true },
  planAssetRename: true,
};

/**
 * The notes of a host that `load` creates on first use. What the panel needs to open (notebooks, and what of its answers can be
 * undone) comes from `base`, so that nothing must be loaded for it.
 */
export function lazyNotes(base: HostBase, load: () => Promise<NotesHost>): Notes {
  const lazy = async <Name extends keyof Notes>(name: Name): Promise<NotesHost[Name]> => (await load())[name];
  const { notebooks, meaningServer, journal } = base;
  const history = { undo: true, redo: true, changes: true, resolve: true } as const;
  return {
    notes: { ...lazyMethods<Loaded>(() => lazy('notes'), LOADED), notebooks, meaningServer },
    rights: lazyMethods(() => lazy('rights'), { currentObstacles: true, trace: true, obstacles: true }),
    history: {
      ...lazyMethods<Pick<WriteHistory, keyof typeof history>>(() => lazy('history'), history),
      state: (sessionId, nodeId, callId) => undoState(journal, sessionId, nodeId, callId),
    },
    chatDocument: lazyMethods(() => lazy('chatDocument'), { save: true, read: true }),
    cards: lazyMethods(() => lazy('cards'), { due: true, rate: true }),
    answers: () => lazy('answers'),
    hands: () => lazy('hands'),
    contentHash: () => lazy('contentHash'),
    whyKeptBack: async (id, signal) => (await lazy('whyKeptBack'))(id, signal),
    readBlock: async (id, signal) => (await orAborted(lazy('readBlock'), signal))(id, signal),
  };
}
