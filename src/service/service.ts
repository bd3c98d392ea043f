import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inBackground } from '../tools/util/notify.ts';
import { Chats } from './chats/chats.ts';
import { inFolder, requireFolder } from './data-folder.ts';
import { SERVICE_FEATURES } from './features.ts';
import { isToken } from './http/guard.ts';
import { type RunningServer, type ServerOptions, startServer } from './http/server.ts';
import { openWorkspace } from './kernel/workspace.ts';
import type { WorkspaceOptions } from './kernel/workspace-types.ts';
import { createPanelRecords } from './records/panel-records.ts';
import { openRecords, type Records } from './records/records.ts';
import type { ServiceFeature } from './service-feature.ts';

export interface ServiceOptions
  extends Omit<WorkspaceOptions, 'device' | 'unsaved'>,
    Omit<ServerOptions, 'chats' | 'records' | 'served' | 'requestTimeoutMs' | 'token'> {
  /** What clients send; absent: no port is opened, and only `stdio` is served. */
  readonly token?: string | undefined;
  /** Whether the standard streams are for the program that started this one. */
  readonly stdio?: boolean;
  /** The service's own folder; created if it does not exist. */
  readonly data: string;
  /** Days for which records of tool calls are kept. Default: 90. */
  readonly keepRecordsDays?: number;
  /** Default: 30 s. */
  readonly requestTimeoutMs?: number;
}

/** With what features let programs of this process do. */
export interface RunningService extends RunningServer {}

export const KEEP_RECORDS_DAYS = 90;

/** The name by which this service signs what it writes; created once. */
function deviceOf(data: string): string {
  const file = join(data, 'device');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const made = `service${randomBytes(4).toString('hex')}`;
  writeFileSync(file, made, { mode: 0o600 });
  return made;
}

/**
 * Starts the service. Rejects with ToolError if the kernel does not answer, with UsageError if its folder cannot be used or
 * another service uses it, or with Node's error if the port is taken.
 */
export async function startService(options: ServiceOptions): Promise<RunningService> {
  const { data, keepRecordsDays: keepDays = KEEP_RECORDS_DAYS, log } = options;
  // First: from here on the folder is this service's alone.
  const records = inFolder(data, () => {
    requireFolder(data);
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

async function startWith(options: ServiceOptions & { readonly device: string }, records: Records): Promise<RunningService> {
  let features: readonly ServiceFeature[] = [];
  const workspace = await openWorkspace({ ...options, onProblem: options.log, unsaved: records.unsaved }, (start) => {
    features = SERVICE_FEATURES.map((each) => each(start));
    return features;
  });
  if (workspace.problem) options.log(`settings.json: ${workspace.problem}`);
  const shown = createPanelRecords({
    ...{ ...workspace.shownRecords, records, notes: records.notes, now: Date.now, log: options.log },
    device: workspace.device,
    run: randomBytes(4).toString('hex'),
  });
  const chats = new Chats({ ...workspace, activity: shown.store, requireRoom: (characters) => records.requireRoom(characters) });
  try {
    await chats.recover();
    // Leftovers of a crash.
    inBackground(shown.flush());
    const { requestTimeoutMs = 30_000, log, token, stdio = false } = options;
    const isOwn = (given: string): boolean => token !== undefined && isToken({ token }, given);
    const environment = { chats, workspace, activity: shown.store, log, stdio, isToken: isOwn };
    const served = features.flatMap(({ serve }) => serve?.(environment) ?? []);
    const server = token === undefined ? null : await startServer({ ...options, token, requestTimeoutMs, chats, records, served });
    const running: RunningServer = {
      url: server?.url ?? '',
      async close() {
        for (const feature of served) await feature.close?.();
        await chats.close();
        await server?.close();
        await shown.flush();
        workspace.close();
        records.close();
      },
    };
    return Object.assign(running, ...served.map(({ ports }) => ports ?? {}));
  } catch (error) {
    workspace.close();
    throw error;
  }
}
