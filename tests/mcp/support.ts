import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/app/workspace/system-clock.ts';
import { openProgramPipe } from '../../src/desktop/processes/program-pipe.ts';
import { McpConnection } from '../../src/features/mcp-client/connection.ts';
import { McpServers, type McpServersDeps } from '../../src/features/mcp-client/mcp-servers.ts';
import { ProgramTransport } from '../../src/features/mcp-client/program-transport.ts';
import type { McpServerConfig } from '../../src/features/mcp-client/server-config.ts';
import type { SignInDeps } from '../../src/features/mcp-client/sign-in/server-sign-in.ts';
import type { SavedSignIn } from '../../src/features/mcp-client/sign-in/sign-in-format.ts';
import type { FormField, FormValue } from '../../src/tools/contract/types.ts';
import { InlineApprovalAdapter } from '../../src/tools/executor/approvals.ts';
import { ToolExecutor } from '../../src/tools/executor/executor.ts';

export const openServers = (more: Partial<McpServersDeps> = {}): McpServers =>
  new McpServers({
    ...more,
    version: '0.1.0',
    startProgram: ({ command = '', args = [], env }) =>
      new ProgramTransport((listener) => openProgramPipe({ file: command, args, folder: process.cwd(), environment: env }, listener)),
  });

/** The schemas of a server's tools as they arrived: what a model gets of them is made plain. */
export async function receivedSchemas(url: string): Promise<ReadonlyMap<string, unknown>> {
  const none = (): void => undefined;
  const connection = new McpConnection(
    { name: 'suite', enabled: true, url },
    { version: '0.1.0', onToolsChanged: none, onOffersChanged: none },
  );
  const tools = await connection.tools(AbortSignal.timeout(20_000));
  await connection.close();
  return new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
}

/** Logins that are kept in the memory, by the name of their server. */
export function signInMemory() {
  const kept = new Map<string, SavedSignIn | undefined>();
  const signInFor = ({ name }: McpServerConfig): SignInDeps => ({
    store: { read: () => kept.get(name), write: (saved) => void kept.set(name, saved) },
    send: fetch,
  });
  return { kept, signInFor };
}

/** What a person would enter where the server proposes nothing. */
function enteredIn({ kind, initial, least = 1, choices }: FormField): FormValue {
  const byKind = { text: 'Anna', number: least, integer: least, boolean: true, one: choices[0]?.value ?? '', many: [] };
  return initial ?? byKind[kind];
}

/** A chat's executor with the groups of these servers, all on. */
export function executorWith(servers: McpServers, options: { readonly localOnly?: boolean; readonly answersForms?: boolean } = {}) {
  const approvals = new InlineApprovalAdapter();
  const { localOnly = false, answersForms = false } = options;
  const executor = new ToolExecutor({
    clock: systemClock,
    approvalAdapter: approvals,
    localOnly: () => localOnly,
    timeoutMs: 20_000,
    answersForms,
  });
  for (const group of servers.groups()) {
    executor.registerToolGroup(group);
    executor.toggleGroupEnabled(group.name, true);
  }
  /** Approves whatever asks, forms as they are proposed, and remembers it. */
  const asked: string[] = [];
  approvals.subscribe((requests) => {
    for (const { approvalId, tool, form } of requests) {
      asked.push(tool);
      const answers = form && Object.fromEntries(form.fields.map((field) => [field.name, enteredIn(field)]));
      approvals.decide(approvalId, { approved: true, ...(answers ? { answers } : {}) });
    }
  });
  return { executor, asked };
}

/** A server of the test's own, and its address. */
export async function serve(answer: RequestListener): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/mcp`, close };
}
