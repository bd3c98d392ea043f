import type { AssetStore } from '../chat/ports/assets.ts';
import type { ReadBlock } from '../chat/ports/read-block.ts';
import { NOTE_QUERIES, type NoteQueries } from '../tools/contract/note-queries.ts';
import type { Clock } from '../tools/contract/ports.ts';
import { lazyMethods } from '../tools/util/lazy.ts';
import type { Access } from './access/access.ts';
import type { MarkdownEngine } from './blocks/markdown-engine.ts';
import { askedOnce, type ListBeforeCall } from './kernel/asked-once.ts';
import type { KernelRoutes } from './kernel/kernel-routes.ts';
import { createNoteQueries } from './notes-queries.ts';
import { createBlockReader } from './reading/block-reader.ts';
import { createBlockViewer } from './reading/block-view.ts';
import { createDocumentBlocks } from './reading/document-blocks.ts';
import { createNotesReader, type NotesReader } from './reading/notes-reader.ts';
import { createNotesSearch, type NotesSearch } from './search/notes-search.ts';
import type { NearSlot } from './search/search-by-meaning.ts';

export interface NotesReading {
  readonly reader: NotesReader;
  readonly search: NotesSearch;
  readonly queries: NoteQueries;
  readonly readBlock: ReadBlock;
}

export interface NotesReadingDeps {
  readonly routes: KernelRoutes;
  readonly accessOver: (routes: KernelRoutes) => Access;
  readonly engine: MarkdownEngine;
  readonly clock: Clock;
  readonly assets: AssetStore;
  readonly before: Pick<ListBeforeCall, 'take'>;
  readonly near?: NearSlot;
  /** Answers from what the turn has read before asking the kernel. Absent: each reading asks the kernel. */
  readonly remembered?: (routes: KernelRoutes) => KernelRoutes;
}

/** The parts that read notes, over one kernel and one state of rights. They share one viewer, which removes hidden text. */
function readingOver(routes: KernelRoutes, { accessOver, engine, clock, assets, near }: NotesReadingDeps): NotesReading {
  const access = accessOver(routes);
  const viewer = createBlockViewer({ engine, readable: access });
  const blocks = createDocumentBlocks({ routes, access, viewer });
  const reader = createNotesReader({ routes, access, viewer, blocks });
  const search = createNotesSearch({ routes, access, viewer, near });
  return {
    reader,
    search,
    queries: createNoteQueries({ routes, access, viewer, blocks, reader, search, clock, assets }),
    readBlock: createBlockReader({ routes, access, viewer, reader }),
  };
}

/** Wires the parts that read notes. Each reading asks the kernel once for what its parts need, and reuses only what is remembered. */
export function createNotesReading(deps: NotesReadingDeps): NotesReading {
  const { remembered = (routes) => routes } = deps;
  const now = (signal: AbortSignal | undefined): NotesReading =>
    readingOver(remembered(askedOnce(deps.routes, signal && deps.before.take(signal))), deps);
  const reader = { documents: true, document: true, readings: true, resolve: true, dailyNotes: true } as const;
  return {
    reader: lazyMethods<NotesReader>((signal) => now(signal).reader, reader),
    search: lazyMethods<NotesSearch>((signal) => now(signal).search, { search: true }),
    queries: lazyMethods<NoteQueries>((signal) => now(signal).queries, NOTE_QUERIES),
    readBlock: (id, signal) => now(signal).readBlock(id, signal),
  };
}
