// Logins of the service at servers of other people's tools.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SignInFile } from '../../src/features/mcp-client/service/sign-in-file.ts';
import { SIGN_IN_WORDS } from '../../src/features/mcp-client/service/sign-in-words.ts';
import { type LoginServer, startLoginServer } from '../support/login-server.ts';
import { type ServiceBench, startServiceBench } from './support.ts';

interface Server {
  readonly tools: number;
  readonly sign_in: {
    readonly state: string;
    readonly address: string | null;
    readonly problem: string | null;
    readonly words: string | null;
  };
}

let bench: ServiceBench;
let login: LoginServer;
beforeEach(async () => {
  login = await startLoginServer();
  bench = await startServiceBench();
  await use();
});
afterEach(async () => {
  await bench.close();
  await login.close();
});

const use = (more: object = {}) => bench.settings({ mcpServers: { mcpServers: { work: { url: login.url } } }, ...more });
const known = async (): Promise<Server | undefined> => (await bench.json<Server[]>('/api/servers'))[0];
const state = async () => (await known())?.sign_in.state;
const begin = () => bench.json<Server & { error?: { code: string; message: string } }>('/api/servers/work/sign-in', {});
const finish = (returned: string) => bench.json<{ error?: { code: string } }>('/api/servers/work/sign-in/finish', { returned });
const file = () => join(bench.data, 'mcp-sign-ins.json');

async function signIn(): Promise<void> {
  await expect.poll(state).toBe('wanted');
  const { sign_in } = await begin();
  expect((await fetch(await login.browser(sign_in.address ?? ''))).status).toBe(200);
}

it('are wanted in the log, made in a browser on this machine, kept in a file of their own, and renewed after a restart', async () => {
  await signIn();
  expect(bench.logged.join('\n')).toContain('work: wants a login → POST /api/servers/work/sign-in');
  expect(await known()).toMatchObject({ tools: 1, problem: null, sign_in: { state: 'in', host: new URL(login.login).host } });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const first = readFileSync(file(), 'utf8');
  login.expire();
  login.paths();
  await bench.restart();
  await expect.poll(async () => (await known())?.tools).toBe(1);
  expect(login.paths()).toContain('/token');
  expect(readFileSync(file(), 'utf8')).not.toBe(first);
  const said = bench.logged.join('\n') + JSON.stringify(await known());
  expect(said).not.toMatch(/access-|refresh-|code-/);
});

it('that are refused, or come back with another state, say so in the words of the panel, and end with what is pasted', async () => {
  const panel = JSON.parse(readFileSync('i18n/en_US.json', 'utf8'));
  for (const [problem, words] of Object.entries(SIGN_IN_WORDS)) expect(words).toBe(panel[`servers.login.${problem}`]);
  await expect.poll(state).toBe('wanted');
  expect((await finish('code')).error?.code).toBe('no_login_open');
  login.change({ denies: true });
  const refused = await login.browser((await begin()).sign_in.address ?? '');
  expect((await fetch(refused)).status).toBe(400);
  expect((await known())?.sign_in).toMatchObject({
    state: 'wanted',
    problem: 'denied',
    words: expect.stringContaining(SIGN_IN_WORDS.denied),
  });
  login.change({ denies: false });
  const back = await login.browser((await begin()).sign_in.address ?? '');
  expect((await finish(back.replace(/state=[^&]*/, 'state=other'))).error?.code).toBe('sign_in_state');
  expect(await finish(back)).toMatchObject({ tools: 1, sign_in: { state: 'in' } });
  expect((await bench.fetch('/api/servers/none/sign-in', { method: 'DELETE' })).status).toBe(404);
});

it('are over when one signs out: revoked, forgotten, and wanted again', async () => {
  await signIn();
  const out = await bench.fetch('/api/servers/work/sign-in', { method: 'DELETE' });
  expect(await out.json()).toMatchObject({ tools: 0, sign_in: { state: 'wanted', problem: null } });
  expect([login.living(), JSON.parse(readFileSync(file(), 'utf8')).signIns]).toEqual([0, {}]);
});

it('are neither begun nor renewed under “Local only”', async () => {
  await signIn();
  await use({ localOnly: true });
  login.expire();
  login.paths();
  await bench.restart();
  await expect.poll(async () => JSON.stringify(await known())).toContain('local only');
  expect((await begin()).error).toMatchObject({ code: 'sign_in_local_only' });
  expect(new Set(login.paths())).toEqual(new Set(['/mcp']));
  await use();
  await expect.poll(async () => (await known())?.tools).toBe(1);
});

it('in a file that cannot be read keep the service from starting, and are not overwritten', () => {
  writeFileSync(file(), '{"access-');
  expect(() => new SignInFile(bench.data)).toThrow(/^bad_sign_ins: (?!.*access-)/);
  expect(readFileSync(file(), 'utf8')).toBe('{"access-');
});
