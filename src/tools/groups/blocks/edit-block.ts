import { ToolError } from '../../contract/errors.ts';
import type { ChangePlan } from '../../contract/plans.ts';
import type { InsertPosition, NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool, ToolArguments } from '../../contract/types.ts';
import { textArgument, WRITE_ASKING } from '../../util/define.ts';
import { applyApproved, NOTEBOOK_SCOPE } from '../common/approved-write.ts';
import { defineNoteTool, idArgument } from '../common/note-tool.ts';
import { writeResult } from '../common/write-result.ts';

const POSITIONS: readonly InsertPosition[] = ['before', 'after', 'prepend', 'append'];

export const EDIT_BLOCK = {
  name: 'edit_block',
  kind: 'write',
  icon: 'iconEdit',
  subject: ['markdown', 'edits'],
  examples: [{ id: '/Apollo#1', expectHash: '/Apollo#1', edits: [{ old: 'May', new: 'June' }] }],
} as const satisfies ToolInfo;

export function createEditBlock(notes: NotesPort): Tool {
  return defineNoteTool({
    name: EDIT_BLOCK.name,
    description:
      'Change one block by edits (each old must occur exactly once) or by its whole new markdown. Example: {"id":"20240131120000-abc1234","expectHash":"1a2b3c4d","edits":[{"old":"May","new":"June"}]}',
    properties: {
      id: { type: 'string', description: 'block id' },
      edits: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: { old: { type: 'string', minLength: 1 }, new: { type: 'string' } },
          required: ['old', 'new'],
          additionalProperties: false,
        },
      },
      markdown: { type: 'string' },
      expectHash: { type: 'string', description: 'the hash as it was read' },
    },
    required: ['id', 'expectHash'],
    ...WRITE_ASKING,
    approvalScope: NOTEBOOK_SCOPE,
    plan: (args, { signal }) => planEdit(notes, args, signal),
    execute: async (args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return writeResult(`edited ${idArgument(args, 'id')} of ${approved.plan.document.path}`, approved, report);
    },
  });
}

async function planEdit(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<ChangePlan> {
  const target = { id: idArgument(args, 'id'), expectHash: (textArgument(args, 'expectHash') ?? '').trim().replace(/^.*#/u, '') };
  const edits = editsOf(args);
  const whole = textArgument(args, 'markdown');
  const markdown = edits !== undefined && whole?.trim() === '' ? undefined : whole;
  if ((edits === undefined) === (markdown === undefined)) {
    throw new ToolError('bad_arguments', 'give either edits or markdown', 'call edit_block again with one of them');
  }
  if (markdown !== undefined) return notes.planEdit({ ...target, markdown }, 'edit_block', signal);
  return notes.planEdit({ ...target, edits: edits ?? [] }, 'edit_block', signal);
}

/** Validated by the schema before; parsed again here so that nothing relies on a cast. */
function editsOf(args: ToolArguments): readonly { readonly old: string; readonly new: string }[] | undefined {
  const { edits } = args;
  if (!Array.isArray(edits)) return undefined;
  return edits.map((edit: { readonly old?: unknown; readonly new?: unknown }) => ({ old: String(edit.old), new: String(edit.new) }));
}

export const INSERT_BLOCKS = {
  name: 'insert_blocks',
  kind: 'write',
  icon: 'iconAdd',
  subject: ['markdown'],
  examples: [{ anchor: '/Apollo#1', position: 'after', markdown: 'Budget: 3 million.' }],
} as const satisfies ToolInfo;

export function createInsertBlocks(notes: NotesPort): Tool {
  return defineNoteTool({
    name: INSERT_BLOCKS.name,
    description: 'Insert Markdown as new blocks: before or after a block, or at the start (prepend) or end (append) of a document.',
    properties: {
      anchor: { type: 'string', description: 'block id; document id for prepend and append' },
      position: { enum: POSITIONS },
      markdown: { type: 'string' },
    },
    required: ['anchor', 'position', 'markdown'],
    ...WRITE_ASKING,
    onlyAdds: true,
    approvalScope: NOTEBOOK_SCOPE,
    plan: async (args, { signal }) => {
      const position = POSITIONS.find((known) => known === args.position) ?? 'append';
      const request = { anchor: idArgument(args, 'anchor'), position, markdown: textArgument(args, 'markdown') ?? '' };
      return notes.planInsert(request, 'insert_blocks', signal);
    },
    execute: async (_args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return writeResult(`inserted ${report.blockIds.length} blocks into ${approved.plan.document.path}`, approved, report);
    },
  });
}
