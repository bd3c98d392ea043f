import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chats } from './chats/chats.ts';
import type { GuardOptions } from './http/guard.ts';
import { type RunningServer, startServer } from './http/server.ts';
import { openWorkspace, type WorkspaceOptions } from './kernel/workspace.ts';

export interface ServiceOptions extends Omit<WorkspaceOptions, 'device'>, GuardOptions {
  readonly port: number;
  readonly host: string;
  /** The service's own folder; made when it is not there. */
  readonly data: string;
  /** Default: 30 s. */
  readonly requestTimeoutMs?: number;
  readonly log: (line: string) => void;
}

/** The name by which this service signs what it writes; made once. */
function deviceOf(data: string): string {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const file = join(data, 'device');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const made = `service${randomBytes(4).toString('hex')}`;
  writeFileSync(file, made, { mode: 0o600 });
  return made;
}

/** Starts the service. Rejects with ToolError where the kernel cannot be asked, or as Node does where the port is taken. */
export async function startService(options: ServiceOptions): Promise<RunningServer> {
  const workspace = await openWorkspace({ ...options, device: deviceOf(options.data) });
  if (workspace.problem) options.log(`settings.json: ${workspace.problem}`);
  const chats = new Chats(workspace);
  try {
    await chats.recover();
    const { requestTimeoutMs = 30_000 } = options;
    const server = await startServer({ ...options, requestTimeoutMs, chats });
    return {
      url: server.url,
      async close() {
        await chats.close();
        await server.close();
        workspace.close();
      },
    };
  } catch (error) {
    workspace.close();
    throw error;
  }
}
