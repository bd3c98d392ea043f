import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { ActivityPage, ActivityQuery, ActivityRecord, ActivityStore } from '../../chat/activity/activity.ts';
import type { PendingNotes } from '../../chat/activity/pending-calls.ts';
import { interruptedRecord } from '../../chat/activity/recorder.ts';
import { shortRecord } from '../../chat/activity/short-record.ts';
import type { KeyValueStore } from '../../chat/store/window-registry.ts';
import { describeThrown, ToolError } from '../../tools/contract/errors.ts';
import { openTables, PID_FILE } from './record-tables.ts';
import { type RecordStatistics, readStatistics } from './statistics.ts';
import { TableNotes } from './table-notes.ts';

export interface RecordsOptions {
  /** The service's own folder. */
  readonly folder: string;
  /** Days for which records are kept. */
  readonly keepDays: number;
  /** The maximum number of records that are kept, the newest. Default: 200,000. */
  readonly maxRecords?: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** Records of tool calls in a database. Each method has finished its work when it returns, before its promise is awaited. */
export interface Records extends ActivityStore {
  /** The newest record of a call by the model's id, in any chat if none is given. */
  ofCall(callId: string, sessionId?: string): Promise<ActivityRecord | null>;
  statistics(sessionId?: string): Promise<RecordStatistics>;
  /** Survives a crash: what the panel does not have yet. */
  readonly notes: PendingNotes;
  /** Survives a crash: questions and answers that are in no file of their chats yet. */
  readonly unsaved: KeyValueStore;
  /** Throws ToolError `storage_failed` if a question of this many characters could not be noted. */
  requireRoom(characters: number): void;
  close(): void;
}

const DAY_MS = 24 * 60 * 60 * 1000;
const MAX_RECORDS = 200_000;
/** Records after which the limit is checked. */
const LOOK_EVERY = 500;

/** A note of no chat, written to check that notes can be written. */
const ROOM = 'room';

type Condition = readonly [string, SQLInputValue];

/** Statements are prepared once. */
class Statements {
  private readonly database: DatabaseSync;
  private readonly known = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.database = database;
  }

  of(sql: string): StatementSync {
    const known = this.known.get(sql) ?? this.database.prepare(sql);
    this.known.set(sql, known);
    return known;
  }

  /** All or nothing. */
  together<T>(work: () => T): T {
    this.database.exec('BEGIN IMMEDIATE');
    try {
      const done = work();
      this.database.exec('COMMIT');
      return done;
    } catch (error) {
      try {
        this.database.exec('ROLLBACK');
      } catch {
        // On a full disk SQLite has rolled back itself; its error about that would hide the cause.
      }
      throw error;
    }
  }
}

const readRecord = (text: unknown): ActivityRecord => JSON.parse(String(text));

/** The storage's error as a ToolError. */
async function kept<T>(work: () => T): Promise<T> {
  try {
    return work();
  } catch (error) {
    throw new ToolError('storage_failed', `records.db: ${describeThrown(error)}`, 'check the disk of the service');
  }
}

class RecordsInTables implements Records {
  private readonly options: RecordsOptions;
  private readonly database: DatabaseSync;
  private readonly statements: Statements;
  private readonly timer: ReturnType<typeof setInterval>;
  private added = 0;
  readonly notes: TableNotes;
  readonly unsaved: TableNotes;

  constructor(options: RecordsOptions) {
    this.options = options;
    this.database = openTables(options.folder, options.log);
    try {
      writeFileSync(join(options.folder, PID_FILE), `${process.pid}\n`, { mode: 0o600 });
    } catch (error) {
      this.database.close();
      throw error;
    }
    this.statements = new Statements(this.database);
    this.notes = new TableNotes(this.statements, 'notes');
    this.unsaved = new TableNotes(this.statements, 'unsaved');
    this.cutOffWhere('', []);
    this.tidyUp();
    this.timer = setInterval(() => void kept(() => this.tidyUp()).catch((error) => options.log(String(error))), DAY_MS / 24);
    this.timer.unref();
  }

  start(record: ActivityRecord): Promise<void> {
    return this.finish(record);
  }

  finish(record: ActivityRecord): Promise<void> {
    return kept(() => this.statements.together(() => this.put(record)));
  }

  cutOff(sessionId: string): Promise<void> {
    return kept(() => this.cutOffWhere('AND session_id = ?', [sessionId]));
  }

