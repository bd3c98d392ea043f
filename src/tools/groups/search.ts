import type { NotesPort, SearchQuery } from '../ports.ts';
import type { Tool, ToolArguments, ToolExecuteResult, ToolGroup } from '../types.ts';
import { defineTool, numberArgument, READ_FREELY, textArgument, textListArgument } from './define.ts';
import { formatSearch } from './format-notes.ts';
import { resolveNotebook } from './notebook-names.ts';

const MODES: readonly SearchQuery['mode'][] = ['keyword', 'syntax', 'regex'];
const PAGE_SIZE = 20;

/** TOOLS.md, group `search`, as far as it is built. */
export function createSearchGroup(notes: NotesPort): ToolGroup {
  return {
    name: 'search',
    rulePrompt: 'search_notes finds words, not meanings: search with one or two telling words, then other words for the same thing.',
    tools: [createSearchNotes(notes)],
  };
}

function createSearchNotes(notes: NotesPort): Tool {
  return defineTool({
    name: 'search_notes',
    description: 'Search all notes. Gives blocks with ids; read the document for the whole text.',
    properties: {
      query: { type: 'string', minLength: 1 },
      mode: { enum: MODES, description: 'keyword (default), syntax (AND, OR, NOT, "phrase") or regex' },
      notebooks: { type: 'array', items: { type: 'string' }, description: 'ids or names; default all' },
      types: {
        type: 'array',
        items: { type: 'string' },
        description: 'type letters: d document, h heading, p paragraph, l list, i item, c code, t table, b quote',
      },
      page: { type: 'integer', minimum: 1 },
    },
    required: ['query'],
    ...READ_FREELY,
    execute: (args, { signal }) => search(notes, args, signal),
  });
}

async function search(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<ToolExecuteResult> {
  const page = numberArgument(args, 'page', 1);
  const wanted = textListArgument(args, 'notebooks');
  const types = textListArgument(args, 'types');
  const notebooks = wanted === undefined ? undefined : await Promise.all(wanted.map((name) => resolveNotebook(notes, name, signal)));
  const query: SearchQuery = {
    query: textArgument(args, 'query') ?? '',
    mode: MODES.find((mode) => mode === args.mode) ?? 'keyword',
    page,
    pageSize: PAGE_SIZE,
    ...(notebooks === undefined ? {} : { notebooks: notebooks.map(({ id }) => id) }),
    ...(types === undefined ? {} : { types }),
  };
  const found = await notes.search(query, signal);
  return {
    status: 'success',
    data: formatSearch(found, (page - 1) * PAGE_SIZE + 1),
    notebooks: [...new Set(found.hits.map((hit) => hit.notebook))],
    blockIds: [...new Set(found.hits.flatMap((hit) => [hit.id, hit.documentId]))],
  };
}
