import { ToolError } from '../../../tools/contract/errors.ts';
import type { ChangePlan, PlanOperation } from '../../../tools/contract/plans.ts';
import type { Tool, ToolArguments, ToolContext, ToolExecuteResult } from '../../../tools/contract/types.ts';
import { WRITE_FILE } from '../../../tools/groups/common/beyond-notes.ts';
import { defineTool, textArgument, WRITE_ASKING } from '../../../tools/util/define.ts';
import { preview } from '../../../tools/util/graphemes.ts';
import type { FilesPort, FileWrite, PlannedWrite } from './files-port.ts';

const MAX_CONTENT = 400_000;

const DESCRIPTION = `Write content to a file. Two modes:
- mode='overwrite' (default): create or overwrite the file
- mode='append': append to end of file (creates if not exists)
IMPORTANT: For large content (>2000 chars), you MUST split into multiple calls:
 1. write_file(path='a.html', content='<first part>') → create
 2. write_file(path='a.html', content='<second part>', mode='append')
 3. write_file(path='a.html', content='<third part>', mode='append')
This prevents token limit truncation errors.`;

/** The plan is the file before and after: what was shown is written. */
export function createWriteFile(files: FilesPort): Tool {
  return defineTool({
    name: WRITE_FILE.name,
    description: DESCRIPTION,
    properties: {
      path: { type: 'string', description: 'Path to the file (relative to workspace or absolute)' },
      content: { type: 'string', maxLength: MAX_CONTENT, description: 'Content to write' },
      mode: { enum: ['overwrite', 'append'], description: "Write mode: 'overwrite' (default) or 'append'" },
    },
    required: ['path', 'content'],
    ...WRITE_ASKING,
    compressArgs: ({ path, mode, content }) => JSON.stringify({ path, mode, content: preview(String(content), 60) }),
    plan: async (args, { callId, signal }) => planOf(await files.plan(writeOf(args), signal), callId),
    execute: async (args, context) => write(files, args, context),
  });
}

function writeOf(args: ToolArguments): FileWrite {
  const mode = args.mode === 'append' ? 'append' : 'overwrite';
  return { path: textArgument(args, 'path') ?? '', content: textArgument(args, 'content') ?? '', mode };
}

function planOf({ path, folder, before, after }: PlannedWrite, callId: string): ChangePlan {
  const operation: PlanOperation = {
    id: 'file',
    blockId: '',
    blockType: '',
    before,
    after,
    requires: [],
    to: path,
    action: 'write-file',
  };
  return {
    id: `file-${callId}`,
    tool: 'write_file',
    notebook: { id: '', name: folder },
    document: { id: null, title: path, path: folder },
    operations: before === after ? [] : [operation],
    anchorId: null,
    undo: { kind: 'exact' },
    notices: [],
  };
}

async function write(files: FilesPort, args: ToolArguments, context: ToolContext): Promise<ToolExecuteResult> {
  const plan = context.approvedPlan?.plan;
  const { to: path, before, after } = plan?.operations[0] ?? {};
  if (plan === undefined || path === undefined || before === undefined || typeof after !== 'string')
    throw new ToolError('not_approved', 'nothing was approved for this call', 'call the tool through the executor');
  const { sessionId, nodeId, callId } = context;
  await files.write({ path, folder: plan.notebook.name, before, after }, { sessionId, nodeId, callId }, context.signal);
  const added = args.mode === 'append' ? after.length - (before?.length ?? 0) : after.length;
  const changed = args.mode === 'append' ? 'appended to' : 'overwrote';
  const did = before === null ? 'created' : changed;
  return {
    status: 'success',
    data: `${did} ${path}: ${added} characters written\nundo: exact`,
    written: { blockIds: [], documentId: '', title: path, undoable: true },
  };
}
