import type { SettingsStore } from '../../../host/settings/settings.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import { parseLenient } from '../../../tools/util/lenient-json.ts';
import { isRecord } from '../../../tools/util/plain-value.ts';
import { foreignDescription } from '../foreign-tool.ts';
import type { OffersPort, ServerDraft, ServerEntry, ServersPort } from '../servers-port.ts';
import {
  type McpServerProblem,
  type McpServerSetting,
  readMcpServers,
  serverName,
  variableFor,
  variablesIn,
  withMcpServer,
} from '../settings/mcp-servers.ts';
import type { PanelServers } from './panel-servers.ts';

export interface ServersAdapterDeps {
  readonly settings: SettingsStore;
  readonly servers: PanelServers;
  /** SiYuan's own list (kernel/conf/ai.go); anything where it has none. */
  readonly ofSiYuan: () => unknown;
}

/** A server as it is written into the settings, and the values that this device keeps instead. */
function withoutValues(server: McpServerSetting): { readonly written: McpServerSetting; readonly values: Record<string, string> } {
  const values: Record<string, string> = {};
  const named = (texts: Readonly<Record<string, string>> | undefined) =>
    texts &&
    Object.fromEntries(
      Object.entries(texts).map(([name, text]) => {
        if (variablesIn({ text }).length > 0) return [name, text];
        const variable = variableFor(server.name, name);
        // Another program's own place for a secret holds none for us.
        if (!/\$\{[^}]*\}/u.test(text)) values[variable] = text;
        return [name, `\${${variable}}`];
      }),
    );
  return { written: { ...server, headers: named(server.headers), env: named(server.env) }, values };
}

const filledFields = ({ name: _key, ...fields }: McpServerSetting): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

/** A text that holds servers: JSON, with or without what is around it. */
function parsePasted(text: string): unknown {
  for (const attempt of [text, `{${text}}`]) {
    const read = parseLenient(attempt.trim());
    if (read.kind === 'value' && isRecord(read.value)) return read.value;
  }
  return null;
}

/** Changes of the settings' list. */
function listEditor({ settings, servers }: Pick<ServersAdapterDeps, 'settings' | 'servers'>) {
  const change = (
    name: string,
    edit: (now: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>> | null,
  ): Promise<void> => settings.update(({ mcpServers }) => ({ mcpServers: withMcpServer(mcpServers, name, edit) }));
  /** The values first: the server is asked as soon as the settings name it. */
  const add = async (server: McpServerSetting, before?: string): Promise<void> => {
    const { written, values } = withoutValues(server);
    servers.values.give(written, values);
    if (before !== undefined && before !== server.name) {
      await change(before, () => null);
      servers.values.drop(before);
    }
    await change(server.name, ({ disabled, headers, env, url, command, args, ...now }) => ({ ...now, ...filledFields(written) }));
    servers.follow();
  };
  return { change, add };
}

/** What a person does about the login of one. */
const signInPort = (servers: PanelServers): Pick<ServersPort, 'signIn' | 'finishSignIn' | 'cancelSignIn' | 'signOut'> => ({
  signIn: async (name, client) => (await servers.started()).signIn(name, client),
  finishSignIn: async (name, text) => (await servers.started()).finishSignIn(name, text),
  cancelSignIn: async (name) => (await servers.started()).cancelSignIn(name),
  signOut: async (name) => (await servers.started()).signOut(name),
});

/** The servers as the settings show and change them. */
export function createServersPort({ settings, servers, ofSiYuan }: ServersAdapterDeps): Omit<ServersPort, keyof OffersPort> {
  const read = () => servers.read();
  const { change, add } = listEditor({ settings, servers });
  const known = (name: string): McpServerSetting => {
    const found = read().servers.find((server) => server.name === name);
    if (!found) throw new ToolError('not_found', `there is no server “${name}”`, 'look at the list again');
    return found;
  };
  const fromSiYuan = () => readMcpServers(siyuanList(ofSiYuan())).servers;
  return {
    async list() {
      const { servers: all, problems } = read();
      const names = all.map(({ name }) => name.toLowerCase());
      const others = fromSiYuan().filter(({ name }) => !names.includes(name.toLowerCase()));
      return { servers: all.map((server) => entryOf(servers, server)), problems, ofSiYuan: others.map(({ name }) => name) };
    },
    async save(draft, before) {
      const old = before === undefined ? undefined : known(before);
      const others = read().servers.filter(({ name }) => name !== before);
      const checked = checkDraft(draft, old, others);
      if (typeof checked === 'string') return checked;
      await add(checked, before);
      return null;
    },
    async paste(text) {
      const pasted = parsePasted(text);
      const { servers: found, problems } = readMcpServers(pasted);
      const taken = new Set(read().servers.map(({ name }) => name.toLowerCase()));
      const fresh = found.filter(({ name }) => !taken.has(name.toLowerCase()));
      for (const server of fresh) await add(server);
      const twice = found.filter((server) => !fresh.includes(server)).map(({ name }) => ({ name, code: 'taken' as const }));
      return { added: fresh.map(({ name }) => name), problems: [...problems, ...twice], unread: found.length + problems.length === 0 };
    },
    async takeFromSiYuan(name) {
      const found = fromSiYuan().find((server) => server.name === name);
      if (!found) return 'invalid';
      // Its own switch is about SiYuan's agent.
      await add({ ...found, enabled: true });
      return null;
    },
    async turn(name, on) {
      await change(name, ({ disabled, isActive, ...now }) => ({ ...now, enabled: on }));
    },
    async allow(name) {
      servers.values.give(known(name), {});
      servers.follow();
    },
    async remove(name) {
      await (await servers.started()).signOut(name);
      await change(name, () => null);
      servers.values.drop(name);
    },
    async test(name) {
      known(name);
      await servers.connect();
    },
    ...signInPort(servers),
  };
}

/** SiYuan names servers freely. */
const siyuanList = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((server) => (isRecord(server) ? { ...server, name: serverName(String(server.name)) } : server)) : [];

/** A draft as a server, with the values that it keeps; what is wrong with it otherwise. */
function checkDraft(
  { values, ...draft }: ServerDraft,
  old: McpServerSetting | undefined,
  others: readonly McpServerSetting[],
): McpServerSetting | McpServerProblem {
  const kept = { ...old?.headers, ...old?.env };
  const texts = Object.fromEntries(values.map(({ name, value }) => [name, value ?? kept[name] ?? '']));
  const named = Object.keys(texts).length === 0 ? {} : { [draft.url ? 'headers' : 'env']: texts };
  const { servers, problems } = readMcpServers([...others, { ...draft, enabled: old?.enabled ?? true, ...named }]);
  return problems[0]?.code ?? servers.at(-1) ?? 'invalid';
}

function entryOf(servers: PanelServers, server: McpServerSetting): ServerEntry {
  const { name, enabled, url, command, args = [], headers, env } = server;
  const state = servers.stateOf(server);
  const { failure, problem, signIn } = servers.known(name) ?? {};
  const group = servers.groups().find((each) => each.name === `mcp:${name}`);
  return {
    ...{ name, enabled, url, command, args, state, signIn },
    values: Object.entries({ ...headers, ...env }).map(([field, text]) => ({ name: field, isSet: servers.values.has(server, text) })),
    failure: state === 'failed' ? failure : undefined,
    tools: (state === 'ready' ? (group?.tools ?? []) : []).map(({ definition: { function: tool } }) => ({
      name: tool.name.slice(`mcp_${name}_`.length),
      description: tool.description.slice(foreignDescription(name).length),
    })),
    leavesOut: state === 'ready' && problem !== undefined,
  };
}
