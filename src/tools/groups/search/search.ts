import type { NotesPort } from '../../contract/ports.ts';
import type { ToolGroup } from '../../contract/types.ts';
import { BACKLINKS, createBacklinks, createGrepDoc, GREP_DOC } from './find-in-notes.ts';
import { createQuerySql, QUERY_SQL } from './query-sql.ts';
import { createRecentDocs, RECENT_DOCS } from './recent-docs.ts';
import { createRelatedNotes, RELATED_NOTES } from './related-notes.ts';
import { createSearchNotes, SEARCH_NOTES, type SearchOptions } from './search-notes.ts';

export const SEARCH_TOOLS = [SEARCH_NOTES, GREP_DOC, BACKLINKS, QUERY_SQL, RELATED_NOTES, RECENT_DOCS];

/** Group `search`: finding notes by words, by pattern, by SQL, by date. */
export function createSearchGroup(notes: NotesPort, options: SearchOptions = {}): ToolGroup {
  return {
    name: 'search',
    rulePrompt: (names) =>
      [
        'search_notes: ask in words of the question and languages of the notes, then in others.',
        ...(options.meaningServer ? ['mode=semantic adds meaning.'] : []),
        ...(names.includes('grep_doc') ? ['grep_doc finds the lines of one long document; read_block shows what is around a match.'] : []),
      ].join('\n'),
    tools: [
      createSearchNotes(notes, options),
      createGrepDoc(notes),
      createBacklinks(notes),
      createQuerySql(notes),
      createRelatedNotes(notes),
      createRecentDocs(notes),
    ],
  };
}
