import { ToolError } from '../errors.ts';
import type { ChangePlan } from '../plans.ts';
import type { InsertPosition, NotesPort } from '../ports.ts';
import type { Tool, ToolArguments, ToolGroup } from '../types.ts';
import { applyApproved, NOTEBOOK_SCOPE } from './approved-write.ts';
import { defineTool, textArgument, WRITE_ASKING } from './define.ts';
import { writeResult } from './format-notes.ts';

const POSITIONS: readonly InsertPosition[] = ['before', 'after', 'prepend', 'append'];

/** TOOLS.md, group `blocks`, as far as it is built. */
export function createBlocksGroup(notes: NotesPort): ToolGroup {
  return {
    name: 'blocks',
    rulePrompt:
      'Read a document just before you edit it. edit_block wants the hash that stands behind # in the read text; when it answers `stale`, read again. Change as little as needed: edits [{old,new}] rather than the whole block.',
    tools: [createEditBlock(notes), createInsertBlocks(notes)],
  };
}

function createEditBlock(notes: NotesPort): Tool {
  return defineTool({
    name: 'edit_block',
    description: 'Change one block: either edits (each old must occur exactly once) or the whole markdown. The user approves first.',
    properties: {
      id: { type: 'string', minLength: 1, description: 'block id' },
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
      markdown: { type: 'string', description: 'new text of the whole block' },
      expectHash: { type: 'string', minLength: 1, description: 'hash of the block as it was read' },
    },
    required: ['id', 'expectHash'],
    ...WRITE_ASKING,
    approvalScope: NOTEBOOK_SCOPE,
    plan: (args, { signal }) => planEdit(notes, args, signal),
    execute: async (args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return writeResult(`edited ${textArgument(args, 'id')} of ${approved.plan.document.path}`, approved, report);
    },
  });
}

async function planEdit(notes: NotesPort, args: ToolArguments, signal: AbortSignal): Promise<ChangePlan> {
  const target = { id: textArgument(args, 'id') ?? '', expectHash: (textArgument(args, 'expectHash') ?? '').replace(/^#/u, '') };
  const markdown = textArgument(args, 'markdown');
  const edits = editsOf(args);
  if ((edits === undefined) === (markdown === undefined)) {
    throw new ToolError('bad_arguments', 'give either edits or markdown', 'call edit_block again with one of them');
  }
  if (markdown !== undefined) return notes.planEdit({ ...target, markdown }, 'edit_block', signal);
  return notes.planEdit({ ...target, edits: edits ?? [] }, 'edit_block', signal);
}

/** Validated by the schema before; read again here so that nothing is taken on trust of a cast. */
function editsOf(args: ToolArguments): readonly { readonly old: string; readonly new: string }[] | undefined {
  const { edits } = args;
  if (!Array.isArray(edits)) return undefined;
  return edits.map((edit: { readonly old?: unknown; readonly new?: unknown }) => ({ old: String(edit.old), new: String(edit.new) }));
}

function createInsertBlocks(notes: NotesPort): Tool {
  return defineTool({
    name: 'insert_blocks',
    description:
      'Insert Markdown as new blocks: before or after a block, or at the start (prepend) or end (append) of a document. The user approves first.',
    properties: {
      anchor: { type: 'string', minLength: 1, description: 'block id, or document id for prepend and append' },
      position: { enum: POSITIONS },
      markdown: { type: 'string', description: 'the text' },
    },
    required: ['anchor', 'position', 'markdown'],
    ...WRITE_ASKING,
    approvalScope: NOTEBOOK_SCOPE,
    plan: (args, { signal }) => {
      const position = POSITIONS.find((known) => known === args.position) ?? 'append';
      const request = { anchor: textArgument(args, 'anchor') ?? '', position, markdown: textArgument(args, 'markdown') ?? '' };
      return notes.planInsert(request, 'insert_blocks', signal);
    },
    execute: async (_args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return writeResult(`inserted ${report.blockIds.length} blocks into ${approved.plan.document.path}`, approved, report);
    },
  });
}
