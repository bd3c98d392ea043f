import type { SqlTable } from '../../contract/note-queries.ts';
import type { NotesPort } from '../../contract/ports.ts';
import type { ToolInfo } from '../../contract/tool-info.ts';
import type { Tool } from '../../contract/types.ts';
import { numberArgument, READ_FREELY, textArgument } from '../../util/define.ts';
import { preview } from '../../util/graphemes.ts';
import { truncateContent } from '../../util/truncate.ts';
import { BLOCK_ID, defineNoteTool } from '../common/note-tool.ts';
import { openNotebooks } from '../common/notebook-names.ts';

const CELL_CHARACTERS = 240;
const TABLE_CHARACTERS = 8000;
/** Columns whose values name blocks; an id inside a text must not be cited. */
const ID_COLUMNS = ['id', 'root_id'];

export const QUERY_SQL = {
  name: 'query_sql',
  kind: 'search',
  icon: 'iconSearch',
  subject: ['stmt'],
  examples: [{ stmt: "SELECT id, hpath, content FROM blocks WHERE type = 'd' ORDER BY hpath" }],
} as const satisfies ToolInfo;

export function createQuerySql(notes: NotesPort): Tool {
  return defineNoteTool({
    name: QUERY_SQL.name,
    description:
      "One read-only SELECT over SiYuan's tables blocks, spans, attributes, refs. Example: SELECT id, content FROM blocks WHERE type='d' ORDER BY updated DESC",
    properties: { stmt: { type: 'string' }, maxRows: { type: 'integer', minimum: 1, maximum: 1000, description: 'default 100' } },
    required: ['stmt'],
    byNeed: 'SQL over the index of the notes',
    ...READ_FREELY,
    truncateForLLM: truncateTable,
    compressResult: ({ formattedText = '' }) => formattedText.slice(formattedText.lastIndexOf('\n') + 1),
    execute: async (args, { signal }) => {
      const maxRows = numberArgument(args, 'maxRows', 100);
      const table = await notes.sql({ stmt: textArgument(args, 'stmt') ?? '', maxRows }, signal);
      // A value may come from any note that the statement could see, whatever id is in its row.
      const notebooks = await openNotebooks(notes, signal);
      return { status: 'success', data: formatTable(table), notebooks, mixed: true, blockIds: idsIn(table) };
    },
  });
}

function formatTable({ columns, rows, cut }: SqlTable): string {
  const lines = rows.map((row) => `| ${row.map(formatCell).join(' | ')} |`);
  const head = rows.length === 0 ? [] : [`| ${columns.map(formatCell).join(' | ')} |`, `|${' --- |'.repeat(columns.length)}`];
  const note = cut ? '; more were cut off: add conditions, or LIMIT and OFFSET' : '';
  return [...head, ...lines, `${rows.length} rows${note}`].join('\n');
}

function formatCell(value: string | number | null): string {
  if (value === null) return 'NULL';
  const line = String(value).replaceAll(/\s+/gu, ' ').replaceAll('\\', '\\\\').replaceAll('|', '\\|');
  return preview(line, CELL_CHARACTERS);
}

/** The table is cut between rows; the line with the count stays. */
function truncateTable(formatted: string): string {
  const end = formatted.lastIndexOf('\n');
  if (end < 0) return formatted;
  return `${truncateContent(formatted.slice(0, end), TABLE_CHARACTERS).text}${formatted.slice(end)}`;
}

function idsIn({ columns, rows }: SqlTable): readonly string[] {
  const indexes = columns.flatMap((column, index) => (ID_COLUMNS.includes(column.toLowerCase()) ? [index] : []));
  const values = rows.flatMap((row) => indexes.map((index) => row[index]));
  return [...new Set(values.filter((value): value is string => typeof value === 'string' && BLOCK_ID.test(value)))];
}
