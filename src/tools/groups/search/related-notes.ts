import type { NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool } from '../../contract/types.ts';
import { READ_FREELY } from '../../util/define.ts';
import { foundIds, noteLines, relatedList } from '../common/found-notes.ts';
import { defineNoteTool, idArgument } from '../common/note-tool.ts';

const NOTES = 10;

export const RELATED_NOTES = {
  name: 'related_notes',
  kind: 'search',
  icon: 'iconSearch',
  subject: ['id'],
  examples: [{ id: '/Apollo' }],
} as const satisfies ToolInfo;

export function createRelatedNotes(notes: NotesPort): Tool {
  return defineNoteTool({
    name: RELATED_NOTES.name,
    description: 'Notes about the same as a note or block, nearest first, each with its best passage and the words that both have.',
    properties: { id: { type: 'string', description: 'document or block id' } },
    required: ['id'],
    byNeed: 'notes about the same as a note',
    ...READ_FREELY,
    execute: async (args, { signal }) => {
      const related = await notes.related({ id: idArgument(args, 'id'), limit: NOTES }, signal);
      const list = relatedList(related.notes);
      const found = list.notes;
      const head = `${found.length} ${found.length === 1 ? 'note' : 'notes'} related to ${related.document.path} [${related.document.id}]`;
      const none = found.length === 0 ? ['try search_notes with words of your own'] : [];
      return {
        status: 'success',
        data: [head, ...noteLines(found), ...none].join('\n'),
        found: list,
        notebooks: [...new Set([related.notebook.id, ...related.notes.map(({ notebook }) => notebook.id)])],
        blockIds: [...new Set([related.document.id, ...foundIds(found)])],
      };
    },
  });
}
