import type { ReadBlock } from '../chat/ports/read-block.ts';
import type { NoteQueries } from '../tools/contract/note-queries.ts';
import type { Clock } from '../tools/contract/ports.ts';
import type { Access } from './access/access.ts';
import type { MarkdownEngine } from './blocks/markdown-engine.ts';
import type { KernelRoutes } from './kernel/kernel-routes.ts';
import { createNoteQueries } from './notes-queries.ts';
import { createBlockReader } from './reading/block-reader.ts';
import { createBlockViewer } from './reading/block-view.ts';
import { createDocumentBlocks } from './reading/document-blocks.ts';
import { createNotesReader, type NotesReader } from './reading/notes-reader.ts';
import { createNotesSearch, type NotesSearch } from './search/notes-search.ts';

export interface NotesReading {
  readonly reader: NotesReader;
  readonly search: NotesSearch;
  readonly queries: NoteQueries;
  readonly readBlock: ReadBlock;
}

export interface NotesReadingDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly engine: MarkdownEngine;
  readonly clock: Clock;
}

/** Joins the parts that read notes: all of them show blocks by one viewer, which leaves out what is hidden. */
export function createNotesReading({ routes, access, engine, clock }: NotesReadingDeps): NotesReading {
  const viewer = createBlockViewer({ engine, readable: access });
  const blocks = createDocumentBlocks({ routes, access, viewer });
  const reader = createNotesReader({ routes, access, viewer, blocks });
  const search = createNotesSearch({ routes, access, viewer });
  return {
    reader,
    search,
    queries: createNoteQueries({ routes, access, viewer, blocks, reader, search, clock }),
    readBlock: createBlockReader({ routes, access, viewer, reader }),
  };
}
