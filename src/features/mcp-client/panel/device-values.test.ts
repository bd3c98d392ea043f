import { expect, it } from 'vitest';
import { type McpServerSetting, variableFor } from '../settings/mcp-servers.ts';
import { DeviceValues } from './device-values.ts';

function device() {
  const kept = new Map<string, string>();
  const secrets = { get: (name: string) => kept.get(name), set: (name: string, value: string) => void kept.set(name, value) };
  return { values: new DeviceValues(secrets), kept };
}

const headers = { Authorization: `Bearer \${${variableFor('a', 'key')}}` };
const server: McpServerSetting = { name: 'a', enabled: true, url: 'https://one.example/mcp', headers };

it('gives a key to the server that it was typed for, and to no other address that a sync brings', () => {
  const { values } = device();
  values.give(server, { MARGINALIA_MCP_A_KEY: 'secret' });
  expect(values.filled(server, headers)).toEqual({ Authorization: 'Bearer secret' });
  expect(values.filled({ ...server, url: 'https://one.example/other' }, headers)).toEqual({ Authorization: 'Bearer secret' });
  const moved = { ...server, url: 'https://evil.example/mcp' };
  expect(values.filled(moved, headers)).toEqual({ Authorization: 'Bearer ' });
  expect(values.has(moved, headers.Authorization)).toBe(false);
});

it('lets a device start exactly the program that was allowed there', () => {
  const { values } = device();
  const program: McpServerSetting = { name: 'files', enabled: true, command: 'npx', args: ['-y', 'files'] };
  expect(values.isFor(program)).toBe(false);
  values.give(program, {});
  expect(values.isFor(program)).toBe(true);
  for (const other of [{ args: ['-y', 'files', '/'] }, { command: 'sh' }, { args: undefined }, { name: 'other' }])
    expect(values.isFor({ ...program, ...other })).toBe(false);
});

it('keeps a login for exactly the server at which somebody signed in', () => {
  const { values } = device();
  const tokens = { access_token: 'secret', token_type: 'Bearer' };
  values.give(server, { MARGINALIA_MCP_A_KEY: 'key' });
  values.signInOf(server).write({ server: 'https://one.example/mcp', tokens });
  values.give(server, { MARGINALIA_MCP_A_KEY: 'other' });
  expect(values.signInOf(server).read()?.tokens).toEqual(tokens);
  expect(values.filled(server, headers)).toEqual({ Authorization: 'Bearer other' });
  for (const url of ['https://one.example/other', 'https://evil.example/mcp', 'http://one.example/mcp'])
    expect(values.signInOf({ ...server, url }).read()).toBeUndefined();
  values.signInOf(server).write(undefined);
  expect(values.signInOf(server).read()).toBeUndefined();
  expect(values.filled(server, headers)).toEqual({ Authorization: 'Bearer other' });
});

it('has nothing of a server that was removed, or of what it cannot read', () => {
  const { values, kept } = device();
  values.give(server, { MARGINALIA_MCP_A_KEY: 'secret' });
  values.drop('A');
  expect([...kept.values()].join()).not.toContain('secret');
  for (const text of ['{', '[]', 'null', '{"place":1,"values":{}}']) {
    kept.set('local:mcp:a', text);
    expect(values.isFor(server)).toBe(false);
  }
});
