import type { NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool } from '../../contract/types.ts';
import { numberArgument, READ_FREELY } from '../../util/define.ts';
import { defineNoteTool } from '../common/note-tool.ts';

export const RECENT_DOCS = {
  name: 'recent_docs',
  kind: 'list',
  icon: 'iconMarginaliaChats',
  examples: [{ days: 30, limit: 3 }],
} as const satisfies ToolInfo;

export function createRecentDocs(notes: NotesPort): Tool {
  return defineNoteTool({
    name: RECENT_DOCS.name,
    description: 'Recently changed documents, newest first.',
    properties: {
      days: { type: 'integer', minimum: 1, maximum: 3650, description: 'default 7' },
      limit: { type: 'integer', minimum: 1, maximum: 200, description: 'default 20' },
    },
    required: [],
    ...READ_FREELY,
    execute: async (args, { signal }) => {
      const query = { days: numberArgument(args, 'days', 7), limit: numberArgument(args, 'limit', 20) };
      const { documents } = await notes.recentDocuments(query, signal);
      const lines = documents.map(({ updated, title, id, path, notebook }) => `- ${updated} ${title} [${id}] ${path} in ${notebook.name}`);
      const none = documents.length === 0 ? ['try more days'] : [];
      const head = `${documents.length} documents changed in ${query.days} days`;
      return {
        status: 'success',
        data: [head, ...lines, ...none].join('\n'),
        notebooks: [...new Set(documents.map(({ notebook }) => notebook.id))],
        blockIds: documents.map(({ id }) => id),
      };
    },
  });
}
