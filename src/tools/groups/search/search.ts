import type { NotesPort } from '../../contract/ports.ts';
import type { ToolGroup } from '../../contract/types.ts';
import { skillText } from '../skill-texts/load-text.ts';
import { BACKLINKS, createBacklinks, createGrepDoc, GREP_DOC } from './find-in-notes.ts';
import { createQuerySql, QUERY_SQL } from './query-sql.ts';
import { createRecentDocs, RECENT_DOCS } from './recent-docs.ts';
import { createRelatedNotes, RELATED_NOTES } from './related-notes.ts';
import { createSearchNotes, SEARCH_NOTES, type SearchOptions } from './search-notes.ts';

/** Keeps the first known value for the lifetime of a chat: a changed prompt would miss the prompt cache. */
function lasting(find: () => readonly string[]): () => readonly string[] {
  let known: readonly string[] = [];
  return () => {
    if (known.length === 0) known = find();
    return known;
  };
}

const named = (languages: readonly string[]): string =>
  languages.length === 0 ? 'languages of the notes' : `the languages of the notebooks (${languages.join(', ')})`;

export const SEARCH_TOOLS = [SEARCH_NOTES, GREP_DOC, BACKLINKS, QUERY_SQL, RELATED_NOTES, RECENT_DOCS];

export function createSearchGroup(notes: NotesPort, options: SearchOptions = {}): ToolGroup {
  const languages = lasting(options.languages ?? (() => []));
  return {
    name: 'search',
    rulePrompt: (names) =>
      [
        `search_notes: ask in words of the question and ${named(languages())}, then in others; its parts in "also".`,
        ...(names.includes('grep_doc') ? ['grep_doc finds the lines of one long document; read_block shows what is around a match.'] : []),
      ].join('\n'),
    declareSkillRules: {
      sql: { desc: 'tables, with examples', when: 'for SQL', prompt: skillText('SQL_RULE') },
    },
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