  list(query: ActivityQuery): Promise<ActivityPage> {
    return kept(() => {
      const conditions = conditionsOf(query);
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(([text]) => text).join(' AND ')}`;
      const values = conditions.map(([, value]) => value);
      const rows = this.statements
        .of(`SELECT short FROM records ${where} ORDER BY timestamp DESC, seq DESC LIMIT ? OFFSET ?`)
        .all(...values, query.limit, query.offset);
      return { records: rows.map(({ short }) => readRecord(short)), total: this.totalOf(query, where, values) };
    });
  }

  get(id: string): Promise<ActivityRecord | null> {
    return kept(() => this.whole('id = ?', [id]));
  }

  ofCall(callId: string, sessionId?: string): Promise<ActivityRecord | null> {
    return kept(() =>
      sessionId === undefined ? this.whole('call_id = ?', [callId]) : this.whole('call_id = ? AND session_id = ?', [callId, sessionId]),
    );
  }

  remove({ sessionId, before }: { readonly sessionId?: string; readonly before?: number }): Promise<number> {
    const conditions: Condition[] = [];
    if (sessionId !== undefined) conditions.push(['session_id = ?', sessionId]);
    if (before !== undefined) conditions.push(['timestamp < ?', before]);
    const where = ['TRUE', ...conditions.map(([text]) => text)].join(' AND ');
    return kept(() =>
      Number(this.statements.of(`DELETE FROM records WHERE ${where}`).run(...conditions.map(([, value]) => value)).changes),
    );
  }

  statistics(sessionId?: string): Promise<RecordStatistics> {
    return kept(() => readStatistics((sql) => this.statements.of(sql), sessionId));
  }

  requireRoom(characters: number): void {
    try {
      this.unsaved.set(ROOM, ' '.repeat(characters));
    } catch (error) {
      throw new ToolError(
        'storage_failed',
        `records.db: ${describeThrown(error)}; the question was not taken`,
        'make room on the disk of --data, then send it again',
      );
    }
    this.unsaved.remove(ROOM);
  }

  close(): void {
    clearInterval(this.timer);
    this.notes.flush();
    this.unsaved.flush();
    rmSync(join(this.options.folder, PID_FILE), { force: true });
    this.database.close();
  }

  private put(record: ActivityRecord): void {
    const { id, sessionId, callId, toolName, effect, status, timestamp, durationMs, sources, written } = record;
    const seq = this.statements
      .of(
        `INSERT INTO records (id, session_id, call_id, tool_name, effect, status, timestamp, duration_ms, short)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET status = excluded.status, duration_ms = excluded.duration_ms, short = excluded.short
         RETURNING seq`,
      )
      .get(id, sessionId, callId, toolName, effect, status, timestamp, durationMs, JSON.stringify(shortRecord(record)))?.seq;
    if (typeof seq !== 'number') throw new Error('no row');
    this.statements.of('INSERT OR REPLACE INTO details VALUES (?, ?)').run(seq, JSON.stringify(record));
    const documents = [...sources.map(({ document }) => document), written?.documentId];
    for (const document of new Set(documents))
      if (document !== undefined) this.statements.of('INSERT OR IGNORE INTO documents VALUES (?, ?)').run(document, seq);
    if (status !== 'running') return;
    this.added += 1;
    if (this.added % LOOK_EVERY === 0) this.tidyUp();
  }

  private whole(where: string, values: readonly SQLInputValue[]): ActivityRecord | null {
    const row = this.statements
      .of(`SELECT whole FROM records JOIN details USING (seq) WHERE ${where} ORDER BY seq DESC LIMIT 1`)
      .get(...values);
    return row ? readRecord(row.whole) : null;
  }

  private totalOf({ sessionId = '', toolName = '', ...query }: ActivityQuery, where: string, values: readonly SQLInputValue[]): number {
    const { effect, documentId, from, to } = query;
    const isCounted = [effect, documentId, from, to].every((one) => one === undefined);
    const row = isCounted
      ? this.statements.of('SELECT records AS total FROM totals WHERE session_id = ? AND tool_name = ?').get(sessionId, toolName)
      : this.statements.of(`SELECT count(*) AS total FROM records ${where}`).get(...values);
    return Number(row?.total ?? 0);
  }

  private cutOffWhere(more: string, values: readonly SQLInputValue[]): void {
    const rows = this.statements.of(`SELECT whole FROM records JOIN details USING (seq) WHERE status = 'running' ${more}`).all(...values);
    for (const { whole } of rows) this.statements.together(() => this.put(interruptedRecord(readRecord(whole))));
  }

  /** Removes records that are too old, and the oldest of too many. */
  private tidyUp(): void {
    const { keepDays, now, maxRecords = MAX_RECORDS } = this.options;
    this.statements.of('DELETE FROM records WHERE timestamp < ?').run(now() - keepDays * DAY_MS);
    const over = this.totalOf({ limit: 0, offset: 0 }, '', []) - maxRecords;
    if (over > 0)
      this.statements.of('DELETE FROM records WHERE seq IN (SELECT seq FROM records ORDER BY timestamp, seq LIMIT ?)').run(over);
  }
}

function conditionsOf({ sessionId, toolName, effect, documentId, from, to }: ActivityQuery): readonly Condition[] {
  const all: readonly (readonly [string, SQLInputValue | undefined])[] = [
    ['session_id = ?', sessionId],
    ['tool_name = ?', toolName],
    ['effect = ?', effect],
    ['seq IN (SELECT seq FROM documents WHERE document_id = ?)', documentId],
    ['timestamp >= ?', from],
    ['timestamp < ?', to],
  ];
  return all.flatMap(([text, value]): Condition[] => (value === undefined ? [] : [[text, value]]));
}

/**
 * Opens the records of a service's folder; nothing else may have them open. Calls that a crash left running become `interrupted`.
 * Throws UsageError for a file of a newer version, or SQLite's error.
 */
export const openRecords = (options: RecordsOptions): Records => new RecordsInTables(options);
