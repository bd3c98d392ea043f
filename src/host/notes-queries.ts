import type { AssetStore } from '../chat/ports/assets.ts';
import type { NoteQueries } from '../tools/contract/note-queries.ts';
import type { Clock } from '../tools/contract/ports.ts';
import { DatabaseReader } from './databases/database-reader.ts';
import { BlockFacts } from './reading/block-facts.ts';
import { BlockNeighbours } from './reading/block-neighbours.ts';
import { DocumentTexts } from './reading/document-texts.ts';
import { Flashcards } from './reading/flashcards.ts';
import { NoteAssets } from './reading/note-assets.ts';
import { NotesBacklinks } from './reading/notes-backlinks.ts';
import { NotesBelow } from './reading/notes-below.ts';
import { createNotesExport } from './reading/notes-export.ts';
import { NotesIndex } from './reading/notes-index.ts';
import type { NotesReader, NotesReaderDeps } from './reading/notes-reader.ts';
import { createNotesSql } from './reading/notes-sql.ts';
import { workspaceContents } from './reading/workspace-contents.ts';
import { notebookLanguages } from './search/notebook-languages.ts';
import { NotesGrep } from './search/notes-grep.ts';
import type { NotesSearch } from './search/notes-search.ts';
import { RelatedNotes } from './search/related-notes.ts';
import { SavedSearches } from './search/saved-searches.ts';

export interface NoteQueriesDeps extends NotesReaderDeps {
  readonly reader: NotesReader;
  readonly search: NotesSearch;
  readonly clock: Clock;
  readonly assets: AssetStore;
}

/** Wires the reads beyond whole documents and search. Each asks `access` for every block that it shows. */
export function createNoteQueries(deps: NoteQueriesDeps): NoteQueries {
  const neighbours = new BlockNeighbours(deps);
  const facts = new BlockFacts(deps);
  const texts = new DocumentTexts(deps);
  const whole = { ...deps, texts, now: () => deps.clock.now() };
  const grep = new NotesGrep(whole);
  const backlinks = new NotesBacklinks(deps);
  const index = new NotesIndex(deps);
  const below = new NotesBelow(deps);
  const cards = new Flashcards(whole);
  const files = new NoteAssets(deps);
  const databases = new DatabaseReader(deps);
  const sql = createNotesSql(deps.routes, deps.access);
  const saved = new SavedSearches({ ...deps, sql });
  const related = new RelatedNotes({ neighbours, search: deps.search });
  const { exportMarkdown } = createNotesExport(whole);
  return {
    blocks: (query, signal) => neighbours.blocks(query, signal),
    blockInfo: (ids, signal) => facts.blockInfo(ids, signal),
    attributes: (id, signal) => facts.attributes(id, signal),
    grep: (query, signal, progress) => grep.grep(query, signal, progress),
    backlinks: (query, signal) => backlinks.backlinks(query, signal),
    sql: (query, signal) => sql.sql(query, signal),
    recentDocuments: (query, signal) => index.recentDocuments(query, signal),
    changeMark: (query, signal) => below.changeMark(query, signal),
    notesBelow: (ids, signal) => below.notesBelow(ids, signal),
    languages: (signal) => notebookLanguages(deps, signal),
    contents: (signal) => workspaceContents(deps, signal),
    related: (query, signal) => related.related(query, signal),
    flashcards: (query, signal) => cards.flashcards(query, signal),
    assets: (query, signal) => files.assets(query, signal),
    assetFile: (path, signal) => files.assetFile(path, signal),
    unusedAssets: (query, signal) => files.unusedAssets(query, signal),
    databases: (query, signal) => databases.databases(query, signal),
    database: (query, signal) => databases.database(query, signal),
    tags: (query, signal) => index.tags(query, signal),
    savedSearches: (signal) => saved.savedSearches(signal),
    findSaved: (query, signal) => saved.findSaved(query, signal),
    exportMarkdown,
  };
}
