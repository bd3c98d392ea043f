import * as v from 'valibot';
import { canonicalJson, isRecord } from '../../../tools/util/plain-value.ts';

const texts = v.record(v.string(), v.string());

const entry = v.object({
  name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,19}$/i, 'a name has up to 20 letters, digits and hyphens, and begins with a letter')),
  enabled: v.optional(v.boolean(), true),
  url: v.optional(v.pipe(v.string(), v.url('the address is invalid'), v.regex(/^https?:/i, 'an address begins with https:// or http://'))),
  headers: v.optional(texts),
  command: v.optional(v.pipe(v.string(), v.nonEmpty('the command is empty'))),
  args: v.optional(v.array(v.string())),
  env: v.optional(texts),
});

export type McpServerSetting = v.InferOutput<typeof entry>;

export type McpServerProblem = 'name' | 'address' | 'neither' | 'both' | 'taken' | 'old' | 'invalid' | 'many';

export interface ReadMcpServers {
  readonly servers: readonly McpServerSetting[];
  /** The problems of the entries that are left out. */
  readonly problems: readonly { readonly name: string; readonly code: McpServerProblem; readonly text: string }[];
}

const MAX_SERVERS = 20;

/** A name as an entry may have it, of whatever another program calls the server. */
export const serverName = (name: string): string =>
  name
    .replaceAll(/[^a-z0-9-]+/gi, '-')
    .replace(/^[^a-z]+/i, '')
    .slice(0, 20);

/** The servers alone, or under the name that other programs give them (Claude Desktop, Cursor; VS Code). */
function listOf(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { mcpServers, mcp, servers } = value;
  if (isRecord(mcpServers)) return listOf(mcpServers);
  if (isRecord(mcp) && isRecord(mcp.servers)) return mcp.servers;
  // A server may be called so, too.
  return isRecord(servers) && servers.url === undefined && servers.command === undefined ? servers : value;
}

/** Its fields in our words: other programs write `disabled`, or name the address otherwise, and SiYuan leaves fields empty. */
function ownFields(server: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { serverUrl, httpUrl, disabled, isActive, ...fields } = server;
  const filled = Object.entries({ url: httpUrl ?? serverUrl, ...fields }).filter(
    ([, value]) => value !== '' && value !== undefined && value !== null,
  );
  const isOff = disabled === true || isActive === false;
  return { ...Object.fromEntries(filled), ...(isOff ? { enabled: false } : {}) };
}

function entriesOf(value: unknown): readonly unknown[] {
  const list = listOf(value);
  if (Array.isArray(list)) return list.map((server) => (isRecord(server) ? ownFields(server) : server));
  if (!isRecord(list)) return [];
  return Object.entries(list).map(([name, server]) => ({ ...(isRecord(server) ? ownFields(server) : {}), name: serverName(name) }));
}

/** `mcpServers` of a settings file that may have been edited by hand: one invalid entry costs no other. */
export function readMcpServers(value: unknown): ReadMcpServers {
  const servers: McpServerSetting[] = [];
  const problems: ReadMcpServers['problems'][number][] = [];
  for (const [at, given] of entriesOf(value).entries()) {
    const name = isRecord(given) && typeof given.name === 'string' ? given.name : `entry ${at + 1}`;
    const leave = (code: McpServerProblem, why: string): void => void problems.push({ name, code, text: `mcpServers: ${name}: ${why}` });
    const read = v.safeParse(entry, given);
    if (servers.length >= MAX_SERVERS) leave('many', `at most ${MAX_SERVERS} servers are used`);
    else if (isRecord(given) && given.type === 'sse')
      leave('old', 'it speaks the protocol’s older form (SSE), which is not spoken here: use its address for streamable HTTP');
    else if (!read.success) leave(problemOf(read.issues[0]), read.issues[0].message);
    else if (read.output.url === undefined && read.output.command === undefined) leave('neither', 'it needs either a url or a command');
    else if (read.output.url !== undefined && read.output.command !== undefined) leave('both', 'it needs either a url or a command');
    else if (servers.some((other) => other.name.toLowerCase() === read.output.name.toLowerCase()))
      leave('taken', 'there is another server of this name');
    else servers.push(read.output);
  }
  return { servers, problems };
}

function problemOf({ path }: { readonly path?: readonly { readonly key: unknown }[] | undefined }): McpServerProblem {
  const key = path?.[0]?.key;
  if (key === 'name') return 'name';
  return key === 'url' ? 'address' : 'invalid';
}

type Fields = Readonly<Record<string, unknown>>;

/** `mcpServers` with one entry changed, added or, with null, removed; others stay as written, unreadable ones too. */
export function withMcpServer(value: unknown, name: string, change: (now: Fields) => Fields | null): unknown {
  const isIt = (other: unknown): boolean => String(other).toLowerCase() === name.toLowerCase();
  if (Array.isArray(value)) {
    const at = value.findIndex((server) => isRecord(server) && isIt(server.name));
    const changed = change(at < 0 ? {} : value[at]);
    const one = changed ? [{ ...changed, name }] : [];
    return at < 0 ? [...value, ...one] : [...value.slice(0, at), ...one, ...value.slice(at + 1)];
  }
  const whole = isRecord(value) ? value : {};
  if (isRecord(whole.mcpServers)) return { ...whole, mcpServers: withMcpServer(whole.mcpServers, name, change) };
  const known = Object.entries(whole).find(([key]) => isIt(serverName(key)));
  const changed = change(known && isRecord(known[1]) ? known[1] : {});
  const rest = Object.entries(whole).flatMap(([key, server]) => {
    if (key !== known?.[0]) return [[key, server]];
    return changed ? [[key, changed]] : [];
  });
  return Object.fromEntries(known || !changed ? rest : [...rest, [name, changed]]);
}

/** The place that values of a server were given for: the origin of its address, or exactly the program. */
export const placeOf = ({ url, command, args = [] }: Pick<McpServerSetting, 'url' | 'command' | 'args'>): string =>
  url === undefined ? canonicalJson([command, args]) : new URL(url).origin;

/** The name of a value that is kept elsewhere: the settings are synced. */
const VARIABLE = /\$\{(MARGINALIA_MCP_\w+)\}/g;

export const variableFor = (server: string, field: string): string =>
  `MARGINALIA_MCP_${`${server}_${field}`.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;

export const variablesIn = (values: Readonly<Record<string, string>> = {}): readonly string[] =>
  Object.values(values).flatMap((text) => [...text.matchAll(VARIABLE)].map(([, name = '']) => name));

/** Values with those of their variables. Only variables that are named for this: settings must not read a program's own secrets. */
export const filledIn = (
  values: Readonly<Record<string, string>> = {},
  lookUp: (variable: string) => string | undefined,
): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, text]) => [name, text.replaceAll(VARIABLE, (_, key) => lookUp(key) ?? '')]));
