import {
  type CellInput,
  type CellInputs,
  type ColumnChange,
  type DatabaseChange,
  type DatabaseColumn,
  type DatabaseReading,
  type DatabaseRef,
  NEW_COLUMN_TYPES,
  type NewColumn,
} from '../contract/databases.ts';
import { ToolError } from '../contract/errors.ts';
import type { NotesPort } from '../contract/ports.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool, ToolArguments, ToolExecuteResult, ToolGroup } from '../contract/types.ts';
import { numberArgument, READ_FREELY, textArgument, textListArgument, WRITE_ASKING } from '../util/define.ts';
import { preview } from '../util/graphemes.ts';
import { listText, nextCall, quoted } from '../util/line-parts.ts';
import { isRecord } from '../util/plain-value.ts';
import { applyApproved, NOTEBOOK_SCOPE } from './common/approved-write.ts';
import { defineNoteTool, neededText, readId } from './common/note-tool.ts';
import { changesResult } from './common/write-result.ts';
import { skillText } from './skill-texts/load-text.ts';

const PAGE_SIZE = 50;
/** Characters of a cell in a list of rows; a row that is read alone has its cells whole. */
const MAX_CHARS = 300;
/** Columns whose cells are lists: the parts are quoted already. */
const LISTS = ['select', 'mSelect', 'mAsset', 'relation', 'rollup'];
const MOST_LISTED = 50;

/** Group `databases`: SiYuan's attribute views, tables of typed columns whose rows are blocks or texts of their own. */
export function createDatabasesGroup(notes: NotesPort): ToolGroup {
  return {
    name: 'databases',
    rulePrompt:
      'Read a database with db_read before you change it: it names columns, options and row ids. Dates are "2026-01-31", "2026-01-31 14:00" or "start / end". A missing option of a select is asked for with ask_user, not made.',
    declareSkillRules: {
      databases: { desc: 'values by type, example calls, what has no undo', when: 'before db_write', prompt: skillText('DATABASES_RULE') },
    },
    tools: [createDbRead(notes), createDbCreate(notes), createDbWrite(notes)],
  };
}

const DB_READ = {
  name: 'db_read',
  kind: 'list',
  icon: 'iconMarginaliaTable',
  subject: ['find', 'id'],
  examples: [{}, { find: 'Tasks' }],
} as const satisfies ToolInfo;

const DB_WRITE = {
  name: 'db_write',
  kind: 'write',
  icon: 'iconMarginaliaTable',
  examples: [
    { id: '/daily note/2026/01/2026-01-15', op: 'add_rows', rows: [{ title: 'Land', values: { Select: 'soon' } }], newOptions: true },
  ],
} as const satisfies ToolInfo;

const DB_CREATE = {
  name: 'db_create',
  kind: 'write',
  icon: 'iconMarginaliaTable',
  subject: ['name'],
  examples: [{ id: '/Apollo', name: 'Tasks', columns: [{ name: 'Due', type: 'date' }] }],
} as const satisfies ToolInfo;

export const DATABASE_TOOLS = [DB_READ, DB_CREATE, DB_WRITE];

function createDbRead(notes: NotesPort): Tool {
  return defineNoteTool({
    name: DB_READ.name,
    description:
      'Databases: without id a list with their columns; else columns, options and rows of one. The id of a note that is a row shows that row.',
    properties: {
      find: { type: 'string', description: 'words of its name or note' },
      id: { type: 'string', description: 'of a database block, its note, or a row' },
      view: { type: 'string' },
      query: { type: 'string', description: 'words in a row' },
      row: { type: 'string', description: 'id of one row, read whole' },
      page: { type: 'integer', minimum: 1 },
    },
    required: [],
    byNeed: 'databases (tables of rows with columns)',
    ...READ_FREELY,
    execute: async (args, { signal }) => {
      const id = textArgument(args, 'id');
      return id === undefined ? listDatabases(notes, textArgument(args, 'find'), signal) : readDatabase(notes, readId(id), args, signal);
    },
  });
}

async function listDatabases(notes: NotesPort, find: string | undefined, signal: AbortSignal): Promise<ToolExecuteResult> {
  const all = await notes.databases({ find }, signal);
  const shown = all.slice(0, MOST_LISTED);
  const lines = shown.map((each) => `${headLine(each)}: ${each.columns.map(({ name, type }) => `${quoted(name)} (${type})`).join(' | ')}`);
  const more = all.length > shown.length ? ['more: narrow it with find'] : [];
  return {
    status: 'success',
    data: [`${all.length} databases`, ...lines, ...more].join('\n'),
    notebooks: [...new Set(shown.map(({ notebook }) => notebook.id))],
    blockIds: shown.flatMap(({ id, document }) => [id, document.id]),
  };
}

