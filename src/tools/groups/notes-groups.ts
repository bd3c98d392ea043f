import type { Clock, NotesPort } from '../contract/ports.ts';
import type { ToolGroup } from '../contract/types.ts';
import type { ReadPdf } from '../file-text/pdf-text.ts';
import { createAssetsGroup } from './assets.ts';
import { createAttributesGroup } from './attributes.ts';
import { createBlocksGroup } from './blocks/blocks.ts';
import { createDatabasesGroup } from './databases.ts';
import { createDocumentsGroup } from './documents/documents.ts';
import { createExportGroup, type ExportOptions } from './export.ts';
import { createFlashcardsGroup } from './flashcards.ts';
import { createNotebooksGroup } from './notebooks.ts';
import { createSearchGroup } from './search/search.ts';
import type { SearchOptions } from './search/search-notes.ts';
import { createTagsGroup } from './tags.ts';

export type NotesGroupsOptions = SearchOptions & ExportOptions & { readonly readPdf?: ReadPdf | undefined };

/** Every group over notes, in the order of the settings. */
export function createNotesGroups(notes: NotesPort, clock: Clock, options: NotesGroupsOptions = {}): readonly ToolGroup[] {
  return [
    createNotebooksGroup(notes),
    createDocumentsGroup(notes, clock),
    createBlocksGroup(notes),
    createSearchGroup(notes, options),
    createAttributesGroup(notes),
    createTagsGroup(notes),
    createDatabasesGroup(notes),
    createFlashcardsGroup(notes),
    createAssetsGroup(notes, options.readPdf),
    createExportGroup(notes, options),
  ];
}

/** Groups that are on by default; with `basic` and the variables about 3,400 tokens (token-budget.test.ts). */
export const GROUP_DEFAULTS: Readonly<Record<string, boolean>> = {
  basic: true,
  notebooks: true,
  documents: true,
  blocks: true,
  search: true,
  attributes: true,
  tags: true,
  databases: false,
  flashcards: false,
  assets: false,
  export: true,
  files: false,
  web: false,
  script: false,
  memory: false,
  skills: true,
  agents: false,
  plan: true,
};
