import { inBackground } from '../../tools/util/notify.ts';
import type { Workspace } from '../kernel/workspace-types.ts';
import type { ClientCallsDeps } from './client-calls.ts';
import { WAIT_MS } from './client-calls.ts';
import { McpClients } from './mcp-clients.ts';
import { McpHandler } from './mcp-handler.ts';
import { ProgramCalls } from './program-calls.ts';

export interface McpPrograms {
  readonly clients: McpClients;
  readonly calls: ProgramCalls;
  readonly handler: McpHandler;
  /** All of the workspace, also those that are hidden or closed. */
  readonly notebooks: Workspace['notebooks'];
}

export interface ProgramsOptions extends Pick<ClientCallsDeps, 'chats' | 'workspace'> {
  /** The service's own. */
  readonly folder: string;
  readonly waitMs?: number | undefined;
  readonly log: (line: string) => void;
}

/** Other programs that use the tools by MCP. Throws UsageError if the file of their tokens is damaged. */
export function openPrograms({ folder, chats, workspace, waitMs = WAIT_MS, log }: ProgramsOptions): McpPrograms {
  const clients = new McpClients(folder, workspace.toolsFor);
  const calls = new ProgramCalls({ chats, workspace, waitMs });
  const handler = new McpHandler({ calls, now: () => workspace.clock.now(), log });
  clients.removed.add((id) => {
    calls.forget(id);
    inBackground(handler.forget(id));
  });
  return { clients, calls, handler, notebooks: workspace.notebooks };
}
