import { constants, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { ApiError } from '../api-error.ts';
import type { BlockIndex } from '../tree/index-port.ts';
import type { KernelDocument } from '../tree/node.ts';
import { documentRows } from './block-rows.ts';
import { ftsTokens, spellMatches } from './fts-text.ts';
import { regexpMatches } from './regexp.ts';
import type { BlockRow, DocumentRows } from './rows.ts';
import { BLOCK_COLUMNS, DOCUMENT_TABLES, SCHEMA } from './schema.ts';
import { hasLimit } from './statement.ts';

export type Row = Record<string, unknown>;

/** The index with what our own endpoints need besides the port: queries with parameters, bulk writes. */
export interface SearchIndex extends BlockIndex {
  /** As in the port; `limit` replaces the implicit one, which holds only where the statement has no LIMIT of its own. */
  query(sql: string, options: { readonly readonly: boolean; readonly limit?: number }): Row[];
  /** Rows of a query of ours: no implicit limit, `?` parameters in order. */
  select(sql: string, ...parameters: SQLInputValue[]): Row[];
  /** Rows of a statement of the kernel's own that has a client's text in it: MATCH as SiYuan's tokenizer reads it. */
  run(statement: string): Row[];
  /** As `put` of each, in one transaction. */
  putAll(documents: Iterable<KernelDocument>): void;
  /** All of it, for `createBlockIndex`. */
  saved(): Uint8Array;
}

/** SiYuan's default of "The number of search results displayed": what a query without LIMIT is cut at. */
export const IMPLICIT_LIMIT = 64;

/** Statements that are kept prepared. */
const STATEMENTS = 500;

const READING: ReadonlySet<number> = new Set([
  constants.SQLITE_SELECT,
  constants.SQLITE_READ,
  constants.SQLITE_FUNCTION,
  constants.SQLITE_RECURSIVE,
]);

type Values = Readonly<Record<string, SQLInputValue>>;

function insertStatement(database: DatabaseSync, table: string, columns: readonly string[]): StatementSync {
  return database.prepare(`INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((column) => `:${column}`).join(', ')})`);
}

/** Where the definition of a reference stands, as far as it is indexed. */
const DEFINITION_PLACE = `SET (def_block_parent_id, def_block_root_id, def_block_path) =
  (SELECT parent_id, root_id, path FROM blocks WHERE blocks.id = refs.def_block_id LIMIT 1)`;

class SqliteBlockIndex implements SearchIndex {
  private readonly database: DatabaseSync;
  private readonly inserts: { readonly [Table in keyof DocumentRows]: StatementSync };
  private readonly removals: readonly StatementSync[];
  private readonly resolveOwn: StatementSync;
  private readonly resolveOthers: StatementSync;
  private readonly forget: StatementSync;
  /** Statements that were asked before: a client asks the same ones for different notes again and again. */
  private readonly readings = new Map<string, StatementSync>();
  private isReading = false;
  private writes = false;

  constructor(saved: Uint8Array | undefined) {
    this.database = new DatabaseSync(':memory:', { enableDoubleQuotedStringLiterals: true });
    this.database.function('fts_tokens', { deterministic: true }, ftsTokens);
    this.database.function('regexp', { deterministic: true }, regexpMatches);
    if (saved) this.database.deserialize(saved);
    else {
      this.database.exec(SCHEMA);
      this.database.prepare("INSERT INTO stat (key, value) VALUES ('siyuan_database_ver', ?)").run('20220501');
    }
    const place = ['block_id', 'root_id', 'box', 'path'];
    this.inserts = {
      blocks: insertStatement(this.database, 'blocks', BLOCK_COLUMNS),
      spans: insertStatement(this.database, 'spans', ['id', ...place, 'content', 'markdown', 'type', 'ial']),
      attributes: insertStatement(this.database, 'attributes', ['id', 'name', 'value', 'type', ...place]),
      assets: insertStatement(this.database, 'assets', ['id', 'block_id', 'root_id', 'box', 'docpath', 'path', 'name', 'title', 'hash']),
      refs: insertStatement(this.database, 'refs', ['id', 'def_block_id', ...place, 'content', 'markdown', 'type']),
    };
    this.removals = DOCUMENT_TABLES.map((table) => this.database.prepare(`DELETE FROM ${table} WHERE root_id = ?`));
    this.resolveOwn = this.database.prepare(`UPDATE refs ${DEFINITION_PLACE} WHERE root_id = ?`);
    this.resolveOthers = this.database.prepare(
      `UPDATE refs ${DEFINITION_PLACE} WHERE def_block_id IN (SELECT id FROM blocks WHERE root_id = ?)`,
    );
    this.forget = this.database.prepare(
      "UPDATE refs SET def_block_parent_id = '', def_block_root_id = '', def_block_path = '' WHERE def_block_root_id = ?",
    );
    this.database.setAuthorizer((action, name) => this.authorize(action, name));
  }

  put(document: KernelDocument, { losesOwnTags = false }: { readonly losesOwnTags?: boolean } = {}): void {
    this.putAll([document]);
    if (losesOwnTags)
      this.database
        .prepare("UPDATE spans SET box = '' WHERE type = 'tag' AND root_id = ? AND block_id = root_id")
        .run(document.root.ID ?? '');
  }

  putAll(documents: Iterable<KernelDocument>): void {
    this.transaction(() => {
      for (const document of documents) this.replace(document.root.ID ?? '', documentRows(document));
    });
  }

  putNotebook({ id, name }: { readonly id: string; readonly name: string }): void {
    // A 3.7.3 kernel indexes it when the notebook is made or opened, and again with its documents (ranked-search: a column of titles too).
    const row = notebookRow(id, name);
    this.transaction(() => this.replace(id, { blocks: [row, row], spans: [], attributes: [], assets: [], refs: [] }));
  }

  removeDocument(rootId: string): void {
    this.transaction(() => {
      this.removeRows(rootId);
      this.forget.run(rootId);
    });
  }

  removeNotebook(notebook: string): void {
    this.transaction(() => {
      const roots = this.select('SELECT DISTINCT root_id FROM blocks WHERE box = ?', notebook).map((row) => String(row.root_id));
      for (const root of roots) this.forget.run(root);
      for (const table of DOCUMENT_TABLES) this.database.prepare(`DELETE FROM ${table} WHERE box = ?`).run(notebook);
    });
  }

  clear(): void {
    this.transaction(() => {
      for (const table of DOCUMENT_TABLES) this.database.exec(`DELETE FROM ${table}`);
    });
  }

  query(sql: string, { readonly, limit: implicit = IMPLICIT_LIMIT }: { readonly readonly: boolean; readonly limit?: number }): Row[] {
    const statement = readonly ? this.prepareReading(sql) : this.prepareAny(sql);
    const rows: Row[] = [];
    const limit = hasLimit(sql) ? Number.POSITIVE_INFINITY : implicit;
    try {
      for (const row of statement.iterate()) {
        rows.push(asJson(row));
        if (rows.length >= limit) break;
      }
    } catch (error) {
      this.readings.delete(sql);
      throw new ApiError(1, messageOf(error));
    }
    return rows;
  }

  select(sql: string, ...parameters: SQLInputValue[]): Row[] {
    return this.database.prepare(sql).all(...parameters);
  }

  run(statement: string): Row[] {
    return this.database.prepare(spellMatches(statement)).all();
  }

  saved(): Uint8Array {
    return this.database.serialize();
  }

  close(): void {
    this.database.close();
  }

  private replace(rootId: string, rows: DocumentRows): void {
    this.removeRows(rootId);
    for (const table of ['blocks', 'spans', 'attributes', 'assets', 'refs'] as const) {
      for (const row of rows[table]) this.inserts[table].run({ ...row } satisfies Values);
    }
    this.resolveOwn.run(rootId);
    this.resolveOthers.run(rootId);
  }

  private removeRows(rootId: string): void {
    for (const removal of this.removals) removal.run(rootId);
  }

  private transaction(work: () => void): void {
    this.database.exec('BEGIN');
    try {
      work();
      this.database.exec('COMMIT');
    } catch (error) {
      this.database.exec('ROLLBACK');
      throw error;
    }
  }

  private prepareAny(sql: string): StatementSync {
    try {
      return this.database.prepare(spellMatches(sql));
    } catch (error) {
      throw new ApiError(1, messageOf(error));
    }
  }

  private prepareReading(sql: string): StatementSync {
    const known = this.readings.get(sql);
    if (known) return known;
    this.isReading = true;
    this.writes = false;
    try {
      const statement = this.database.prepare(spellMatches(sql));
      if (this.readings.size === STATEMENTS) this.readings.clear();
      this.readings.set(sql, statement);
      return statement;
    } catch (error) {
      throw new ApiError(-1, this.writes ? 'SQL statement is not read-only' : messageOf(error));
    } finally {
      this.isReading = false;
    }
  }

  /**
   * SQLite itself says whether a statement writes: its authorizer is asked about everything that the statement would do. It is
   * set once, since setting it makes SQLite prepare every statement again.
   */
  private authorize(action: number, name: string | null): number {
    // FTS5 looks whether its tables changed.
    if (!this.isReading || READING.has(action) || (action === constants.SQLITE_PRAGMA && name === 'data_version'))
      return constants.SQLITE_OK;
    this.writes = true;
    return constants.SQLITE_DENY;
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** As Go's JSON writes a row: bytes in base64, names sorted (recorded/sql.json), whatever the order of the statement. */
function asJson(row: Readonly<Record<string, unknown>>): Row {
  const cells = Object.entries(row).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(
    cells.map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value]),
  );
}

/** In 3.7.3 a notebook is a document of its own id, whose path and readable path are its own name (recorded: documents by title). */
function notebookRow(id: string, name: string): BlockRow {
  const created = id.slice(0, 14);
  const path = `/${id}.sy`;
  const texts = { name: '', alias: '', memo: '', tag: '', content: name, fcontent: name, markdown: '', length: Array.from(name).length };
  const ial = `{: id="${id}" title="${name}" type="doc" updated="${created}"}`;
  const place = { id, parent_id: '', root_id: id, hash: '', box: id, path, hpath: `/${name}` };
  return { ...place, ...texts, type: 'd', subtype: '', ial, sort: 0, created, updated: created };
}

/** An index in memory, empty unless one was saved. The caller closes it. */
export function createBlockIndex(saved?: Uint8Array): SearchIndex {
  return new SqliteBlockIndex(saved);
}
