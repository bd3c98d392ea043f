import type { NoteQueries } from '../tools/note-queries.ts';
import type { Clock } from '../tools/ports.ts';
import type { Access } from './access-policy.ts';
import { createBlockReader, type ReadBlock } from './block-reader.ts';
import { createBlockViewer } from './block-view.ts';
import { createDocumentBlocks } from './document-blocks.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import type { MarkdownEngine } from './markdown-engine.ts';
import { createNoteQueries } from './notes-queries.ts';
import { createNotesReader, type NotesReader } from './notes-reader.ts';
import { createNotesSearch, type NotesSearch } from './notes-search.ts';

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
  return {
    reader,
    search: createNotesSearch({ routes, access, viewer }),
    queries: createNoteQueries({ routes, access, viewer, blocks, reader, clock }),
    readBlock: createBlockReader({ routes, access, viewer, reader }),
  };
}
