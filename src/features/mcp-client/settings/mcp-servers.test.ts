import { expect, it } from 'vitest';
import { readMcpServers, withMcpServer } from './mcp-servers.ts';

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
  expect(problems.map(({ text }) => text)).toEqual([expect.stringContaining(why)]);
});

it('reads the lists of VS Code, of SiYuan and of those that name the address otherwise', () => {
  const vsCode = { servers: { github: { type: 'http', url: 'https://a.example/mcp' } }, inputs: [] };
  const siyuan = [{ id: '1', name: 'a', enabled: true, type: 'http', command: '', args: [], url: 'https://b.example/mcp', headers: {} }];
  const others = { mcpServers: { one: { serverUrl: 'https://c.example' }, two: { httpUrl: 'https://d.example', isActive: false } } };
  expect(readMcpServers(vsCode).servers).toMatchObject([{ name: 'github', url: 'https://a.example/mcp' }]);
  expect(readMcpServers({ mcp: vsCode }).servers).toMatchObject([{ name: 'github' }]);
  expect(readMcpServers(siyuan).servers).toMatchObject([{ name: 'a', url: 'https://b.example/mcp' }]);
  expect(readMcpServers(others).servers).toMatchObject([
    { url: 'https://c.example', enabled: true },
    { url: 'https://d.example', enabled: false },
  ]);
  expect(readMcpServers({ servers: { url: 'https://e.example' } }).servers).toMatchObject([{ name: 'servers' }]);
  expect(readMcpServers({ x: { type: 'sse', url: 'https://f.example' } }).problems).toMatchObject([{ name: 'x', code: 'old' }]);
});

it('changes one entry and leaves the others as they were written, whatever they are', () => {
  const off = (now: object) => ({ ...now, enabled: false });
  const named = { mcpServers: { 'My Files!': { command: 'x', note: 1 }, broken: 7 }, more: 1 };
  expect(withMcpServer(named, 'my-files-', off)).toEqual({
    mcpServers: { 'My Files!': { command: 'x', note: 1, enabled: false }, broken: 7 },
    more: 1,
  });
  expect(withMcpServer(named, 'new', () => ({ url: 'u' }))).toMatchObject({ mcpServers: { broken: 7, new: { url: 'u' } } });
  expect(withMcpServer([{ name: 'a' }, 7], 'A', () => null)).toEqual([7]);
  expect(withMcpServer([7], 'b', () => ({ url: 'u' }))).toEqual([7, { url: 'u', name: 'b' }]);
  expect(withMcpServer(undefined, 'gone', () => null)).toEqual({});
});
