import { resolve } from 'node:path';
import { keepPictures } from '../../../app/workspace/server-pictures.ts';
import type { AssetStore } from '../../../chat/ports/assets.ts';
import { openProgramPipe } from '../../../desktop/processes/program-pipe.ts';
import { openReturn } from '../../../desktop/sign-in/open-return.ts';
import { PROGRAM } from '../../../host/settings/device-keys.ts';
import { filledIn, type McpServerSetting, placeOf, readMcpServers, variablesIn } from '../../../host/settings/mcp-servers.ts';
import type { BoundSecrets } from '../../../service/kernel/bound-secrets.ts';
import type { ToolGroup } from '../../../tools/contract/types.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { type McpServerState, McpServers } from '../mcp-servers.ts';
import { ProgramTransport } from '../program-transport.ts';
import type { SignInDeps } from '../sign-in/server-sign-in.ts';
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

type Reached = Pick<McpServerSetting, 'url' | 'command' | 'args'>;
const secretPlace = (server: Reached): string => (server.url === undefined ? `${PROGRAM}${placeOf(server)}` : server.url);

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
  secrets: BoundSecrets,
): OtherServers {
  const filled = (server: Reached, texts: Readonly<Record<string, string>> | undefined): Record<string, string> =>
    filledIn(texts, (variable) => secrets.get(variable, secretPlace(server)));
  let refused: readonly McpServerState[] = [];
  /** Why a server gets nothing: a secret that it names was given for another. */
  const whyRefused = (server: McpServerSetting): string | undefined =>
    [...variablesIn(server.headers), ...variablesIn(server.env)]
      .map((variable) => secrets.withheld(variable, secretPlace(server)))
      .find((reason) => reason !== undefined);
  const file = new SignInFile(data);
  const servers = new McpServers({
    version: '0.1.0',
    keepPicture: keepPictures(assets),
    signInFor: (server) => ({ store: file.storeOf(server), send: fetch, listen, localOnly }),
    startProgram: mcpPrograms
      ? ({ command = '', args = [], env, ...server }) =>
          new ProgramTransport((listener) =>
            openProgramPipe(
              { file: command, args, folder: resolve(data), environment: filled({ ...server, command, args: [...args] }, env) },
              listener,
            ),
          )
      : undefined,
  });
  const report = problemLog(servers, onProblem);
  return {
    groups: () => servers.groups(),
    logins: {
      states: () => [...servers.states(), ...refused],
      signIn: (...asked) => servers.signIn(...asked),
      finishSignIn: (...asked) => servers.finishSignIn(...asked),
      signOut: (...asked) => servers.signOut(...asked),
    },
    async use(setting) {
      const read = readMcpServers(setting);
      for (const { text } of read.problems) report(text);
      const wanted = read.servers.map((server) => ({ server, problem: server.enabled ? whyRefused(server) : undefined }));
      refused = wanted.flatMap(({ server: { name }, problem }) => (problem === undefined ? [] : [{ name, tools: 0, problem }]));
      for (const { name, problem } of refused) report(`mcpServers: ${name}: ${problem}`);
      const used = wanted.flatMap(({ server, problem }) => (problem === undefined ? [server] : []));
      await servers.use(
        used.map((server) => ({
          ...server,
          headers: server.headers && (server.enabled ? filled(server, server.headers) : server.headers),
        })),
      );
    },
    close: () => inBackground(servers.close()),
  };
}
