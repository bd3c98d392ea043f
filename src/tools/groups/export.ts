import { ToolError } from '../contract/errors.ts';
import type { ChangePlan } from '../contract/plans.ts';
import type { ExportFiles, NotesPort } from '../contract/ports.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolContext, ToolExecuteResult, ToolGroup } from '../contract/types.ts';
import { READ_FREELY, WRITE_ASKING } from '../util/define.ts';
import { progressOf } from './common/approved-write.ts';
import { documentHeader, hiddenLines } from './common/format-reading.ts';
import { defineNoteTool, idArgument } from './common/note-tool.ts';

export interface ExportOptions {
  /** Where files are written. Absent: only text is offered. */
  readonly files?: ExportFiles;
}

export function createExportGroup(notes: NotesPort, options: ExportOptions = {}): ToolGroup {
  return { name: 'export', tools: [createExportDoc(notes, options.files)] };
}

export const EXPORT_DOC = {
  name: 'export_doc',
  kind: 'read',
  kinds: { file: 'write' },
  icon: 'iconMarginaliaExport',
  subject: ['format'],
  examples: [{ id: '/Apollo' }, { id: '/Apollo', format: 'file' }],
} as const satisfies ToolInfo;

/** As text it is a read; as a file it asks every time, and writes the text that was shown. */
function createExportDoc(notes: NotesPort, files: ExportFiles | undefined): Tool {
  const format = { enum: ['markdown', 'file'], description: 'markdown (default): text; file: a .md file for the user' };
  const asFile = {
    traits: (args: ToolArguments) => (args.format === undefined || args.format === 'markdown' ? READ_FREELY : WRITE_ASKING),
    plan: async (args: ToolArguments, { callId, signal }: ToolContext) =>
      planFile(notes, idArgument(args, 'id'), `export-${callId}`, signal),
  } satisfies Pick<Tool, 'traits' | 'plan'>;
  return defineNoteTool({
    name: EXPORT_DOC.name,
    description: 'A whole document as clean Markdown without ids.',
    properties: { id: { type: 'string', description: 'document id' }, ...(files === undefined ? {} : { format }) },
    required: ['id'],
    byNeed: 'a document as plain Markdown or as a file',
    ...(files === undefined ? READ_FREELY : { ...WRITE_ASKING, ...asFile }),
    execute: async (args, context) =>
      files === undefined || args.format !== 'file'
        ? exportText(notes, idArgument(args, 'id'), context)
        : writeFile(notes, files, idArgument(args, 'id'), context),
  });
}

async function exportText(notes: NotesPort, id: string, { signal, report }: ToolContext): Promise<ToolExecuteResult> {
  const { document, notebook, markdown, hidden } = await notes.exportMarkdown({ id }, signal, progressOf(report));
  const text = [documentHeader({ ...document, notebook }), ...hiddenLines(hidden, 'blocks'), '', markdown].join('\n');
  return { status: 'success', data: text, notebooks: [notebook.id], blockIds: [document.id] };
}

async function planFile(notes: NotesPort, id: string, planId: string, signal: AbortSignal): Promise<ChangePlan> {
  const { document, notebook, markdown, hidden } = await notes.exportMarkdown({ id }, signal);
  if (markdown.trim() === '') throw new ToolError('empty_text', `document ${document.id} has no text`, 'export another document');
  return {
    id: planId,
    tool: 'export_doc',
    notebook,
    document,
    operations: [
      {
        id: 'file',
        action: 'write-file',
        blockId: '',
        blockType: '',
        before: null,
        after: markdown,
        requires: [],
        to: fileName(document.title),
      },
    ],
    anchorId: null,
    undo: { kind: 'none' },
    notices: hidden > 0 ? [{ code: 'hidden-kept', count: hidden }] : [],
  };
}

/** Reads again first: what was hidden or changed since it was shown is not written. */
async function writeFile(notes: NotesPort, files: ExportFiles, id: string, context: ToolContext): Promise<ToolExecuteResult> {
  const plan = context.approvedPlan?.plan;
  const { to: name, after: text } = plan?.operations[0] ?? {};
  if (plan === undefined || name === undefined || typeof text !== 'string') {
    throw new ToolError('not_approved', 'nothing was approved for this call', 'call the tool through the executor');
  }
  if ((await notes.exportMarkdown({ id }, context.signal)).markdown !== text)
    throw new ToolError('stale', 'the document is not as it was shown', 'export it again; nothing was written');
  const { path } = await files.write(name, text);
  return {
    status: 'success',
    data: `wrote ${text.length} characters to ${path}`,
    notebooks: [plan.notebook.id],
    blockIds: plan.document.id === null ? [] : [plan.document.id],
  };
}

function fileName(title: string): string {
  const name = title
    .replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
    .replaceAll(/^\.+|\.+$/gu, '');
  return `${[...name].slice(0, 80).join('').trim() || 'document'}.md`;
}
