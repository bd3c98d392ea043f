import { resolve } from 'node:path';
import type { AssetStore } from '../../chat/ports/assets.ts';
import { keepPictures } from '../../composition/server-pictures.ts';
import { openProgramPipe } from '../../desktop/processes/program-pipe.ts';
import { openReturn } from '../../desktop/sign-in/open-return.ts';
import { filledIn, readMcpServers } from '../../host/settings/mcp-servers.ts';
import { McpServers } from '../../mcp/client/mcp-servers.ts';
import { ProgramTransport } from '../../mcp/client/program-transport.ts';
import type { SignInDeps } from '../../mcp/client/sign-in/server-sign-in.ts';
import type { ToolGroup } from '../../tools/contract/types.ts';
import { inBackground } from '../../tools/util/in-background.ts';
import { SignInFile } from './sign-in-file.ts';

export interface OtherServersOptions {
  readonly data: string;
  /** Whether servers that are programs may be started: the settings, which name them, are synced. */
  readonly mcpPrograms?: boolean | undefined;
  /** Called when a server cannot be used. */
  readonly onProblem?: (problem: string) => void;
}

/** What is known of the servers, and what a person does about their logins. */
export type ServerLogins = Pick<McpServers, 'states' | 'signIn' | 'finishSignIn' | 'signOut'>;

export interface OtherServers {
  readonly groups: () => readonly ToolGroup[];
  readonly logins: ServerLogins;
  /** `setting`: `mcpServers` of the settings. Nobody has to wait for it. */
  use(setting: unknown): Promise<void>;
  close(): void;
}

const ofEnvironment = (variable: string): string | undefined => process.env[variable];

/** Where the browser is on this machine, nothing has to be pasted. */
const listen: SignInDeps['listen'] = (accept) =>
  openReturn(async (parameters) => {
    const isGood = (await accept(parameters)) === null;
    const text = isGood ? 'You are signed in. Close this page.' : 'You are not signed in. GET /api/servers of the service says why.';
    return { isGood, text };
  });

const wantsLogin = (name: string): string =>
  `mcpServers: ${name}: wants a login → POST /api/servers/${name}/sign-in, and open the address that it answers`;

/** Logs each problem once; that a login is wanted, once after each login. */
function problemLog(servers: McpServers, onProblem: OtherServersOptions['onProblem']): (problem: string) => void {
  const reported = new Set<string>();
  const report = (problem: string): void => {
    if (reported.has(problem)) return;
    reported.add(problem);
    onProblem?.(problem);
  };
  servers.changes.add(() => {
    for (const { name, problem, signIn } of servers.states()) {
      if (signIn?.state === 'wanted') report(wantsLogin(name));
      else if (signIn?.state === 'in') reported.delete(wantsLogin(name));
      if (problem && signIn?.state !== 'wanted') report(`mcpServers: ${name}: ${problem}`);
    }
  });
  return report;
}

/** Tools of other people's servers, as the workspace's settings name them. Throws UsageError where the file of logins cannot be read. */
export function openOtherServers(
  { data, mcpPrograms, onProblem }: OtherServersOptions,
  assets: AssetStore,
  localOnly: () => boolean,
): OtherServers {
  const file = new SignInFile(data);
  const servers = new McpServers({
    version: '0.1.0',
    keepPicture: keepPictures(assets),
    signInFor: (server) => ({ store: file.storeOf(server), send: fetch, listen, localOnly }),
    startProgram: mcpPrograms
      ? ({ command = '', args = [], env }) =>
          new ProgramTransport((listener) =>
            openProgramPipe({ file: command, args, folder: resolve(data), environment: filledIn(env, ofEnvironment) }, listener),
          )
      : undefined,
  });
  const report = problemLog(servers, onProblem);
  return {
    groups: () => servers.groups(),
    logins: servers,
    async use(setting) {
      const read = readMcpServers(setting);
      for (const { text } of read.problems) report(text);
      await servers.use(read.servers.map((server) => ({ ...server, headers: server.headers && filledIn(server.headers, ofEnvironment) })));
    },
    close: () => inBackground(servers.close()),
  };
}
