import type { NotebookRequest } from '../contract/note-planner.ts';
import type { NotebookInfo, NotesPort } from '../contract/ports.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolGroup } from '../contract/types.ts';
import { READ_FREELY, WRITE_ASKING } from '../util/define.ts';
import { applyApproved } from './common/approved-write.ts';
import { defineNoteTool, neededText } from './common/note-tool.ts';
import { resolveNotebook } from './common/notebook-names.ts';
import { changesResult } from './common/write-result.ts';

export function createNotebooksGroup(notes: NotesPort): ToolGroup {
  return {
    name: 'notebooks',
    rulePrompt:
      'Notes live in notebooks, as trees of documents. A document is a list of blocks; each has an id like 20240131120000-abc1234.',
    tools: [createListNotebooks(notes), createManageNotebook(notes)],
  };
}

export const LIST_NOTEBOOKS = {
  name: 'list_notebooks',
  kind: 'list',
  icon: 'iconMarginaliaNotebook',
  examples: [{}],
} as const satisfies ToolInfo;

function createListNotebooks(notes: NotesPort): Tool {
  return defineNoteTool({
    name: LIST_NOTEBOOKS.name,
    description: "List the user's notebooks with ids and rights.",
    properties: {},
    required: [],
    ...READ_FREELY,
    execute: async (_args, context) => {
      const visible = await notes.notebooks(context.signal);
      return {
        status: 'success',
        data: visible.map(lineOf).join('\n') || 'no notebook may be read',
        notebooks: visible.map(({ id }) => id),
      };
    },
  });
}

function lineOf({ name, id, open, right, encrypted }: NotebookInfo): string {
  if (encrypted !== undefined) return `${name} [${id}] encrypted: no tool reads, searches or changes it`;
  return `${name} [${id}] ${open ? 'open' : 'closed'}, rights: ${right}${right === 'create' ? ' (new notes by create_doc, nothing is read)' : ''}`;
}

const OPS: readonly NotebookRequest['op'][] = ['create', 'rename', 'open', 'close', 'remove'];
const DID = { create: 'created', rename: 'renamed', open: 'opened', close: 'closed', remove: 'removed' } as const;

export const MANAGE_NOTEBOOK = {
  name: 'manage_notebook',
  kind: 'write',
  icon: 'iconMarginaliaNotebook',
  subject: ['name'],
  examples: [
    { op: 'create', name: 'Ideas' },
    { op: 'rename', id: 'Work', name: 'Job' },
  ],
} as const satisfies ToolInfo;

/** Asks every time, nothing is remembered, hence no approvalScope. */
function createManageNotebook(notes: NotesPort): Tool {
  return defineNoteTool({
    name: MANAGE_NOTEBOOK.name,
    description: 'Create, rename, open, close or remove a notebook.',
    properties: {
      op: { enum: OPS },
      id: { type: 'string', description: 'notebook id or name; not for create' },
      name: { type: 'string', description: 'for create and rename' },
    },
    required: ['op'],
    byNeed: 'create, rename, open, close or remove a notebook',
    ...WRITE_ASKING,
    deletes: true,
    plan: async (args, { signal }) => notes.planNotebook(await requestOf(notes, args, signal), 'manage_notebook', signal),
    execute: async (args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      const op = opOf(args);
      const result = changesResult(DID[op], approved, report, { gone: op === 'remove' });
      // A notebook is not a block: nothing in it can be cited.
      return { ...result, blockIds: [] };
    },
  });
}

function opOf(args: ToolArguments): NotebookRequest['op'] {
  return OPS.find((op) => op === args.op) ?? 'create';
}

async function requestOf(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<NotebookRequest> {
  const op = opOf(args);
  if (op === 'create') return { op, name: neededText(args, 'name', 'manage_notebook').trim() };
  const wanted = neededText(args, 'id', 'manage_notebook');
  const name = op === 'rename' ? neededText(args, 'name', 'manage_notebook').trim() : '';
  const { id } = await resolveNotebook(notes, wanted, signal);
  return op === 'rename' ? { op, id, name } : { op, id };
}
