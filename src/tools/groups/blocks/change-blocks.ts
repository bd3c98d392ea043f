import { ToolError } from '../../contract/errors.ts';
import type { BlockTarget } from '../../contract/note-planner.ts';
import type { ApprovedPlan, PlanAction } from '../../contract/plans.ts';
import type { NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments } from '../../contract/types.ts';
import { textArgument, WRITE_ASKING } from '../../util/define.ts';
import { applyApproved, NOTEBOOK_SCOPE } from '../common/approved-write.ts';
import { defineNoteTool, ID_LIST, idArgument, idListArgument, readId } from '../common/note-tool.ts';
import { changesResult, writeResult, writtenBlocks } from '../common/write-result.ts';

export const MOVE_BLOCKS = {
  name: 'move_blocks',
  kind: 'write',
  icon: 'iconEdit',
  examples: [{ ids: ['/Apollo#1'], parent: '/Zeta' }],
} as const satisfies ToolInfo;

export function createMoveBlocks(notes: NotesPort): Tool {
  return defineNoteTool({
    name: MOVE_BLOCKS.name,
    description: 'Move blocks, in the given order, to the end of a parent or after another block.',
    properties: {
      ids: ID_LIST,
      parent: { type: 'string', description: 'document or container block id' },
      after: { type: 'string', description: 'block id' },
    },
    required: ['ids'],
    byNeed: 'move blocks',
    ...WRITE_ASKING,
    approvalScope: NOTEBOOK_SCOPE,
    plan: async (args, { signal }) =>
      notes.planMoveBlocks({ ids: idListArgument(args, 'ids'), target: targetOf(args) }, 'move_blocks', signal),
    execute: async (_args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      const order = await orderAround(notes, acceptedIds(approved)[0], context.signal);
      return writeResult(`moved ${approved.accepted.size} blocks into ${approved.plan.document.path}`, approved, report, order);
    },
  });
}

function targetOf(args: ToolArguments): BlockTarget {
  const parent = textArgument(args, 'parent');
  const after = textArgument(args, 'after');
  if (parent !== undefined && after === undefined) return { parent: readId(parent) };
  if (after !== undefined && parent === undefined) return { after: readId(after) };
  throw new ToolError('bad_arguments', 'give either parent or after', 'call move_blocks again with one of them');
}

function acceptedIds({ plan, accepted }: ApprovedPlan): readonly string[] {
  return plan.operations.filter(({ id }) => accepted.has(id)).map(({ blockId }) => blockId);
}

const AROUND = 12;

/** The current order around a moved block. The move is done, so a failed read is not a failure. */
async function orderAround(notes: NotesPort, id: string | undefined, signal: AbortSignal): Promise<readonly string[]> {
  if (id === undefined) return [];
  try {
    const { blocks } = await notes.blocks({ id, range: 'context', limit: AROUND }, signal);
    return [`order: ${blocks.map((block) => block.id).join(', ')}`];
  } catch (error) {
    if (error instanceof ToolError) return ['order: could not be read; read the document'];
    throw error;
  }
}

export const DELETE_BLOCKS = {
  name: 'delete_blocks',
  kind: 'write',
  icon: 'iconTrashcan',
  examples: [{ ids: ['/Apollo#1'] }],
} as const satisfies ToolInfo;

/** Asks every time, nothing is remembered, hence no approvalScope. */
export function createDeleteBlocks(notes: NotesPort): Tool {
  return defineNoteTool({
    name: DELETE_BLOCKS.name,
    description: 'Delete blocks and what is inside them.',
    properties: { ids: ID_LIST },
    required: ['ids'],
    ...WRITE_ASKING,
    deletes: true,
    plan: async (args, { signal }) => notes.planDeleteBlocks({ ids: idListArgument(args, 'ids') }, 'delete_blocks', signal),
    execute: async (_args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return changesResult(`deleted from ${approved.plan.document.path}`, approved, report, { gone: true });
    },
  });
}

const REWRITTEN: readonly (readonly [PlanAction, string])[] = [
  ['update', 'changed'],
  ['insert', 'added'],
  ['move', 'moved'],
  ['delete', 'deleted'],
];

export const REWRITE_DOC = {
  name: 'rewrite_doc',
  kind: 'write',
  icon: 'iconEdit',
  subject: ['id'],
  examples: [{ id: '/Apollo', markdown: '# Plan\n\nLaunch in June.' }],
} as const satisfies ToolInfo;

/** Asks every time, hence no approvalScope. */
export function createRewriteDoc(notes: NotesPort): Tool {
  return defineNoteTool({
    name: REWRITE_DOC.name,
    description: "Replace a document's whole text. Unchanged blocks keep their ids.",
    properties: { id: { type: 'string', description: 'document id' }, markdown: { type: 'string', description: 'without the title' } },
    required: ['id', 'markdown'],
    ...WRITE_ASKING,
    deletes: true,
    plan: async (args, { signal }) =>
      notes.planRewrite({ id: idArgument(args, 'id'), markdown: textArgument(args, 'markdown') ?? '' }, 'rewrite_doc', signal),
    execute: async (_args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      const accepted = approved.plan.operations.filter(({ id }) => approved.accepted.has(id));
      const counts = REWRITTEN.map(([action, did]) => [accepted.filter((operation) => operation.action === action).length, did] as const);
      const did = counts.filter(([count]) => count > 0).map(([count, word]) => `${word} ${count}`);
      const gone = new Set(accepted.filter(({ action }) => action === 'delete').map(({ blockId }) => blockId));
      const remaining = { ...report, blockIds: report.blockIds.filter((id) => !gone.has(id)) };
      const result = writeResult(`rewrote ${approved.plan.document.path} (${did.join(', ')} blocks)`, approved, remaining);
      return { ...result, written: writtenBlocks(approved, report) };
    },
  });
}
