import { ToolError } from '../errors.ts';
import type { Clock, DocumentAddress, NotesPort } from '../ports.ts';
import type { Tool, ToolArguments, ToolGroup } from '../types.ts';
import { applyApproved, NOTEBOOK_SCOPE } from './approved-write.ts';
import { createDailyNote } from './daily-note.ts';
import { defineTool, numberArgument, READ_FREELY, textArgument, WRITE_ASKING } from './define.ts';
import { formatListing, writeResult } from './format-notes.ts';
import { BLOCK_ID, resolveNotebook } from './notebook-names.ts';
import { readDocument, truncateReading } from './read-document.ts';

const PAGE_SIZE = 50;

/** TOOLS.md, group `documents`, as far as it is built. */
export function createDocumentsGroup(notes: NotesPort, clock: Clock): ToolGroup {
  return {
    name: 'documents',
    rulePrompt: (names) =>
      [
        'Read before you answer: find documents with search_notes or list_docs, then read_doc. `next:` at the end of a result tells how to read on.',
        'Cite a block that you read as ((id "a few words")). Never invent an id.',
        ...(names.includes('create_doc') ? ["create_doc makes a new document; daily_note op=append writes into a day's note."] : []),
      ].join('\n'),
    tools: [createListDocs(notes), createReadDoc(notes), createCreateDoc(notes), createDailyNote(notes, clock)],
  };
}

function createListDocs(notes: NotesPort): Tool {
  return defineTool({
    name: 'list_docs',
    description: 'List documents below a notebook or document as a tree. (+n) = n documents deeper.',
    properties: {
      parent: { type: 'string', minLength: 1, description: 'notebook id or name, or document id' },
      depth: { type: 'integer', minimum: 1, maximum: 8, description: 'levels (default 2)' },
      page: { type: 'integer', minimum: 1 },
    },
    required: ['parent'],
    ...READ_FREELY,
    execute: async (args, { signal }) => {
      const wanted = textArgument(args, 'parent') ?? '';
      const parent = BLOCK_ID.test(wanted) ? wanted : (await resolveNotebook(notes, wanted, signal)).id;
      const query = { parent, depth: numberArgument(args, 'depth', 2), page: numberArgument(args, 'page', 1), pageSize: PAGE_SIZE };
      const listing = await notes.documents(query, signal);
      const blockIds = listing.documents.map((document) => document.id);
      return { status: 'success', data: formatListing(listing), notebooks: [listing.notebook.id], blockIds };
    },
  });
}

const READ_PROPERTIES = {
  start: { type: 'integer', minimum: 0, description: 'first block, 0-based; from `next:`' },
  blocks: { type: 'integer', minimum: 1, maximum: 500, description: 'blocks at most (default 50)' },
  tokens: { type: 'integer', minimum: 50, maximum: 20_000, description: 'length at most (default 2000)' },
  showIds: { type: 'boolean', description: 'show block ids and hashes, needed for editing and citing (default true)' },
} as const;

function createReadDoc(notes: NotesPort): Tool {
  return defineTool({
    name: 'read_doc',
    description: 'Read a document by id or path. Each block begins with @@id@@type#hash.',
    properties: {
      id: { type: 'string', description: 'document id' },
      path: { type: 'string', description: 'path in words, e.g. /Projects/Apollo, when the id is unknown' },
      ...READ_PROPERTIES,
    },
    required: [],
    ...READ_FREELY,
    truncateForLLM: truncateReading,
    execute: (args, { signal }) => readDocument(notes, addressOf(args), args, signal),
  });
}

function addressOf(args: ToolArguments): DocumentAddress {
  const id = textArgument(args, 'id');
  const path = textArgument(args, 'path');
  if (id !== undefined && id !== '') return { id };
  if (path !== undefined && path !== '') return { path };
  throw new ToolError('bad_arguments', 'neither id nor path is given', 'call read_doc with the id from search_notes or list_docs');
}

function createCreateDoc(notes: NotesPort): Tool {
  return defineTool({
    name: 'create_doc',
    description: 'Create a document. The user sees it and approves first.',
    properties: {
      notebook: { type: 'string', minLength: 1, description: 'id or name' },
      path: { type: 'string', minLength: 1, description: 'path in words with the title last, e.g. /Projects/Apollo/Summary' },
      markdown: { type: 'string', description: 'the text, without the title' },
      ifExists: { enum: ['error'], description: 'an existing path is always refused' },
    },
    required: ['notebook', 'path', 'markdown'],
    ...WRITE_ASKING,
    approvalScope: NOTEBOOK_SCOPE,
    plan: async (args, { signal }) => {
      const notebook = await resolveNotebook(notes, textArgument(args, 'notebook') ?? '', signal);
      const request = { notebook: notebook.id, path: textArgument(args, 'path') ?? '', markdown: textArgument(args, 'markdown') ?? '' };
      return notes.planCreateDocument(request, 'create_doc', signal);
    },
    execute: async (_args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return writeResult(`created ${approved.plan.document.path}`, approved, report);
    },
  });
}
