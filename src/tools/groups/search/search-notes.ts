import { SEARCH_TYPES } from '../../contract/block-kinds.ts';
import { ToolError } from '../../contract/errors.ts';
import type { FoundNote } from '../../contract/found-notes.ts';
import type { SearchMatch, SearchPage, SearchQuery } from '../../contract/note-readings.ts';
import type { NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from '../../contract/types.ts';
import { numberArgument, READ_FREELY, textArgument, textListArgument } from '../../util/define.ts';
import { realDay } from '../common/days.ts';
import { nextPage } from '../common/format-lists.ts';
import { foundIds, groupByNote, noteLines } from '../common/found-notes.ts';
import { defineNoteTool } from '../common/note-tool.ts';
import { resolveNotebooks } from '../common/notebook-names.ts';
import { searchAll } from './several-queries.ts';

export interface SearchOptions {
  /** NotesPort.meaningServer, as far as known now, if the person lets searches ask it. Checked again before something is sent. */
  readonly meaningServer?: () => string | undefined;
  readonly languages?: () => readonly string[];
}

const MODES = ['relevance', 'keyword', 'syntax', 'regex'];
/** Matches on a page; by relevance, notes with one to three passages each. */
const PAGE_SIZE = 20;
const NOTES = 10;

export const SEARCH_NOTES = {
  name: 'search_notes',
  kind: 'search',
  icon: 'iconSearch',
  subject: ['query'],
  examples: [{ query: 'launch', tags: ['space'] }],
} as const satisfies ToolInfo;

export function createSearchNotes(notes: NotesPort, { meaningServer }: SearchOptions): Tool {
  /** One that was not allowed, or was set since, gets nothing. */
  const asksMeaning = async (signal: AbortSignal): Promise<boolean> => {
    const server = meaningServer?.();
    return server !== undefined && (await notes.meaningServer(signal)) === server;
  };
  return defineNoteTool({
    name: SEARCH_NOTES.name,
    description: 'Search all notes: the best ones with passages.',
    properties: {
      query: { type: 'string', description: 'question or words' },
      also: {
        type: 'array',
        items: { type: 'string' },
        description: 'more queries: parts of the question',
      },
      mode: { enum: MODES, description: 'default relevance; keyword: all words; syntax: AND OR NOT "phrase"' },
      notebooks: { type: 'array', items: { type: 'string' }, description: 'ids or names' },
      types: {
        type: 'array',
        items: { type: 'string' },
        description: 'd document, h heading, p paragraph, l list, c code, t table',
      },
      tags: { type: 'array', items: { type: 'string' } },
      updatedFrom: { type: 'string', description: 'YYYY-MM-DD' },
      updatedTo: { type: 'string' },
      page: { type: 'integer', minimum: 1 },
    },
    required: ['query'],
    ...READ_FREELY,
    execute: async (args, { signal }) => {
      const mode = modeOf(args);
      const isRanked = mode === 'relevance';
      const query: SearchQuery = {
        query: textArgument(args, 'query') ?? '',
        mode,
        ...(isRanked && (await asksMeaning(signal)) ? { meaning: true } : {}),
        page: numberArgument(args, 'page', 1),
        pageSize: isRanked ? NOTES : PAGE_SIZE,
        ...(await filtersOf(notes, args, signal)),
      };
      const also = isRanked ? (textListArgument(args, 'also') ?? []) : [];
      return resultOf(notes, query, await searchAll(notes, query, also, signal), args, signal);
    },
  });
}

const modeOf = ({ mode }: ToolArguments): SearchQuery['mode'] =>
  mode === 'keyword' || mode === 'syntax' || mode === 'regex' ? mode : 'relevance';

async function resultOf(
  notes: NotesPort,
  query: SearchQuery,
  page: SearchPage,
  args: ToolArguments,
  signal: AbortSignal,
): Promise<ToolExecuteResult> {
  const named = page.matches.every(({ notebookName }) => notebookName !== undefined);
  const names = new Map(named ? [] : (await notes.notebooks(signal)).map(({ id, name }) => [id, name]));
  const nameOf = (match: SearchMatch): string => match.notebookName ?? names.get(match.notebook) ?? match.notebook;
  const found = groupByNote(
    page.matches.map((match) => {
      const { id, documentId, documentTitle: title, path, snippet: text, isSavedChat, alsoIn } = match;
      return { id, documentId, title, path, text, notebook: nameOf(match), isSavedChat, alsoIn };
    }),
  );
  return {
    status: 'success',
    data: formatPage(page, found, query, args),
    found: { notes: found, words: wordsToMark(query, page), missing: page.missing, byMeaning: page.byMeaning },
    notebooks: [...new Set(page.matches.map((match) => match.notebook))],
    blockIds: foundIds(found),
    fromIndex: page.fromIndex,
  };
}

const OPERATORS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'NEAR']);

