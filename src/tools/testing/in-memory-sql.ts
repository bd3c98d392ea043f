import { ToolError } from '../contract/errors.ts';
import type { SqlTable } from '../contract/note-queries.ts';
import type { InMemoryStore } from './in-memory-store.ts';

const STATEMENT =
  /^\s*select\s+(?<columns>[\w*,\s]+?)\s+from\s+blocks(?:\s+where\s+(?<where>.+?))?(?:\s+order\s+by\s+(?<order>\w+)(?<desc>\s+desc)?)?(?:\s+limit\s+(?<limit>\d+))?\s*;?\s*$/isu;
const CONDITION = /^(?<column>\w+)\s*(?<operator>=|like)\s*'(?<value>(?:[^']|'')*)'$/iu;
const COLUMNS = ['id', 'root_id', 'box', 'hpath', 'type', 'content', 'markdown', 'updated'] as const;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

/**
 * The little of SQL that tests of tools need: SELECT columns FROM blocks WHERE column = 'x' AND column LIKE '%x%' ORDER BY
 * column LIMIT n. Everything else is `bad_sql`; off as the port says where anything is at `none`.
 */
export function selectStored(store: InMemoryStore, { stmt, maxRows }: { readonly stmt: string; readonly maxRows: number }): SqlTable {
  const guarded = [...store.attributes.values()].some((attributes) => attributes['custom-ai-access'] === 'none');
  if (guarded || store.notebooks.some(({ right }) => right === 'none')) {
    throw new ToolError('sql_off', 'SQL is off while anything is hidden from the model', 'use search_notes');
  }
  const parts = STATEMENT.exec(stmt)?.groups;
  if (parts === undefined) throw badSql('only a simple SELECT from blocks is understood');
  const columns = columnsOf(parts.columns ?? '*');
  const conditions = (parts.where ?? '')
    .split(/\s+and\s+/iu)
    .filter(Boolean)
    .map(conditionOf);
  const rows = rowsOf(store).filter((row) => conditions.every((holds) => holds(row)));
  const [order] = parts.order === undefined ? [] : columnsOf(parts.order);
  if (order !== undefined) rows.sort((left, right) => (left[order] < right[order] ? -1 : 1) * (parts.desc === undefined ? 1 : -1));
  const limited = rows.slice(0, parts.limit === undefined ? undefined : Number(parts.limit));
  const shown = limited.slice(0, maxRows).map((row) => columns.map((column) => row[column]));
  return { columns, rows: shown, cut: limited.length > maxRows };
}

function badSql(reason: string): ToolError {
  return new ToolError('bad_sql', reason, 'send one SELECT');
}

function columnsOf(text: string): readonly (keyof Row)[] {
  if (text.trim() === '*') return COLUMNS;
  return text.split(',').map((name) => {
    const column = COLUMNS.find((known) => known === name.trim().toLowerCase());
    if (column === undefined) throw badSql(`there is no column ${name.trim()}`);
    return column;
  });
}

function conditionOf(text: string): (row: Row) => boolean {
  const found = CONDITION.exec(text.trim())?.groups;
  const [column] = columnsOf(found?.column ?? '');
  if (found === undefined || column === undefined) throw badSql('a condition cannot be read');
  const value = (found.value ?? '').replaceAll("''", "'").toLowerCase();
  if (found.operator === '=') return (row) => row[column].toLowerCase() === value;
  return (row) => row[column].toLowerCase().includes(value.replaceAll('%', ''));
}

function rowsOf(store: InMemoryStore): Row[] {
  return store.readableDocuments().flatMap(({ id, notebook, title, path, updated, blocks }) => {
    const common = { root_id: id, box: notebook, hpath: path, updated };
    const own = { ...common, id, type: 'd', content: title, markdown: '' };
    return [
      own,
      ...blocks.map((block) => ({ ...common, id: block.id, type: block.type, content: block.markdown, markdown: block.markdown })),
    ];
  });
}
