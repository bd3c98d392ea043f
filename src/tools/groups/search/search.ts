import type { NotesPort } from '../../contract/ports.ts';
import type { ToolGroup } from '../../contract/types.ts';
import { createBacklinks, createGrepDoc } from './find-in-notes.ts';
import { createQuerySql } from './query-sql.ts';
import { createRecentDocs } from './recent-docs.ts';
import { createSearchNotes, type SearchOptions } from './search-notes.ts';

/** Group `search`: finding notes by words, by pattern, by SQL, by date. */
export function createSearchGroup(notes: NotesPort, options: SearchOptions = {}): ToolGroup {
  return {
    name: 'search',
    rulePrompt: (names) =>
      [
        options.searchByMeaning === true
          ? 'search_notes finds words: search with one or two distinctive words, then other words for the same thing, then mode=semantic.'
          : 'search_notes finds words, not meanings: search with one or two distinctive words, then other words for the same thing.',
        ...(names.includes('grep_doc') ? ['grep_doc finds the lines of one long document; read_block shows what is around a match.'] : []),
      ].join('\n'),
    tools: [
      createSearchNotes(notes, options),
      createGrepDoc(notes),
      createBacklinks(notes),
      createQuerySql(notes),
      createRecentDocs(notes),
    ],
  };
}
