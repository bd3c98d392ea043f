// A file of its own in the built plugin, loaded where a server of other people's tools is set up, or for the settings. The protocol's own
// code is a further one, loaded where such a server is on.

import { hasNode } from '../../../app/groups/lazy-desktop.ts';
import { pageServerFetch, pageSignInFetch } from '../../../app/server-fetch.ts';
import type { AssetStore } from '../../../chat/ports/assets.ts';
import type { SecretStore } from '../../../host/settings/device-keys.ts';
import type { SettingsStore } from '../../../host/settings/settings.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { ToolGroup } from '../../../tools/contract/types.ts';
import { lazyPart } from '../../../tools/util/lazy.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { canonicalJson } from '../../../tools/util/plain-value.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import type { McpServers, McpServersDeps } from '../mcp-servers.ts';
import type { McpServerConfig } from '../server-config.ts';
import { keepPictures } from '../server-pictures.ts';
import type { ServerState } from '../servers-port.ts';
import { type McpServerSetting, readMcpServers } from '../settings/mcp-servers.ts';
import type { SignInDeps } from '../sign-in/server-sign-in.ts';
import { DeviceValues } from './device-values.ts';

export interface PanelServersDeps {
  readonly settings: SettingsStore;
  readonly secrets: SecretStore;
  readonly assets: AssetStore;
  /** Where programs are started; '' if it is not known. */
  readonly folder: string;
  /** The tools of a server, or what is known of it, have changed. */
  readonly onChange: () => void;
  readonly signal: AbortSignal;
  readonly t: Translate;
}

/** The desktop app listens for the browser; elsewhere a person pastes what it came back with. */
function returnListener(t: Translate): SignInDeps['listen'] {
  if (!hasNode()) return undefined;
  return async (accept) => {
    const { openReturn } = await import('../desktop/open-return.ts');
    return openReturn(async (parameters) => {
      const isGood = (await accept(parameters)) === null;
      return { isGood, text: t(isGood ? 'servers.signIn.returned' : 'servers.signIn.notReturned') };
    });
  };
}

const SIGNING_IN: ReadonlySet<string> = new Set(['wanted', 'starting', 'open']);

/** A program of the desktop app, with the protocol over its standard streams. */
async function programStarter(folder: string): Promise<McpServersDeps['startProgram']> {
  if (!hasNode() || folder === '') return undefined;
  const [{ ProgramTransport }, { openProgramPipe }] = await Promise.all([
    import('../program-transport.ts'),
    import('../../../desktop/processes/program-pipe.ts'),
  ]);
  return ({ command = '', args = [], env }) =>
    new ProgramTransport((listener) => openProgramPipe({ file: command, args, folder, environment: env }, listener));
}

/** The servers of this window. */
export class PanelServers {
  readonly values: DeviceValues;
  private readonly deps: PanelServersDeps;
  private running: McpServers | undefined;
  private used = '';

  constructor(deps: PanelServersDeps) {
    this.deps = deps;
    this.values = new DeviceValues(deps.secrets);
    deps.settings.subscribe(() => this.follow());
    deps.signal.addEventListener('abort', () => inBackground(this.running?.close()));
  }

  groups(): readonly ToolGroup[] {
    return this.running?.groups() ?? [];
  }

  read(): ReturnType<typeof readMcpServers> {
    return readMcpServers(this.deps.settings.get().mcpServers);
  }

  /** What is known of it now; nothing of one that is off or cannot be used here. */
  known(name: string) {
    return this.running?.states().find((state) => state.name === name);
  }

  stateOf(server: McpServerSetting): ServerState {
    const here = this.usable(server);
    if (here !== null) return here;
    const { failure, tools, signIn } = this.known(server.name) ?? {};
    if (signIn && SIGNING_IN.has(signIn.state)) return 'signIn';
    if (failure) return 'failed';
    return tools === undefined || !this.groups().some(({ name }) => name === `mcp:${server.name}`) ? 'connecting' : 'ready';
  }

  /** After a change of the settings: connects and leaves. Whatever a server does, nobody waits. */
  follow(): void {
    const wanted = canonicalJson(this.configs());
    if (wanted !== this.used) inBackground(this.connect());
  }

  /** Those that can be asked for what they have. */
  async offering(): Promise<readonly string[]> {
    return this.deps.settings.get().localOnly ? [] : this.configs().map(({ name }) => name);
  }

  /** The servers, to be asked. Rejects with ToolError where nothing may leave this machine. */
  async asked(): Promise<McpServers> {
    if (this.deps.settings.get().localOnly)
      throw new ToolError('local_only', '“Local only” is on: nothing is sent to a server', 'switch it off, or go on without the server');
    const servers = await this.start();
    // Nobody waits for those that are not asked.
    if (this.used === '') {
      const configs = this.configs();
      this.used = canonicalJson(configs);
      inBackground(servers.use(configs));
    }
    return servers;
  }

  /** Asks those that did not answer once more. Rejects where the protocol's code cannot be loaded. */
  async connect(): Promise<void> {
    const configs = this.configs();
    this.used = canonicalJson(configs);
    if (configs.length === 0 && !this.running) return;
    await (await this.start()).use(configs);
  }

  /** What a person does about a login. */
  async started(): Promise<McpServers> {
    return this.start();
  }

  private configs(): readonly McpServerConfig[] {
    return this.read()
      .servers.filter((server) => this.usable(server) === null)
      .map((server) => ({ ...server, headers: this.values.filled(server, server.headers), env: this.values.filled(server, server.env) }));
  }

  /** Why it is not used on this device; null: it is. */
  private usable(server: McpServerSetting): 'off' | 'desktop' | 'asks' | 'lacks' | null {
    if (!server.enabled) return 'off';
    if (server.command !== undefined && (!hasNode() || this.deps.folder === '')) return 'desktop';
    if (server.command !== undefined && !this.values.isFor(server)) return 'asks';
    const texts = Object.values({ ...server.headers, ...server.env });
    return texts.every((text) => this.values.has(server, text)) ? null : 'lacks';
  }

  private readonly start = lazyPart(async () => {
    const { onChange, folder, settings, t } = this.deps;
    const [{ McpServers }, startProgram] = await Promise.all([import('../mcp-servers.ts'), programStarter(folder)]);
    const signIn = { send: pageSignInFetch(), listen: returnListener(t), localOnly: () => settings.get().localOnly };
    const signInFor = (server: McpServerConfig) => ({ store: this.values.signInOf(server), ...signIn });
    this.running = new McpServers({
      ...{ version: '0.1.0', fetchFor: pageServerFetch, startProgram, signInFor },
      keepPicture: keepPictures(this.deps.assets),
    });
    this.running.changes.add(onChange);
    return this.running;
  });
}
