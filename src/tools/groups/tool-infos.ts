import { VARS_TOOLS } from '../executor/vars.ts';
import { ASSETS } from './assets.ts';
import { ATTRIBUTES } from './attributes.ts';
import { BASIC_TOOLS } from './basic/basic.ts';
import { BLOCKS_TOOLS } from './blocks/blocks.ts';
import { BEYOND_NOTES } from './common/beyond-notes.ts';
import { DATABASE_TOOLS } from './databases.ts';
import { DOCUMENTS_TOOLS } from './documents/documents.ts';
import { EXPORT_DOC } from './export.ts';
import { FLASHCARDS } from './flashcards.ts';
import { LIST_NOTEBOOKS, MANAGE_NOTEBOOK } from './notebooks.ts';
import { SEARCH_TOOLS } from './search/search.ts';
import { TAGS } from './tags.ts';

export const TOOL_INFOS = [
  ...BASIC_TOOLS,
  LIST_NOTEBOOKS,
  MANAGE_NOTEBOOK,
  ...DOCUMENTS_TOOLS,
  ...BLOCKS_TOOLS,
  ...SEARCH_TOOLS,
  ATTRIBUTES,
  TAGS,
  ...DATABASE_TOOLS,
  FLASHCARDS,
  ASSETS,
  EXPORT_DOC,
  ...VARS_TOOLS,
  ...BEYOND_NOTES,
];
