import { ToolError } from '../../contract/errors.ts';
import type { DocumentAddress } from '../../contract/note-readings.ts';
import type { Clock, NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolGroup } from '../../contract/types.ts';
import { numberArgument, READ_FREELY, textArgument } from '../../util/define.ts';
import { formatListing } from '../common/format-lists.ts';
import { readDocument, truncateReading } from '../common/format-reading.ts';
import { BLOCK_ID, defineNoteTool, readId } from '../common/note-tool.ts';
import { resolveNotebook } from '../common/notebook-names.ts';
import { createDailyNote, DAILY_NOTE } from './daily-note.ts';
import { CREATE_DOC, createCreateDoc, createDeleteDoc, createOrganizeDoc, DELETE_DOC, ORGANIZE_DOC } from './organize-documents.ts';
import { createGetOutline, createReadDocs, GET_OUTLINE, READ_DOCS } from './read-documents.ts';

const PAGE_SIZE = 50;

const LIST_DOCS = {
  name: 'list_docs',
  kind: 'list',
  icon: 'iconMarginaliaChats',
  subject: ['parent'],
  examples: [{ parent: 'Work' }, { parent: '/Apollo' }],
} as const satisfies ToolInfo;

const READ_DOC = {
  name: 'read_doc',
  kind: 'read',
  icon: 'iconFile',
  subject: ['path', 'id'],
  examples: [{ id: '/Apollo' }],
} as const satisfies ToolInfo;

export const DOCUMENTS_TOOLS = [LIST_DOCS, READ_DOC, READ_DOCS, GET_OUTLINE, CREATE_DOC, ORGANIZE_DOC, DELETE_DOC, DAILY_NOTE];

export function createDocumentsGroup(notes: NotesPort, clock: Clock): ToolGroup {
  return {
    name: 'documents',
    rulePrompt: (names) =>
      [
        'Read before you answer: find documents with search_notes or list_docs, then read_doc. `next:` at the end of a result says how to read on.',
        'Cite a block that you read as ((id "a few words")). Never invent an id.',
        ...(names.includes('read_docs') ? ['Read several documents with one read_docs.'] : []),
        ...(names.includes('create_doc') ? ["create_doc makes a new document; daily_note op=append writes into a day's note."] : []),
      ].join('\n'),
    tools: [
      createListDocs(notes),
      createReadDoc(notes),
      createReadDocs(notes),
      createGetOutline(notes),
      createCreateDoc(notes),
      createOrganizeDoc(notes),
      createDeleteDoc(notes),
      createDailyNote(notes, clock),
    ],
  };
}

function createListDocs(notes: NotesPort): Tool {
  return defineNoteTool({
    name: LIST_DOCS.name,
    description: 'List documents below a notebook or document as a tree. (+n) = n more below.',
    properties: {
      parent: { type: 'string', description: 'notebook id or name, or document id' },
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
      return { status: 'success', data: formatListing(listing, args), notebooks: [listing.notebook.id], blockIds };
    },
  });
}

function createReadDoc(notes: NotesPort): Tool {
  return defineNoteTool({
    name: READ_DOC.name,
    description: 'Read a document by id or path. Each block begins with @@id@@type#hash.',
    properties: {
      id: { type: 'string', description: 'document id' },
      path: { type: 'string', description: 'e.g. /Projects/Apollo, when the id is unknown' },
      start: { type: 'integer', minimum: 0, description: 'first block, from `next:`' },
      blocks: { type: 'integer', minimum: 1, maximum: 500, description: 'at most (default 50)' },
      tokens: { type: 'integer', minimum: 50, maximum: 20_000, description: 'at most (default 2000)' },
      showIds: { type: 'boolean', description: 'default true; ids are needed to edit and cite' },
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
  if (id !== undefined) return { id: readId(id) };
  if (path !== undefined) return { path };
  throw new ToolError('bad_arguments', 'neither id nor path is given', 'call read_doc with the id from search_notes or list_docs');
}
