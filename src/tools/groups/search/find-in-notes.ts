import type { NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool } from '../../contract/types.ts';
import { numberArgument, READ_FREELY, textArgument } from '../../util/define.ts';
import { plainWords } from '../../util/plain-words.ts';
import { progressOf } from '../common/approved-write.ts';
import { nextPage } from '../common/format-lists.ts';
import { documentHeader, hiddenLines } from '../common/format-reading.ts';
import { foundIds, groupByNote, noteLines } from '../common/found-notes.ts';
import { defineNoteTool, idArgument } from '../common/note-tool.ts';

const MAX_MATCHES = 50;
const PAGE_SIZE = 20;

export const GREP_DOC = {
  name: 'grep_doc',
  kind: 'search',
  icon: 'iconSearch',
  subject: ['pattern'],
  examples: [{ id: '/Apollo', pattern: 'anna' }],
} as const satisfies ToolInfo;

export function createGrepDoc(notes: NotesPort): Tool {
  return defineNoteTool({
    name: GREP_DOC.name,
    description: 'Find the lines of one document that contain a text. Gives block number (for read_doc start), id, line.',
    properties: {
      id: { type: 'string', description: 'document id' },
      pattern: { type: 'string' },
      regex: { type: 'boolean', description: 'pattern is RE2' },
    },
    required: ['id', 'pattern'],
    ...READ_FREELY,
    execute: async (args, { signal, report }) => {
      const query = {
        id: idArgument(args, 'id'),
        pattern: textArgument(args, 'pattern') ?? '',
        regex: args.regex === true,
        limit: MAX_MATCHES,
      };
      const { document, notebook, matches, total, hidden } = await notes.grep(query, signal, progressOf(report));
      const lines = matches.map(({ index, blockId, line }) => `${index} [${blockId}] ${line.trim()}`);
      const found = groupByNote(
        matches.map(({ blockId, line }) => {
          const { id: documentId, title, path } = document;
          return { id: blockId, documentId, title, path, notebook: notebook.name, text: plainWords(line) };
        }),
      );
      const more = total > matches.length ? [`next: ${total - matches.length} more; use a narrower pattern`] : [];
      const head = [documentHeader({ ...document, notebook }), `${total} matches`];
      return {
        status: 'success',
        data: [...head, ...lines, ...hiddenLines(hidden, 'blocks'), ...more].join('\n'),
        found: { notes: found, words: [...new Set(matches.map(({ matched }) => plainWords(matched)))] },
        notebooks: [notebook.id],
        blockIds: [...new Set([document.id, ...matches.map(({ blockId }) => blockId)])],
      };
    },
  });
}

export const BACKLINKS = {
  name: 'backlinks',
  kind: 'search',
  icon: 'iconSearch',
  subject: ['id'],
  examples: [{ id: '/Apollo#2' }],
} as const satisfies ToolInfo;

export function createBacklinks(notes: NotesPort): Tool {
  return defineNoteTool({
    name: BACKLINKS.name,
    description: 'Blocks elsewhere that refer to a block or document (links), or name it without a reference (mentions).',
    properties: {
      id: { type: 'string', description: 'block or document id' },
      kind: { enum: ['links', 'mentions'], description: 'default links' },
      page: { type: 'integer', minimum: 1 },
    },
    required: ['id'],
    byNeed: 'what links to a note or names it',
    ...READ_FREELY,
    execute: async (args, { signal }) => {
      const kind = args.kind === 'mentions' ? 'mentions' : 'links';
      const query = { id: idArgument(args, 'id'), kind, page: numberArgument(args, 'page', 1), pageSize: PAGE_SIZE } as const;
      const page = await notes.backlinks(query, signal);
      const found = groupByNote(
        page.items.map(({ id, document: { id: documentId, title, path }, notebook, text }) => {
          return { id, documentId, title, path, notebook: notebook.name, text };
        }),
      );
      const head = page.total === null ? `more ${kind} than these` : `${page.total} ${kind}`;
      return {
        status: 'success',
        data: [head, ...noteLines(found), ...nextPage(BACKLINKS.name, args, page.nextPage)].join('\n'),
        found: { notes: found },
        notebooks: [...new Set(page.items.map(({ notebook }) => notebook.id))],
        blockIds: foundIds(found),
      };
    },
  });
}
