import type { Configuration } from './programs-port.ts';

/** How a program comes in. */
export interface WayIn {
  readonly url: string;
  readonly token: string;
  /** Of programs that start a command instead of calling an address. */
  readonly command: { readonly file: string; readonly args: readonly string[]; readonly env: Readonly<Record<string, string>> };
}

type System = 'darwin' | 'win32' | 'linux';

interface KnownProgram {
  readonly name: string;
  readonly file: Readonly<Record<System, string>>;
  readonly text: (way: WayIn) => string;
}

const SERVER = 'marginalia';
const json = (value: object): string => JSON.stringify(value, null, 2);
const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const everywhere = (file: string): KnownProgram['file'] => ({
  ...{ darwin: file, linux: file },
  win32: file.replace('~', '%USERPROFILE%').replaceAll('/', '\\'),
});
/** Where an app keeps what is its user's. */
const ofApp = (file: string): KnownProgram['file'] => ({
  ...{ darwin: `~/Library/Application Support/${file}`, linux: `~/.config/${file}` },
  win32: `%APPDATA%\\${file.replaceAll('/', '\\')}`,
});

/** Programs that speak the Model Context Protocol, with the file that each reads and the form of what is in it. */
export const KNOWN_PROGRAMS: readonly KnownProgram[] = [
  {
    name: 'Claude Desktop',
    file: ofApp('Claude/claude_desktop_config.json'),
    text: ({ command: { file, args, env } }) => json({ mcpServers: { [SERVER]: { command: file, args, env } } }),
  },
  {
    name: 'Claude Code',
    file: everywhere('~/.claude.json'),
    text: ({ url, token }) => json({ mcpServers: { [SERVER]: { type: 'http', url, headers: bearer(token) } } }),
  },
  {
    name: 'Cursor',
    file: everywhere('~/.cursor/mcp.json'),
    text: ({ url, token }) => json({ mcpServers: { [SERVER]: { url, headers: bearer(token) } } }),
  },
  {
    name: 'VS Code',
    file: ofApp('Code/User/mcp.json'),
    text: ({ url, token }) => json({ servers: { [SERVER]: { type: 'http', url, headers: bearer(token) } } }),
  },
  {
    name: 'Codex',
    file: everywhere('~/.codex/config.toml'),
    text: ({ url, token }) => `[mcp_servers.${SERVER}]\nurl = "${url}"\nhttp_headers = { Authorization = "Bearer ${token}" }\n`,
  },
  {
    name: 'Gemini CLI',
    file: everywhere('~/.gemini/settings.json'),
    text: ({ url, token }) => json({ mcpServers: { [SERVER]: { httpUrl: url, headers: bearer(token) } } }),
  },
];

const systemOf = (platform: string): System => (platform === 'darwin' || platform === 'win32' ? platform : 'linux');

/** The configuration of a program on a system, by its name; for one that is not known the address and the token. */
export function configurationOf(name: string, platform: string, way: WayIn): Configuration {
  const known = KNOWN_PROGRAMS.find((each) => each.name === name);
  if (known) return { file: known.file[systemOf(platform)], text: known.text(way) };
  return { file: undefined, text: `${way.url}\nAuthorization: Bearer ${way.token}` };
}
