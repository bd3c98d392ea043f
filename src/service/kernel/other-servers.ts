import { resolve } from 'node:path';
import { openProgramPipe } from '../../desktop/processes/program-pipe.ts';
import { filledIn, readMcpServers } from '../../host/settings/mcp-servers.ts';
import { McpServers } from '../../mcp/client/mcp-servers.ts';
import { ProgramTransport } from '../../mcp/client/program-transport.ts';
import type { ToolGroup } from '../../tools/contract/types.ts';

export interface OtherServersOptions {
  readonly data: string;
  /** Whether servers that are programs may be started: the settings, which name them, are synced. */
  readonly mcpPrograms?: boolean | undefined;
  /** Called when a server cannot be used. */
  readonly onProblem?: (problem: string) => void;
}

export interface OtherServers {
  readonly groups: () => readonly ToolGroup[];
  /** `setting`: `mcpServers` of the settings. Nobody has to wait for it. */
  use(setting: unknown): Promise<void>;
  close(): void;
}

const ofEnvironment = (variable: string): string | undefined => process.env[variable];

/** Tools of other people's servers, as the workspace's settings name them. */
export function openOtherServers({ data, mcpPrograms, onProblem }: OtherServersOptions): OtherServers {
  const servers = new McpServers({
    version: '0.1.0',
    startProgram: mcpPrograms
      ? ({ command = '', args = [], env }) =>
          new ProgramTransport((listener) =>
            openProgramPipe({ file: command, args, folder: resolve(data), environment: filledIn(env, ofEnvironment) }, listener),
          )
      : undefined,
  });
  const reported = new Set<string>();
  const report = (problem: string): void => {
    if (reported.has(problem)) return;
    reported.add(problem);
    onProblem?.(problem);
  };
  servers.changes.add(() => {
    for (const { name, problem } of servers.states()) if (problem) report(`mcpServers: ${name}: ${problem}`);
  });
  return {
    groups: () => servers.groups(),
    async use(setting) {
      const read = readMcpServers(setting);
      for (const { text } of read.problems) report(text);
      await servers.use(read.servers.map((server) => ({ ...server, headers: server.headers && filledIn(server.headers, ofEnvironment) })));
    },
    close: () => void servers.close(),
  };
}
