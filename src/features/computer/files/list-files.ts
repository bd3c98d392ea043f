import type { Tool, ToolArguments } from '../../../tools/contract/types.ts';
import { LIST_FILES } from '../../../tools/groups/common/beyond-notes.ts';
import { defineTool, numberArgument, READ_ASKING_ONCE, textArgument } from '../../../tools/util/define.ts';
import { nextCall } from '../../../tools/util/line-parts.ts';
import type { FileEntry, FileListing, FilesPort } from './files-port.ts';

const PAGE = 200;
const MAX_DEPTH = 10;

export function createListFiles(files: FilesPort): Tool {
  return defineTool({
    name: LIST_FILES.name,
    description: 'List files and folders, with sizes. Links are named, not followed.',
    properties: {
      path: { type: 'string', description: 'folder; default: the working folder' },
      depth: { type: 'integer', minimum: 1, maximum: MAX_DEPTH, description: 'levels of folders; default 1, or 5 with a pattern' },
      pattern: {
        type: 'string',
        maxLength: 200,
        description: '*, ? and ** as in *.md or notes/**/*.txt; without a slash it matches names',
      },
      page: { type: 'integer', minimum: 1, description: `default 1; ${PAGE} entries each` },
    },
    required: [],
    ...READ_ASKING_ONCE,
    approvalScope: (args) => files.folderOf(textArgument(args, 'path') || '.'),
    execute: async (args, { signal }) => {
      const pattern = textArgument(args, 'pattern') || undefined;
      const depth = numberArgument(args, 'depth', pattern === undefined ? 1 : 5);
      const query = { path: textArgument(args, 'path') || '.', depth, pattern };
      const listing = await files.list(query, signal);
      return { status: 'success', data: formatListing(listing, args), isPrivate: true };
    },
  });
}

function formatListing({ path, entries, hidden, cut }: FileListing, args: ToolArguments): string {
  const page = numberArgument(args, 'page', 1);
  const pages = Math.max(1, Math.ceil(entries.length / PAGE));
  const shown = entries.slice((page - 1) * PAGE, page * PAGE);
  return [
    `[Folder: ${path} | Entries: ${entries.length}${cut ? ' or more' : ''}${pages > 1 ? ` | Page: ${page} of ${pages}` : ''}]`,
    ...shown.map(entryLine),
    ...(hidden > 0 ? [`(${hidden} not shown: their names suggest secrets)`] : []),
    ...(cut ? ['(this folder has too many entries: list a folder in it)'] : []),
    ...(page < pages ? [nextCall(LIST_FILES.name, args, { page: page + 1 })] : []),
  ].join('\n');
}

function entryLine({ path, kind, size }: FileEntry): string {
  if (kind === 'folder') return `${path}/`;
  if (kind === 'file') return `${path} (${size ?? 0} bytes)`;
  return `${path} (${kind === 'link' ? 'a link' : 'not a text file'})`;
}