const headLine = ({ id, name, document, notebook }: DatabaseRef): string =>
  `${name === '' ? '(no name)' : quoted(name)} [${id}] in ${quoted(document.path)} [${document.id}], ${quoted(notebook.name)}`;

/** A cell of a row: whole if the row was asked for by itself, else its beginning and the call that reads it. */
function cellLine({ type }: DatabaseColumn, text: string, rowCall: string | undefined): string {
  const shown = rowCall === undefined ? text : preview(text, MAX_CHARS);
  const line = LISTS.includes(type) ? shown : quoted(shown);
  return shown === text ? line : `${line} (${shown.length - 1} of ${text.length} characters; ${rowCall})`;
}

function readingLines(reading: DatabaseReading, args: ToolArguments): readonly string[] {
  const { columns, view, views, rows, total, notes } = reading;
  const columnText = columns.map(
    ({ name: column, type, options }) => `${quoted(column)} (${type}${options.length > 0 ? `: ${listText(options)}` : ''})`,
  );
  const rowLines = rows.map((row) => {
    const rowCall =
      args.row === undefined ? nextCall(DB_READ.name, args, { id: reading.id, row: row.id, page: undefined, query: undefined }) : undefined;
    const cells = columns.flatMap((column) => {
      const text = row.cells[column.id];
      return text === undefined ? [] : [`${quoted(column.name)}=${cellLine(column, text, rowCall)}`];
    });
    return `row ${row.id}${row.blockId === null ? '' : ` block [${row.blockId}]`}: ${cells.join('; ')}`;
  });
  return [
    headLine(reading),
    `columns: ${columnText.join(' | ')}`,
    `view: ${view}${views.length > 1 ? ` (of ${views.join(', ')})` : ''}; ${total} rows`,
    ...rowLines,
    ...notes.map((note) => `note: ${note}`),
  ];
}

async function readDatabase(notes: NotesPort, id: string, args: ToolArguments, signal: AbortSignal): Promise<ToolExecuteResult> {
  const page = numberArgument(args, 'page', 1);
  const row = textArgument(args, 'row');
  const query = {
    ...{ id, view: textArgument(args, 'view'), query: textArgument(args, 'query'), page, pageSize: PAGE_SIZE },
    row: row === undefined ? undefined : readId(row),
  };
  const readings = await notes.database(query, signal);
  if (readings.length === 0)
    throw new ToolError('not_found', `${id} is a row of no database`, 'call db_read without id: it lists the databases');
  const next = readings.some(({ nextPage }) => nextPage !== null) ? [nextCall(DB_READ.name, args, { page: page + 1 })] : [];
  return {
    status: 'success',
    data: [...readings.map((reading) => readingLines(reading, args).join('\n')), ...next].join('\n\n'),
    notebooks: [...new Set(readings.map(({ notebook }) => notebook.id))],
    blockIds: readings.flatMap((reading) => [reading.id, reading.document.id, ...reading.rows.flatMap(({ blockId }) => blockId ?? [])]),
  };
}

const COLUMN = {
  name: { type: 'string' },
  type: { enum: [...NEW_COLUMN_TYPES] },
  options: { type: 'array', items: { type: 'string' } },
  target: { type: 'string' },
} as const;

const TEXT = { type: 'string' } as const;
const ROW = { row: TEXT, block: TEXT, title: TEXT, values: { type: 'object' } } as const;

function createDbWrite(notes: NotesPort): Tool {
  return defineNoteTool({
    name: DB_WRITE.name,
    description:
      'Changes a database: a new row has block or title, another one row, its id; values are {column: value}. Moves go behind the column `after`.',
    properties: {
      id: { type: 'string' },
      op: { enum: ['add_rows', 'set_cells', 'remove_rows', 'columns'] },
      rows: { type: 'array', minItems: 1, items: { type: 'object', properties: ROW } },
      columns: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            op: { enum: ['add', 'rename', 'move', 'remove'] },
            column: { type: 'string' },
            after: { type: 'string' },
            ...COLUMN,
          },
          required: ['op'],
        },
      },
      newOptions: { type: 'boolean', description: 'the user agreed to add missing options' },
    },
    required: ['id', 'op'],
    byNeed: 'databases (tables of rows with columns)',
    ...WRITE_ASKING,
    approvalScope: NOTEBOOK_SCOPE,
    plan: async (args, { signal }) =>
      notes.planDatabaseChange({ id: readId(neededText(args, 'id', DB_WRITE.name)), change: changeOf(args) }, DB_WRITE.name, signal),
    execute: async (args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return changesResult(args.op === 'columns' ? 'changed columns' : 'changed rows', approved, report);
    },
  });
}

