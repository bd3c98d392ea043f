import { ToolError } from '../tools/errors.ts';
import type { NoteQueries, SqlTable } from '../tools/note-queries.ts';
import type { Access } from './access-policy.ts';
import { KernelRefusal } from './kernel-client.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import { badSql, columnsHint, readStatement } from './sql-statement.ts';

const MAX_ROWS = 1000;
/** What this plugin keeps in attributes is not the model's (FORMATS.md): its rows are not there, and attribute lists come without it. */
const OWN_ATTRIBUTES = "attributes AS (SELECT * FROM main.attributes WHERE name NOT LIKE 'custom-marginalia-%')";
const OWN_IN_LIST = / ?custom-marginalia-[a-z0-9-]+=(?:"[^"]*"|"[^"]*$)/g;

type Cell = string | number | null;
type Row = Readonly<Record<string, unknown>>;

function cellOf(value: unknown): Cell {
  if (typeof value === 'number' || value === null) return value;
  if (value === undefined) return null;
  return typeof value === 'string' ? value.replace(OWN_IN_LIST, '') : JSON.stringify(value);
}

const off = (why: string): ToolError =>
  new ToolError(
    'sql_off',
    `SQL is off while ${why}`,
    'use search_notes, backlinks, tags and recent_docs: they leave out what is kept private',
  );

class KernelNotesSql implements Pick<NoteQueries, 'sql'> {
  private readonly routes: KernelRoutes;
  private readonly access: Access;

  constructor(routes: KernelRoutes, access: Access) {
    this.routes = routes;
    this.access = access;
  }

  async sql(query: { stmt: string; maxRows: number }, signal: AbortSignal): Promise<SqlTable> {
    const statement = readStatement(query.stmt);
    const maxRows = Math.min(MAX_ROWS, Math.max(1, Math.trunc(query.maxRows)));
    await this.requireAllOpen(signal);
    const columns = await this.columnsOf(statement, signal);
    const rows = await this.run(`WITH ${OWN_ATTRIBUTES} SELECT * FROM (${statement}) LIMIT ${maxRows + 1}`, signal);
    return {
      columns,
      rows: rows.slice(0, maxRows).map((row) => columns.map((column) => cellOf(row[column]))),
      cut: rows.length > maxRows,
    };
  }

  /** A statement may read any row in any way, so there is nothing between all and nothing. A closed notebook is not in the index. */
  private async requireAllOpen(signal: AbortSignal): Promise<void> {
    const books = await this.access.notebooks(signal);
    if (books.some((book) => book.right === 'none')) throw off('a notebook is closed to the assistant or encrypted');
    if (await this.access.hasGuards(signal)) throw off('a document or block is kept from the assistant');
  }

  /**
   * Names of the columns in the statement's own order. The kernel answers rows as objects whose keys are sorted, so it is asked for
   * the names first, and then for a row that holds the number of each; of two columns with one name SQLite calls the second `name:1`.
   */
  private async columnsOf(statement: string, signal: AbortSignal): Promise<readonly string[]> {
    const start = 'SELECT 1 AS marginalia_start';
    const named = await this.run(
      `WITH ${OWN_ATTRIBUTES} SELECT marginalia_rows.* FROM (${start}) AS marginalia_one LEFT JOIN (${statement}) AS marginalia_rows LIMIT 1`,
      signal,
    );
    const names = Object.keys(named[0] ?? {});
    if (names.length === 0) throw badSql('the statement has no columns');
    const numbers = names.map((_name, index) => index).join(', ');
    const numbered = await this.run(
      `WITH ${OWN_ATTRIBUTES} SELECT * FROM (${statement}) WHERE 0 UNION ALL SELECT ${numbers} LIMIT 1`,
      signal,
    );
    const place = (name: string): number => Number(numbered[0]?.[name]);
    if (names.some((name) => !Number.isInteger(place(name)))) throw badSql('the columns have no clear order', 'name each column with AS');
    return [...names].sort((one, other) => place(one) - place(other));
  }

  private async run(statement: string, signal: AbortSignal): Promise<readonly Row[]> {
    try {
      return await this.routes.sql(statement, signal);
    } catch (error) {
      if (!(error instanceof KernelRefusal)) throw error;
      const unknown = /no such (?:column|table)/.test(error.kernelMessage);
      throw badSql(error.kernelMessage || 'SiYuan cannot run it', unknown ? columnsHint() : 'correct the statement');
    }
  }
}

export function createNotesSql(routes: KernelRoutes, access: Access): Pick<NoteQueries, 'sql'> {
  return new KernelNotesSql(routes, access);
}