/** The words to mark in the passages: the matching words or, if the search does not report them, those of the query. */
function wordsToMark({ mode, query }: SearchQuery, { matches }: SearchPage): readonly string[] {
  const matched = matches.flatMap(({ words = [] }) => words);
  const asked = mode === 'keyword' || mode === 'syntax' ? [...query.matchAll(/"([^"]+)"|[^\s"()*^:+]+/gu)] : [];
  return [...new Set([...matched, ...asked.map(([word, phrase]) => phrase ?? word).filter((word) => !OPERATORS.has(word))])];
}

/** A search that asked the embedding service says whether that counted. */
const HOW = { true: ', by words and meaning', false: ', by words alone: the embedding service gave nothing' } as const;

function formatPage(page: SearchPage, found: readonly FoundNote[], { mode }: SearchQuery, args: ToolArguments): string {
  const { missing = [], total, matches, byMeaning } = page;
  const none = matches.length === 0 ? ['try other or fewer words, fewer filters, or list_docs'] : [];
  const nowhere = missing.length === 0 ? [] : [`in no note: ${missing.join(', ')}`];
  const how = byMeaning === undefined ? '' : HOW[`${byMeaning}`];
  return [headOf(total, mode) + how, ...nowhere, ...noteLines(found), ...none, ...nextPage(SEARCH_NOTES.name, args, page.nextPage)].join(
    '\n',
  );
}

function headOf(total: number | null, mode: SearchQuery['mode']): string {
  if (mode === 'relevance') return total === null ? 'the best notes, more on the next page' : `${total} ${total === 1 ? 'note' : 'notes'}`;
  return total === null ? 'more matches than these' : `${total} ${total === 1 ? 'match' : 'matches'}`;
}

type Filters = Pick<SearchQuery, 'notebooks' | 'types' | 'tags' | 'updatedFrom' | 'updatedTo'>;

async function filtersOf(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<Filters> {
  const wanted = nonEmpty(textListArgument(args, 'notebooks'));
  const types = nonEmpty(textListArgument(args, 'types'));
  const tags = nonEmpty(textListArgument(args, 'tags'))?.map((tag) => tag.replaceAll(/^#+|#+$/gu, ''));
  const unknown = types?.filter((type) => !SEARCH_TYPES.includes(type)) ?? [];
  if (unknown.length > 0)
    throw new ToolError('bad_arguments', `there is no type ${unknown.join(', ')}`, `use some of ${SEARCH_TYPES.join(', ')}`);
  const notebooks = wanted === undefined ? undefined : await resolveNotebooks(notes, wanted, signal);
  const updatedFrom = dayOf(args, 'updatedFrom');
  const updatedTo = dayOf(args, 'updatedTo');
  if (updatedFrom !== undefined && updatedTo !== undefined && updatedFrom > updatedTo) {
    throw new ToolError('bad_date', `updatedFrom ${updatedFrom} is after updatedTo ${updatedTo}`, 'give the earlier day as updatedFrom');
  }
  return {
    notebooks: notebooks === undefined ? undefined : notebooks.map(({ id }) => id),
    types,
    tags,
    updatedFrom,
    updatedTo,
  };
}

function nonEmpty(list: readonly string[] | undefined): readonly string[] | undefined {
  const entries = (list ?? []).map((entry) => entry.trim()).filter((entry) => entry !== '');
  return entries.length === 0 ? undefined : entries;
}

function dayOf(args: ToolArguments, name: string): string | undefined {
  const text = textArgument(args, name);
  return text === undefined ? undefined : realDay(text.trim());
}
