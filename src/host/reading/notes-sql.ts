import { ToolError } from '../../tools/contract/errors.ts';
import type { NoteQueries, SqlTable } from '../../tools/contract/note-queries.ts';
import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { Access } from '../access/access.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { parseSql } from '../sql/sql-parser.ts';
import { badSql } from '../sql/sql-tokens.ts';
import { writeSql } from '../sql/sql-writer.ts';

const MAX_ROWS = 1000;

type Cell = string | number | null;

function cellOf(value: unknown): Cell {
  if (typeof value === 'number' || typeof value === 'string' || value === null) return value;
  return value === undefined ? null : JSON.stringify(value);
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
    const parsed = parseSql(query.stmt);
    const maxRows = Math.min(MAX_ROWS, Math.max(1, Math.trunc(query.maxRows)));
    const books = await this.access.notebooks(signal);
    await this.requireAllOpen(books, signal);
    const { sql, columns } = writeSql(parsed, maxRows + 1, { hideDangling: books.some((book) => !book.open) });
    const rows = await this.run(sql, signal);
    return {
      columns,
      rows: rows.slice(0, maxRows).map((row) => columns.map((_name, index) => cellOf(row[`c${index}`]))),
      cut: rows.length > maxRows,
    };
  }

  /** A statement may read any row in any way, so all notebooks must be readable. A closed notebook is not in the index. */
  private async requireAllOpen(books: readonly NotebookInfo[], signal: AbortSignal): Promise<void> {
    if (books.some((book) => !isSeen(book.right))) throw off('a notebook is hidden from the model or encrypted');
    if (await this.access.hasGuards(signal)) throw off('a document or block is hidden from the model');
  }

  private async run(statement: string, signal: AbortSignal): Promise<readonly Readonly<Record<string, unknown>>[]> {
    try {
      return await this.routes.sql(statement, signal);
    } catch (error) {
      if (!(error instanceof KernelRefusal)) throw error;
      throw badSql(error.kernelMessage || 'SiYuan cannot run it');
    }
  }
}

export function createNotesSql(routes: KernelRoutes, access: Access): Pick<NoteQueries, 'sql'> {
  return new KernelNotesSql(routes, access);
}
