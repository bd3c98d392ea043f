import type { NotesPort } from '../ports.ts';
import type { ToolGroup } from '../types.ts';
import { defineTool, READ_FREELY } from './define.ts';

/** TOOLS.md, group `notebooks`. */
export function createNotebooksGroup(notes: NotesPort): ToolGroup {
  return {
    name: 'notebooks',
    rulePrompt:
      'Notes live in notebooks, as trees of documents. A document is a list of blocks; each has an id like 20240131120000-abc1234.',
    tools: [
      defineTool({
        name: 'list_notebooks',
        description: "List the user's notebooks with ids and rights.",
        properties: {},
        required: [],
        ...READ_FREELY,
        execute: async (_args, context) => {
          const visible = (await notes.notebooks(context.signal)).filter((notebook) => notebook.right !== 'none');
          const lines = visible.map(({ name, id, open, right }) => `${name} [${id}] ${open ? 'open' : 'closed'}, rights: ${right}`);
          return { status: 'success', data: lines.join('\n') || 'no notebook may be read', notebooks: visible.map(({ id }) => id) };
        },
      }),
    ],
  };
}
