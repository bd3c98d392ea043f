import { ToolError } from '../../contract/errors.ts';
import type { OrganizeRequest } from '../../contract/note-planner.ts';
import { isListed } from '../../contract/notebook-right.ts';
import type { NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments } from '../../contract/types.ts';
import { textArgument, WRITE_ASKING } from '../../util/define.ts';
import { applyApproved, NOTEBOOK_SCOPE } from '../common/approved-write.ts';
import { BLOCK_ID, defineNoteTool, ID_LIST, idListArgument, neededText } from '../common/note-tool.ts';
import { resolveNotebook } from '../common/notebook-names.ts';
import { changesResult, writeResult } from '../common/write-result.ts';

export const CREATE_DOC = {
  name: 'create_doc',
  kind: 'write',
  icon: 'iconAdd',
  subject: ['path'],
  examples: [{ notebook: 'Work', path: '/Apollo/Summary', markdown: 'Launch in May.' }],
} as const satisfies ToolInfo;

export function createCreateDoc(notes: NotesPort): Tool {
  return defineNoteTool({
    name: CREATE_DOC.name,
    description: 'Create a document. An existing path is refused.',
    properties: {
      notebook: { type: 'string', description: 'id or name' },
      path: { type: 'string', description: 'with the title last, e.g. /Projects/Apollo/Summary' },
      markdown: { type: 'string', description: 'the text, without the title' },
      ifExists: { enum: ['error'] },
    },
    required: ['notebook', 'path', 'markdown'],
    ...WRITE_ASKING,
    onlyAdds: true,
    approvalScope: NOTEBOOK_SCOPE,
    plan: async (args, { signal }) => {
      const notebook = await resolveNotebook(notes, textArgument(args, 'notebook') ?? '', signal, isListed);
      const request = { notebook: notebook.id, path: textArgument(args, 'path') ?? '', markdown: textArgument(args, 'markdown') ?? '' };
      return notes.planCreateDocument(request, 'create_doc', signal);
    },
    execute: async (_args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return writeResult(`created ${approved.plan.document.path}`, approved, report);
    },
  });
}

const ORGANIZE: readonly OrganizeRequest['op'][] = ['rename', 'move', 'duplicate'];
const DID = { rename: 'renamed', move: 'moved', duplicate: 'duplicated' } as const;

export const ORGANIZE_DOC = {
  name: 'organize_doc',
  kind: 'write',
  icon: 'iconFile',
  subject: ['target'],
  examples: [{ ids: ['/Apollo'], op: 'rename', target: 'Artemis' }],
} as const satisfies ToolInfo;

/** Asks every time, nothing is remembered, hence no approvalScope. */
export function createOrganizeDoc(notes: NotesPort): Tool {
  return defineNoteTool({
    name: ORGANIZE_DOC.name,
    description: 'Rename, move or duplicate documents. Documents below move along.',
    properties: {
      op: { enum: ORGANIZE },
      ids: { ...ID_LIST, description: 'document ids' },
      target: { type: 'string', description: 'rename: new title; move: document id, or notebook id or name' },
    },
    required: ['op', 'ids'],
    byNeed: 'rename, move, duplicate or delete documents',
    ...WRITE_ASKING,
    plan: async (args, { signal }) => notes.planOrganize(await organizeRequest(notes, args, signal), 'organize_doc', signal),
    execute: async (args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return changesResult(DID[opOf(args)], approved, report);
    },
  });
}

function opOf(args: ToolArguments): OrganizeRequest['op'] {
  return ORGANIZE.find((op) => op === args.op) ?? 'rename';
}

async function organizeRequest(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<OrganizeRequest> {
  const op = opOf(args);
  const ids = idListArgument(args, 'ids');
  if (op === 'duplicate') return { op, ids };
  const target = neededText(args, 'target', 'organize_doc').trim();
  if (op === 'rename' && ids.length > 1) {
    throw new ToolError('bad_arguments', `${ids.length} documents cannot get one title`, 'rename one at a time');
  }
  if (op === 'rename' || BLOCK_ID.test(target)) return { op, ids, target };
  return { op, ids, target: (await resolveNotebook(notes, target, signal)).id };
}

export const DELETE_DOC = {
  name: 'delete_doc',
  kind: 'write',
  icon: 'iconTrashcan',
  examples: [{ ids: ['/Apollo'] }],
} as const satisfies ToolInfo;

/** Asks every time, hence no approvalScope. The plan lists the documents below and the references that are affected. */
export function createDeleteDoc(notes: NotesPort): Tool {
  return defineNoteTool({
    name: DELETE_DOC.name,
    description: 'Delete documents and all documents below them.',
    properties: { ids: { ...ID_LIST, description: 'document ids' } },
    required: ['ids'],
    byNeed: 'rename, move, duplicate or delete documents',
    ...WRITE_ASKING,
    deletes: true,
    plan: (args, { signal }) => notes.planDeleteDocuments({ ids: idListArgument(args, 'ids') }, 'delete_doc', signal),
    execute: async (_args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return changesResult('deleted', approved, report, { gone: true });
    },
  });
}
