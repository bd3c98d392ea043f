import { expect, it } from 'vitest';
import { readMcpServers } from './mcp-servers.ts';

it('reads servers as a list, or as other programs write them', () => {
  const fetch = { name: 'fetch', enabled: true, command: 'uvx', args: ['mcp-server-fetch'], env: { LANG: 'C' } };
  expect(readMcpServers([{ ...fetch, enabled: undefined }])).toEqual({ servers: [fetch], problems: [] });
  const pasted = {
    mcpServers: {
      'My Files!': { command: 'npx', args: ['-y', 'server-files'] },
      remote: { url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer x' }, disabled: true },
    },
  };
  expect(readMcpServers(pasted).servers).toEqual([
    { name: 'My-Files-', enabled: true, command: 'npx', args: ['-y', 'server-files'] },
    { name: 'remote', enabled: false, url: 'https://mcp.example/mcp', headers: { Authorization: 'Bearer x' } },
  ]);
  expect(readMcpServers(undefined)).toEqual({ servers: [], problems: [] });
});

it.each([
  [{ name: 'mcp_x', url: 'https://a.example' }, 'a name has up to 20 letters'],
  [{ name: 'a' }, 'it needs either a url or a command'],
  [{ name: 'a', url: 'https://a.example', command: 'x' }, 'it needs either a url or a command'],
  [{ name: 'a', url: 'file:///etc/passwd' }, 'an address begins with'],
  [{ name: 'OK', url: 'https://b.example' }, 'there is another server of this name'],
  ['text', 'Invalid type'],
])('leaves out %j and says why', (bad, why) => {
  const { servers, problems } = readMcpServers([{ name: 'ok', url: 'https://ok.example' }, bad]);
  expect(servers.map(({ name }) => name)).toEqual(['ok']);
  expect(problems).toEqual([expect.stringContaining(why)]);
});
