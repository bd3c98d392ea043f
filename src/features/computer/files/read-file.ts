import { errorText, ToolError, toToolError } from '../../../tools/contract/errors.ts';
import type { Tool, ToolArguments, ToolExecuteResult } from '../../../tools/contract/types.ts';
import { READ_FILE } from '../../../tools/groups/common/beyond-notes.ts';
import { defineTool, READ_ASKING_ONCE, textArgument, textListArgument } from '../../../tools/util/define.ts';
import { preview } from '../../../tools/util/graphemes.ts';
import type { FilesPort } from './files-port.ts';

const MAX_FILES = 20;

interface Range {
  readonly start: number | undefined;
  readonly end: number | undefined;
  readonly numbered: boolean;
}

const DESCRIPTION = `Read file contents with line numbers. Supports single file or batch mode (multiple files in one call). Line ranges: start_line/end_line (1-based, inclusive). Examples:
- Single: read_file(path='a.py')
- Range: read_file(path='a.py', start_line=10, end_line=20)
- Batch: read_file(paths=['a.py', 'b.py', 'notes/plan.txt'])
Batch mode is more efficient for multiple files (saves tool calls).`;

/** The folders of all paths: consent is requested once, and applies to exactly these. Throws if nothing would be read. */
function scopeOf(files: FilesPort, args: ToolArguments): string {
  const { path, paths } = pathsOf(args);
  const folders = new Set<string>();
  let refused: unknown;
  for (const each of path === undefined ? paths : [path])
    try {
      folders.add(files.folderOf(each));
    } catch (error) {
      refused ??= error;
    }
  if (folders.size === 0) throw refused;
  return [...folders].sort().join('\n');
}

function pathsOf(args: ToolArguments): { readonly path: string | undefined; readonly paths: readonly string[] } {
  const path = textArgument(args, 'path') || undefined;
  const paths = textListArgument(args, 'paths') ?? [];
  if ((path === undefined) === (paths.length === 0))
    throw new ToolError('bad_arguments', 'give either "path" or "paths"', 'call read_file again with a path, or with a list of paths');
  return { path, paths };
}

export function createReadFile(files: FilesPort): Tool {
  const line = { type: 'integer', minimum: 1 };
  return defineTool({
    name: READ_FILE.name,
    description: DESCRIPTION,
    properties: {
      path: { type: 'string', description: "Path to a single file (relative to workspace or absolute). Use this OR 'paths', not both." },
      paths: {
        type: 'array',
        items: { type: 'string' },
        maxItems: MAX_FILES,
        description: "List of file paths for batch reading (more efficient than multiple calls). Use this OR 'path', not both.",
      },
      start_line: {
        ...line,
        description: 'Start line number (1-based, inclusive). Only works in single file mode. Omit to start from beginning.',
      },
      end_line: { ...line, description: 'End line number (1-based, inclusive). Only works in single file mode. Omit to read to end.' },
      show_line_numbers: { type: 'boolean', description: 'Show line numbers in output (default: true)' },
    },
    required: [],
    ...READ_ASKING_ONCE,
    approvalScope: (args) => scopeOf(files, args),
    execute: async (args, { signal }) => readFiles(files, args, signal),
  });
}

async function readFiles(files: FilesPort, args: ToolArguments, signal: AbortSignal): Promise<ToolExecuteResult> {
  const { path, paths } = pathsOf(args);
  const [start, end] = [args.start_line, args.end_line].map((value) => (typeof value === 'number' ? value : undefined));
  const range = { start, end, numbered: args.show_line_numbers !== false };
  if (path === undefined && (start !== undefined || end !== undefined))
    throw new ToolError('bad_arguments', 'start_line and end_line work with one "path" only', 'read that file alone');
  if (path !== undefined) return { status: 'success', data: (await readOne(files, path, range, signal)).shown, isPrivate: true };
  return { status: 'success', data: await readBatch(files, paths, range, signal), isPrivate: true };
}

interface Shown {
  readonly shown: string;
  readonly lines: number;
}

async function readOne(files: FilesPort, path: string, { start, end, numbered }: Range, signal: AbortSignal): Promise<Shown> {
  const file = await files.read(path, signal);
  const lines = linesOf(file.text);
  const first = start ?? 1;
  const last = Math.min(end ?? lines.length, lines.length);
  if (first > 1 && first > lines.length)
    throw new ToolError('past_end', `${file.path} has ${lines.length} lines`, `start at line ${lines.length} or before`);
  if (end !== undefined && end < first)
    throw new ToolError('bad_arguments', `end_line ${end} is before start_line ${first}`, 'give a range from its first line to its last');
  const whole = first === 1 && last === lines.length;
  const head = `[File: ${file.path} | Lines: ${whole ? '' : `${first}-${last} of `}${lines.length}]`;
  const body = lines.slice(first - 1, last).map((line, index) => (numbered ? ` ${first + index}| ${line}` : line));
  return { shown: [head, ...body].join('\n'), lines: body.length };
}

/** Without the empty line after the last line break. */
function linesOf(text: string): readonly string[] {
  const lines = text.replace(/^\uFEFF/u, '').split(/\r\n|\n|\r/u);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** A file that cannot be read does not affect the others; if none can, the call fails. */
async function readBatch(files: FilesPort, paths: readonly string[], range: Range, signal: AbortSignal): Promise<string> {
  const parts: string[] = [];
  const failures: ToolError[] = [];
  let lines = 0;
  for (const path of paths) {
    try {
      const read = await readOne(files, path, range, signal);
      lines += read.lines;
      parts.push(read.shown);
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = toToolError(error);
      failures.push(failure);
      parts.push(`[File: ${preview(path, 200)} | Error: ${errorText(failure)}]`);
    }
  }
  const [failure] = failures;
  if (failure && failures.length === paths.length)
    throw new ToolError(failure.code, `none of the ${paths.length} files could be read: ${failure.message}`, failure.next);
  const footer = `[Summary: ${paths.length - failures.length} of ${paths.length} files read | ${failures.length} failed | Lines: ${lines}]`;
  return [...parts, footer].join('\n\n');
}
