import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chats } from './chats/chats.ts';
import { UsageError } from './contract/errors.ts';
import { type RunningServer, type ServerOptions, startServer } from './http/server.ts';
import { openWorkspace, type WorkspaceOptions } from './kernel/workspace.ts';
import { createPanelRecords } from './records/panel-records.ts';
import { openRecords, type Records } from './records/records.ts';

export interface ServiceOptions
  extends Omit<WorkspaceOptions, 'device' | 'unsaved'>,
    Omit<ServerOptions, 'chats' | 'records' | 'requestTimeoutMs'> {
  /** The service's own folder; made when it is not there. */
  readonly data: string;
  /** Days for which records of tool calls are kept. Default: 90. */
  readonly keepRecordsDays?: number;
  /** Default: 30 s. */
  readonly requestTimeoutMs?: number;
}

export const KEEP_RECORDS_DAYS = 90;

/** The name by which this service signs what it writes; made once. */
function deviceOf(data: string): string {
  const file = join(data, 'device');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const made = `service${randomBytes(4).toString('hex')}`;
  writeFileSync(file, made, { mode: 0o600 });
  return made;
}

/** What SQLite says of a file that it may not write, has no room for, or cannot open. */
const SQLITE: Readonly<Record<number, string>> = { 8: 'EROFS', 10: 'EIO', 13: 'ENOSPC', 14: 'EACCES' };
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EPERM: 'this user may not write there',
  EROFS: 'nothing can be written there',
  EEXIST: 'it is a file, not a folder',
  ENOTDIR: 'a file is in its path',
  EISDIR: 'there is a folder in the place of a file of the service',
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk is full for this user',
  ENOENT: 'it cannot be made there',
  ENAMETOOLONG: 'its name is too long',
};

/** Work on the service's folder before anything runs. Throws UsageError where the system does not let it. */
function inFolder<T>(data: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof UsageError) throw error;
    const fromSqlite = 'errcode' in error ? SQLITE[Number(error.errcode) & 0xff] : undefined;
    const code = fromSqlite ?? ('code' in error ? String(error.code) : '');
    const reason = REASONS[code] ?? error.message;
    throw new UsageError(`bad_data: ${data} cannot be used as the folder of the service: ${reason} (${code}) → name another with --data`);
  }
}

/**
 * Starts the service. Rejects with ToolError where the kernel cannot be asked, with UsageError where its folder cannot be used or
 * another service has it, or as Node does where the port is taken.
 */
export async function startService(options: ServiceOptions): Promise<RunningServer> {
  const { data, keepRecordsDays: keepDays = KEEP_RECORDS_DAYS, log } = options;
  // First of all: from here on the folder is this service's alone.
  const records = inFolder(data, () => {
    mkdirSync(data, { recursive: true, mode: 0o700 });
    return openRecords({ folder: data, keepDays, now: Date.now, log });
  });
  try {
    const device = inFolder(data, () => deviceOf(data));
    return await startWith({ ...options, device }, records);
  } catch (error) {
    records.close();
    throw error;
  }
}

async function startWith(options: ServiceOptions & { readonly device: string }, records: Records): Promise<RunningServer> {
  const workspace = await openWorkspace({ ...options, onProblem: options.log, unsaved: records.unsaved });
  if (workspace.problem) options.log(`settings.json: ${workspace.problem}`);
  const shown = createPanelRecords({
    ...{ ...workspace.shownRecords, records, notes: records.notes, now: Date.now, log: options.log },
    device: workspace.device,
    run: randomBytes(4).toString('hex'),
  });
  const chats = new Chats({ ...workspace, activity: shown.store, requireRoom: (characters) => records.requireRoom(characters) });
  try {
    await chats.recover();
    // What a crash left.
    void shown.flush();
    const { requestTimeoutMs = 30_000 } = options;
    const server = await startServer({ ...options, requestTimeoutMs, chats, records });
    return {
      url: server.url,
      async close() {
        await chats.close();
        await server.close();
        await shown.flush();
        workspace.close();
        records.close();
      },
    };
  } catch (error) {
    workspace.close();
    throw error;
  }
}
