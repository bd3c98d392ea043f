import { resolve } from 'node:path';
import { openProgramPipe } from '../../../desktop/processes/program-pipe.ts';
import { PROGRAM } from '../../../host/settings/device-keys.ts';
import type { ServiceStart } from '../../../service/kernel/workspace-types.ts';
import type { StartServiceFeature } from '../../../service/service-feature.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { openReturn } from '../desktop/open-return.ts';
import { type McpServerState, McpServers } from '../mcp-servers.ts';
import { ProgramTransport } from '../program-transport.ts';
import { keepPictures } from '../server-pictures.ts';
import { filledIn, type McpServerSetting, placeOf, readMcpServers, variablesIn } from '../settings/mcp-servers.ts';
import type { SignInDeps } from '../sign-in/server-sign-in.ts';
import { SERVER_ROUTES } from './described-servers.ts';
import { type ServerLogins, serverRoutes } from './server-routes.ts';
import { SignInFile } from './sign-in-file.ts';

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
function problemLog(servers: McpServers, onProblem: ServiceStart['options']['onProblem']): (problem: string) => void {
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
export const start: StartServiceFeature = ({ options: { data, mcpPrograms, onProblem }, base: { assets }, settings, secrets }) => {
  const localOnly = (): boolean => settings.get().localOnly;
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
  const logins: ServerLogins = {
    states: () => [...servers.states(), ...refused],
    signIn: (...asked) => servers.signIn(...asked),
    finishSignIn: (...asked) => servers.finishSignIn(...asked),
    signOut: (...asked) => servers.signOut(...asked),
  };
  const use = async (setting: unknown): Promise<void> => {
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
  };
  // A server that does not answer holds nobody up.
  const refresh = (): void => inBackground(use(settings.get().mcpServers));
  refresh();
  return {
    ...{ late: () => servers.groups(), refresh, close: () => inBackground(servers.close()) },
    serve: ({ workspace }) => ({
      ...{ path: '/api/servers', routes: serverRoutes({ logins, refresh: workspace.refresh }), described: SERVER_ROUTES },
    }),
  };
};
