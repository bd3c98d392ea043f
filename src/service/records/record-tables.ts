import { chmodSync, closeSync, existsSync, openSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UsageError } from '../contract/errors.ts';

/** `user_version` of the file. A file with a higher one was written by a newer service. */
const SCHEMA = 1;

/**
 * A list reads only `short`: the full records are in a separate table, so that a page costs what is on it. `totals` counts
 * the records by chat, by tool, by both and (two empty names) overall, since counting them would read all of them.
 */
const TABLES = `
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    call_id TEXT NOT NULL,
    tool_name TEXT NOT NULL,
    effect TEXT NOT NULL,
    status TEXT NOT NULL,
    timestamp INTEGER NOT NULL,
    duration_ms REAL,
    short TEXT NOT NULL
  );
  CREATE TABLE details (seq INTEGER PRIMARY KEY, whole TEXT NOT NULL);
  CREATE TABLE documents (document_id TEXT, seq INTEGER, PRIMARY KEY (document_id, seq)) WITHOUT ROWID;
  CREATE INDEX documents_of ON documents (seq);
  CREATE TABLE totals (session_id TEXT, tool_name TEXT, records INTEGER NOT NULL, PRIMARY KEY (session_id, tool_name)) WITHOUT ROWID;
  CREATE INDEX by_time ON records (timestamp);
  CREATE INDEX by_session ON records (session_id, timestamp);
  CREATE INDEX by_tool ON records (tool_name, timestamp);
  CREATE INDEX by_both ON records (session_id, tool_name, timestamp);
  CREATE INDEX by_call ON records (call_id);
  CREATE INDEX running ON records (session_id) WHERE status = 'running';
  CREATE TRIGGER added AFTER INSERT ON records BEGIN
    INSERT INTO totals VALUES ('', '', 1), (new.session_id, '', 1), ('', new.tool_name, 1), (new.session_id, new.tool_name, 1)
      ON CONFLICT DO UPDATE SET records = records + 1;
  END;
  CREATE TRIGGER removed AFTER DELETE ON records BEGIN
    UPDATE totals SET records = records - 1 WHERE session_id IN ('', old.session_id) AND tool_name IN ('', old.tool_name);
    DELETE FROM totals WHERE records = 0 AND session_id IN ('', old.session_id) AND tool_name IN ('', old.tool_name);
    DELETE FROM details WHERE seq = old.seq;
    DELETE FROM documents WHERE seq = old.seq;
  END;
  PRAGMA user_version = ${SCHEMA};
`;

/** What is not in the workspace's files yet: records (see PendingNotes), and messages (RecoveryLog). An older service ignores them. */
const NOTES = ['notes', 'unsaved']
  .map((name) => `CREATE TABLE IF NOT EXISTS ${name} (key TEXT PRIMARY KEY, line TEXT NOT NULL) WITHOUT ROWID;`)
  .join(' ');

function versionOf(database: DatabaseSync): number {
  const row = database.prepare('PRAGMA user_version').get();
  return Number(row?.user_version ?? 0);
}

/** Nobody else can open the file until it is closed, or the process is gone: the system releases the lock even after a crash. */
const ALONE = 'PRAGMA busy_timeout = 500; PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; BEGIN EXCLUSIVE; COMMIT;';

function openFile(file: string): DatabaseSync {
  // Created with its mode before SQLite does it: no other user of the machine may read what the tools read.
  closeSync(openSync(file, 'a', 0o600));
  chmodSync(file, 0o600);
  const database = new DatabaseSync(file);
  try {
    database.exec(`${ALONE} PRAGMA synchronous = NORMAL;`);
    const version = versionOf(database);
    if (version > SCHEMA)
      throw new UsageError('bad_data: records.db was written by a newer version of the service → update this one, or name another --data');
    if (version === 0) database.exec(`BEGIN; ${TABLES} COMMIT;`);
    database.exec(NOTES);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** SQLite's code of a failure; 0 if it has none. */
const codeOf = (error: unknown): number => (error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0);

const IN_USE = 5;
const DAMAGED = [11, 26];

/** The process that uses the folder, as it recorded itself. */
function ownerOf(folder: string): string {
  try {
    return `process ${readFileSync(join(folder, PID_FILE), 'utf8').trim()}`;
  } catch {
    return 'another process';
  }
}

/** Written by the process that uses the folder, so that another one can name it; it is not a lock. */
export const PID_FILE = 'service.pid';

/**
 * Opens, or creates, the database of a service's folder, for this process alone. A damaged one is set aside.
 * Throws UsageError for one of a newer version, and if another service uses the folder.
 */
export function openTables(folder: string, log: (line: string) => void): DatabaseSync {
  const file = join(folder, 'records.db');
  try {
    return openFile(file);
  } catch (error) {
    if (codeOf(error) === IN_USE)
      throw new UsageError(`data_in_use: ${ownerOf(folder)} has ${folder} open → end that service, or name another folder with --data`);
    if (!DAMAGED.includes(codeOf(error))) throw error;
    const aside = `${file}.damaged-${Date.now()}`;
    log(`records.db is damaged; it was put aside as ${aside}, and a new one begins`);
    renameSync(file, aside);
    for (const end of ['-wal', '-shm']) if (existsSync(file + end)) renameSync(file + end, aside + end);
    return openFile(file);
  }
}
