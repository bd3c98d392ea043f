import type { ToolError } from '../tools/errors.ts';
import type { Clock, EditingProbe, NotebookInfo, NotesPort, WriteHistory } from '../tools/ports.ts';
import { type AccessPolicy, createAccess } from './access-policy.ts';
import type { Random } from './block-dom.ts';
import { createBlockReader, type ReadBlock } from './block-reader.ts';
import { createBlockWriter } from './block-writer.ts';
import { type ChatDocument, createChatDocument } from './bound-document.ts';
import { createChangePlanner } from './change-planner.ts';
import { createContentFilter } from './content-filter.ts';
import { createGuardedNotes } from './guarded-notes.ts';
import type { KernelClient } from './kernel-client.ts';
import { createKernelRoutes, type KernelRoutes } from './kernel-routes.ts';
import { knownReferences } from './known-references.ts';
import type { MarkdownEngine } from './markdown-engine.ts';
import { createNotesReader } from './notes-reader.ts';
import { createNotesSearch } from './notes-search.ts';
import { createPlanStore } from './prepared-plan.ts';
import { createPushLog, type PushSource } from './push-log.ts';
import { createStorage, type PluginStorage } from './storage.ts';
import { createWriteHistory } from './undo.ts';
import { createWriteJournal, type WriteJournal } from './write-journal.ts';
import { createLock, createWritePath } from './write-path.ts';

export interface NotesHostDeps {
  readonly client: KernelClient;
  readonly engine: MarkdownEngine;
  readonly policy: AccessPolicy;
  readonly probe: EditingProbe;
  readonly clock: Clock;
  readonly random: Random;
  /** Absent where there is no push socket: then only hashes tell of other people's changes. */
  readonly pushes?: PushSource;
  /** Name of this device, in the journal's file names. */
  readonly device: string;
  /** Hears of failures that did not hurt a write itself, such as a journal entry that could not be closed. */
  readonly onProblem?: (error: ToolError) => void;
  /** Session id of our transactions; no editor's own, so that every editor redraws what we write. */
  readonly session: string;
}

export interface NotesHost {
  readonly notes: NotesPort;
  readonly history: WriteHistory;
  readonly chatDocument: ChatDocument;
  readonly readBlock: ReadBlock;
  /** The model's Markdown as block DOM for an editor, through the filter of every write; rejects as planInsert does. */
  safeDom(markdown: string, signal: AbortSignal): Promise<string>;
  /** Those at `none` too: for the settings, never for tools. */
  allNotebooks(signal: AbortSignal): Promise<readonly NotebookInfo[]>;
  readonly routes: KernelRoutes;
  readonly storage: PluginStorage;
  readonly journal: WriteJournal;
  /** Stops listening to pushes. */
  close(): void;
}

/** Joins the parts of the host by hand; `index.ts` and the service call it once a kernel. */
export function createNotesHost(deps: NotesHostDeps): NotesHost {
  const { client, engine, clock, random, probe } = deps;
  const routes = createKernelRoutes(client);
  const access = createAccess(routes, deps.policy);
  const storage = createStorage({ client, routes, clock });
  const journal = createWriteJournal(storage, deps.device);
  const pushes = createPushLog(deps.pushes, deps.session);
  const plans = createPlanStore();
  const lock = createLock();
  const reader = createNotesReader({ routes, access, engine });
  const search = createNotesSearch(routes, access);
  const planner = createChangePlanner({ routes, access, engine, reader, clock, random, plans, pushes });
  const writer = createBlockWriter({ routes, app: 'marginalia', session: deps.session });
  const writePath = createWritePath({
    routes,
    access,
    engine,
    reader,
    writer,
    journal,
    plans,
    pushes,
    probe,
    clock,
    lock,
    ...(deps.onProblem ? { onProblem: deps.onProblem } : {}),
  });
  const notes = createGuardedNotes({ access, reader, search, planner, writePath });
  const history = createWriteHistory({ routes, writer, journal, probe, clock, lock });
  const chatDocument = createChatDocument({ routes, access, engine, reader, writer, pushes, clock, random, lock });
  const readBlock = createBlockReader({ routes, access, engine });
  const filter = createContentFilter({ engine, clock, random });
  return {
    notes,
    history,
    chatDocument,
    readBlock,
    safeDom: async (markdown, signal) =>
      (await filter.filter({ markdown, knownReferences: knownReferences(access, signal) })).blocks.join(''),
    allNotebooks: (signal) => access.notebooks(signal),
    routes,
    storage,
    journal,
    close: () => pushes.close(),
  };
}
