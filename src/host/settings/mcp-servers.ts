import * as v from 'valibot';
import { isRecord } from '../../tools/util/plain-value.ts';

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

/** A server of other people's tools: an address, or a program. */
type McpServerSetting = v.InferOutput<typeof entry>;

export interface ReadMcpServers {
  readonly servers: readonly McpServerSetting[];
  /** What is wrong with the entries that are left out. */
  readonly problems: readonly string[];
}

const MAX_SERVERS = 20;

/** As other programs write it: an object by name, alone or under `mcpServers`; `disabled` instead of `enabled`. */
function entriesOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return [];
  if (isRecord(value.mcpServers)) return entriesOf(value.mcpServers);
  return Object.entries(value).map(([name, server]) => ({
    ...(isRecord(server) ? { ...server, ...(server.disabled === true ? { enabled: false } : {}) } : {}),
    name: name.replaceAll(/[^a-z0-9-]+/gi, '-').slice(0, 20),
  }));
}

/** `mcpServers` of a settings file that may have been edited by hand: one invalid entry costs no other. */
export function readMcpServers(value: unknown): ReadMcpServers {
  const servers: McpServerSetting[] = [];
  const problems: string[] = [];
  for (const [at, given] of entriesOf(value).slice(0, MAX_SERVERS).entries()) {
    const read = v.safeParse(entry, given);
    const name = isRecord(given) && typeof given.name === 'string' ? given.name : `entry ${at + 1}`;
    if (!read.success) problems.push(`mcpServers: ${name}: ${read.issues[0].message}`);
    else if ((read.output.url === undefined) === (read.output.command === undefined))
      problems.push(`mcpServers: ${name}: it needs either a url or a command`);
    else if (servers.some((other) => other.name.toLowerCase() === read.output.name.toLowerCase()))
      problems.push(`mcpServers: ${name}: there is another server of this name`);
    else servers.push(read.output);
  }
  return { servers, problems };
}