function createDbCreate(notes: NotesPort): Tool {
  return defineNoteTool({
    name: DB_CREATE.name,
    description: 'A new database in a note, with a title column and these.',
    properties: {
      id: { type: 'string', description: 'note, or block to put it behind' },
      name: { type: 'string' },
      columns: { type: 'array', items: { type: 'object', properties: COLUMN, required: ['name', 'type'] } },
    },
    required: ['id', 'name'],
    byNeed: 'databases (tables of rows with columns)',
    ...WRITE_ASKING,
    approvalScope: NOTEBOOK_SCOPE,
    plan: async (args, { signal }) => {
      const columns = recordsOf(args, 'columns', DB_CREATE.name).map(columnOf);
      return notes.planDatabase(
        { anchor: readId(neededText(args, 'id', DB_CREATE.name)), name: String(args.name), columns },
        DB_CREATE.name,
        signal,
      );
    },
    execute: async (_args, context) => {
      const { approved, report } = await applyApproved(notes, context);
      return changesResult('made a database', approved, report);
    },
  });
}

function recordsOf(args: ToolArguments, name: string, tool: string): readonly Readonly<Record<string, unknown>>[] {
  const list = args[name] ?? [];
  if (Array.isArray(list) && list.every(isRecord)) return list;
  throw new ToolError('bad_arguments', `${name} is no list of objects`, `call ${tool} again with ${name} as objects`);
}

const textIn = (record: Readonly<Record<string, unknown>>, name: string): string | undefined => textArgument(record, name);

function isCell(value: unknown): value is CellInput {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true;
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

function valuesOf(row: Readonly<Record<string, unknown>>): CellInputs {
  const values = row.values ?? {};
  if (!isRecord(values)) throw new ToolError('bad_arguments', 'values is no object', 'give values as {"column": value}');
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      if (isCell(value)) return [name, value];
      throw new ToolError(
        'bad_value',
        `the value for "${preview(name, 60)}" is an object`,
        'give a text, a number, true or false, a list of texts, or null',
      );
    }),
  );
}

const columnOf = (record: Readonly<Record<string, unknown>>): NewColumn => ({
  ...{ name: textIn(record, 'name') ?? '', type: textIn(record, 'type') ?? '', options: textListArgument(record, 'options') },
  target: textIn(record, 'target'),
});

function columnChange(record: Readonly<Record<string, unknown>>): ColumnChange {
  const [column, after, name] = ['column', 'after', 'name'].map((field) => textIn(record, field));
  if (record.op === 'add') return { op: 'add', ...columnOf(record), after };
  if (column === undefined)
    throw new ToolError('bad_arguments', 'column is missing', 'give column, its name or id, for rename, move and remove');
  if (record.op === 'rename') return { op: 'rename', column, name: name ?? '' };
  return record.op === 'move' ? { op: 'move', column, after } : { op: 'remove', column };
}

function changeOf(args: ToolArguments): DatabaseChange {
  const needed = args.op === 'columns' ? 'columns' : 'rows';
  const records = recordsOf(args, needed, DB_WRITE.name);
  if (records.length === 0)
    throw new ToolError('bad_arguments', `${needed} is missing`, `call ${DB_WRITE.name} op=${String(args.op)} with ${needed}`);
  if (args.op === 'columns') return { op: 'columns', columns: records.map(columnChange) };
  const newOptions = args.newOptions === true;
  if (args.op === 'add_rows') {
    const rows = records.map((row) => {
      const block = textIn(row, 'block');
      return { block: block === undefined ? undefined : readId(block), title: textIn(row, 'title'), values: valuesOf(row) };
    });
    return { op: 'add_rows', rows, newOptions };
  }
  const ids = records.map((row) => readId(textIn(row, 'row') ?? textIn(row, 'block') ?? ''));
  if (args.op === 'remove_rows') return { op: 'remove_rows', rows: ids };
  return { op: 'set_cells', rows: records.map((row, index) => ({ row: ids[index] ?? '', values: valuesOf(row) })), newOptions };
}
