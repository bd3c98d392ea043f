import { describe, expect, it } from 'vitest';
import { configurationOf, KNOWN_PROGRAMS } from './known-programs.ts';

const WAY = {
  url: 'http://127.0.0.1:6811/mcp',
  token: 'a'.repeat(64),
  command: { file: 'C:\\Program Files\\SiYuan\\SiYuan.exe', args: ['C:\\notes\\bridge.cjs'], env: { ELECTRON_RUN_AS_NODE: '1' } },
};
const files = (platform: string): readonly (string | undefined)[] =>
  KNOWN_PROGRAMS.map(({ name }) => configurationOf(name, platform, WAY).file);

describe('the configuration of a program', () => {
  it('lies where the program reads it on each system', () => {
    expect(files('darwin')).toEqual([
      '~/Library/Application Support/Claude/claude_desktop_config.json',
      ...['~/.claude.json', '~/.cursor/mcp.json'],
      '~/Library/Application Support/Code/User/mcp.json',
      ...['~/.codex/config.toml', '~/.gemini/settings.json'],
    ]);
    expect(files('win32')).toEqual([
      '%APPDATA%\\Claude\\claude_desktop_config.json',
      ...['%USERPROFILE%\\.claude.json', '%USERPROFILE%\\.cursor\\mcp.json'],
      '%APPDATA%\\Code\\User\\mcp.json',
      ...['%USERPROFILE%\\.codex\\config.toml', '%USERPROFILE%\\.gemini\\settings.json'],
    ]);
    expect(files('freebsd')[0]).toBe('~/.config/Claude/claude_desktop_config.json');
  });

  it('is whole in its form: JSON with paths of Windows, TOML, or address and token', () => {
    const read = (name: string): unknown => JSON.parse(configurationOf(name, 'win32', WAY).text);
    const { file, args, env } = WAY.command;
    expect(read('Claude Desktop')).toEqual({ mcpServers: { marginalia: { command: file, args, env } } });
    const headers = { Authorization: `Bearer ${WAY.token}` };
    expect(read('VS Code')).toEqual({ servers: { marginalia: { type: 'http', url: WAY.url, headers } } });
    expect(read('Gemini CLI')).toEqual({ mcpServers: { marginalia: { httpUrl: WAY.url, headers } } });
    expect(configurationOf('Codex', 'linux', WAY).text).toBe(
      `[mcp_servers.marginalia]\nurl = "${WAY.url}"\nhttp_headers = { Authorization = "Bearer ${WAY.token}" }\n`,
    );
    expect(configurationOf('', 'linux', WAY)).toEqual({ file: undefined, text: `${WAY.url}\nAuthorization: Bearer ${WAY.token}` });
  });
});
