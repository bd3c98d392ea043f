import { randomUUID } from 'node:crypto';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { inFolder } from '../../../service/data-folder.ts';
import type { ServiceEnvironment, StartServiceFeature } from '../../../service/service-feature.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { McpHandler } from '../server/mcp-handler.ts';
import { WAIT_MS } from '../server/noted-calls.ts';
import { ProgramCalls } from '../server/program-calls.ts';
import { ClientCalls } from './client-calls.ts';
import { type McpClient, McpClients } from './mcp-clients.ts';
import { type McpPrograms, programRoutes } from './mcp-routes.ts';

declare module '../../../service/kernel/workspace-types.ts' {
  interface WorkspaceOptions {
    /** Milliseconds after which a call of an MCP client that waits for a person is answered with "pending". Default: 50 s. */
    readonly mcpWaitMs?: number | undefined;
  }
}

/** Throws UsageError if the file of their tokens in `folder` is damaged. */
function openPrograms({ chats, workspace, log }: ServiceEnvironment, folder: string, waitMs = WAIT_MS): McpPrograms {
  const clients = new McpClients(folder, workspace.toolsFor);
  const calls = new ProgramCalls<McpClient>((client, name) => new ClientCalls({ chats, workspace, waitMs }, client, name));
  const handler = new McpHandler({ calls, newId: randomUUID, now: () => workspace.clock.now(), log });
  clients.removed.add((id) => {
    calls.forget(id);
    inBackground(handler.forget(id));
  });
  return { clients, handler, notebooks: workspace.notebooks, projects: workspace.projects };
}

/** Other programs that use the tools by MCP, over HTTP and, for the one that started this one, over the standard streams. */
export const start: StartServiceFeature = ({ options: { data, mcpWaitMs } }) => ({
  serve(service) {
    const programs = inFolder(data, () => openPrograms(service, data, mcpWaitMs));
    const { handler, clients } = programs;
    const stdio = service.stdio ? serveStdio(() => handler.serverFor(clients.owner)) : null;
    return {
      ...programRoutes(programs, service.isToken),
      async close() {
        await stdio?.close();
        await handler.close();
      },
    };
  },
});
