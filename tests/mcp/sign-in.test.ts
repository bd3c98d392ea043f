// Logins at servers of tools, and what servers, logins and pages could do with them.
import { afterEach, describe, expect, it } from 'vitest';
import { openReturn } from '../../src/features/mcp-client/desktop/open-return.ts';
import type { McpServers } from '../../src/features/mcp-client/mcp-servers.ts';
import { type LoginOptions, type LoginServer, startLoginServer } from '../support/login-server.ts';
import { executorWith, openServers, serve, signInMemory } from './support.ts';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of cleanUp.splice(0).reverse()) await close();
});

async function open(options: LoginOptions = {}, memory = signInMemory()) {
  const login = await startLoginServer(options);
  const servers = openServers({ signInFor: memory.signInFor });
  cleanUp.push(login.close, () => servers.close());
  await servers.use([{ name: 'work', enabled: true, url: login.url }]);
  return { login, servers, ...memory };
}

const view = (servers: McpServers) => servers.states()[0]?.signIn;

/** Signs in like a person whose browser ends at `ended`; default: where the login leads it. */
async function signIn(servers: McpServers, login: LoginServer, ended?: (address: string) => string): Promise<void> {
  const address = (await servers.signIn('work')) ?? '';
  const back = await login.browser(address);
  await servers.finishSignIn('work', ended?.(back) ?? back);
}

const call = (servers: McpServers) => executorWith(servers).executor.execute('mcp_work_secret_word', {});

describe('a login', () => {
  it('is begun by nobody but a person: a server that wants one is asked for its tools, and for nothing else', async () => {
    const { login, servers } = await open();
    expect(servers.states()[0]?.failure?.code).toBe('mcp_sign_in');
    expect(view(servers)?.state).toBe('wanted');
    expect(new Set(login.paths())).toEqual(new Set(['/mcp']));
  });

  it('ends with the code alone, too, and is renewed once for calls at the same time', async () => {
    const { login, servers } = await open({ login: { authorization_response_iss_parameter_supported: false } });
    await signIn(servers, login, (back) => new URL(back).searchParams.get('code') ?? '');
    expect(view(servers)).toEqual({ state: 'in', host: new URL(login.login).host });
    login.expire();
    login.paths();
    const answers = await Promise.all([call(servers), call(servers), call(servers)]);
    expect(answers.map(({ finalText = '' }) => finalText.includes('swordfish'))).toEqual([true, true, true]);
    expect(login.paths().filter((path) => path === '/token')).toHaveLength(1);
  });

  it.each<[string, LoginOptions]>([
    ['null for what its documents do not have', { login: { scopes_supported: null, revocation_endpoint: null, jwks_uri: null } }],
    ['null in the document of the resource', { resource: { scopes_supported: null, resource_name: null } }],
    ['a slash at the end of its name alone', { slash: true }],
  ])('is made where it has %s', async (_name, options) => {
    const { login, servers } = await open(options);
    await signIn(servers, login);
    expect(view(servers)).toMatchObject({ state: 'in' });
    login.expire();
    expect((await call(servers)).finalText).toContain('swordfish');
    expect(view(servers)).toMatchObject({ state: 'in' });
  });

  it('that is no longer renewed is wanted again, and its tokens are forgotten', async () => {
    const { login, servers, kept } = await open();
    await signIn(servers, login);
    login.forgetAll();
    expect((await call(servers)).error?.code).toBe('mcp_sign_in');
    expect(kept.get('work')?.tokens).toBeUndefined();
  });

  it('takes what came back once, only with its own state, and goes on after what is of another', async () => {
    const { login, servers } = await open();
    const back = await login.browser((await servers.signIn('work')) ?? '');
    login.paths();
    for (const state of ['', 'x', `${new URL(back).searchParams.get('state')}0`]) {
      const other = new URL(back);
      other.searchParams.set('state', state);
      await servers.finishSignIn('work', other.href);
      expect(view(servers)).toMatchObject({ state: 'open', problem: 'state' });
    }
    await servers.finishSignIn('work', `${back}&state=x`);
    expect(view(servers)).toMatchObject({ state: 'open', problem: 'state' });
    expect(login.paths()).toEqual([]);
    await servers.finishSignIn('work', back);
    expect(view(servers)?.state).toBe('in');
    login.paths();
    await servers.finishSignIn('work', back);
    expect(login.paths()).toEqual([]);
  });

  it.each<[string, LoginOptions, string]>([
    ['is refused in the browser', { denies: true }, 'denied'],
    ['is answered by another server', { answersAs: 'https://evil.example' }, 'issuer'],
    ['is refused by another server', { answersAs: 'https://evil.example', denies: true }, 'issuer'],
  ])('that %s sends no code, and says so', async (_what, options, problem) => {
    const { login, servers, kept } = await open(options);
    await signIn(servers, login);
    expect(view(servers)).toMatchObject({ state: 'wanted', problem });
    expect(login.paths()).not.toContain('/token');
    expect(kept.get('work')?.tokens).toBeUndefined();
  });

  it.each<[string, LoginOptions, string]>([
    ['whose documents name another login', { login: { issuer: 'https://evil.example' } }, 'issuer'],
    ['that registers nobody', { registers: false }, 'unregistered'],
    ['for another server', { resource: { resource: 'https://evil.example/mcp' } }, 'resource'],
    ['in the network of this device', { login: { authorization_endpoint: 'https://192.168.0.1/authorize' } }, 'address'],
    ['at a name of that network', { login: { registration_endpoint: 'https://router.local/register' } }, 'address'],
    ['at another name of this machine', { login: { registration_endpoint: 'https://localhost.localdomain/register' } }, 'address'],
    ['at a service of a cluster', { login: { registration_endpoint: 'https://kubernetes.default.svc/register' } }, 'address'],
    ['with a password in its address', { login: { authorization_endpoint: 'https://a:b@login.example/authorize' } }, 'address'],
    ['without encryption', { login: { authorization_endpoint: 'http://login.example/authorize' } }, 'insecure'],
    ['that is a script', { login: { authorization_endpoint: 'javascript:alert(1)' } }, 'unusable'],
  ])('%s is not opened, and says so', async (_what, options, problem) => {
    const { servers } = await open(options);
    expect(await servers.signIn('work')).toBeUndefined();
    expect(view(servers)).toMatchObject({ state: 'wanted', problem });
  });

  it('at a server without encryption is not begun', async () => {
    const servers = openServers({ ...signInMemory(), fetchFor: () => async () => new Response(null, { status: 401 }) });
    cleanUp.push(() => servers.close());
    await servers.use([{ name: 'work', enabled: true, url: 'http://mcp.example/mcp' }]);
    expect(await servers.signIn('work')).toBeUndefined();
    expect(view(servers)?.problem).toBe('insecure');
  });

  it('with documents that have no end is given up', async () => {
    const { servers, login } = await open({ login: { more: 'x'.repeat(300_000) } });
    expect(await servers.signIn('work')).toBeUndefined();
    expect(view(servers)).toMatchObject({ state: 'wanted', problem: 'unusable' });
    expect(login.paths()).not.toContain('/register');
  });

  it('gives its token to its own server alone, and to none that it leads to', async () => {
    const { login, servers, signInFor } = await open();
    await signIn(servers, login);
    const reached: (string | undefined)[] = [];
    const other = await serve((request, response) => {
      reached.push(request.headers.authorization);
      response.writeHead(401).end();
    });
    const leads = await serve((_request, response) => void response.writeHead(307, { location: other.url }).end());
    cleanUp.push(other.close, leads.close);
    const token = signInFor({ name: 'work', enabled: true }).store.read()?.tokens?.access_token;
    expect(login.asked.some(({ authorization }) => authorization === `Bearer ${token}`)).toBe(true);
    await servers.use([{ name: 'work', enabled: true, url: leads.url }]);
    expect(reached).toEqual([]);
    expect(login.asked.filter(({ path }) => path !== '/mcp').map(({ authorization }) => authorization)).not.toContain(`Bearer ${token}`);
  });

  it('is asked for further rights when a call lacks them, with those that it has', async () => {
    const { login, servers } = await open({ callScope: 'write' });
    await signIn(servers, login);
    expect((await call(servers)).error?.code).toBe('mcp_sign_in');
    expect(view(servers)).toMatchObject({ state: 'wanted', lacking: 'write' });
    const address = new URL((await servers.signIn('work')) ?? '');
    expect(address.searchParams.get('scope')).toBe('read write');
    await servers.finishSignIn('work', await login.browser(address.href));
    expect((await call(servers)).finalText).toContain('swordfish');
  });

  it('is over with a press: tokens are revoked and forgotten, the tools are gone', async () => {
    const { login, servers, kept } = await open();
    await signIn(servers, login);
    await servers.signOut('work');
    expect([login.living(), kept.get('work')]).toEqual([0, undefined]);
    await expect.poll(() => [servers.groups().length, view(servers)?.state]).toEqual([0, 'wanted']);
  });

  it('is neither begun, ended, renewed nor revoked under “Local only”', async () => {
    const login = await startLoginServer();
    const memory = signInMemory();
    let isOn = false;
    const servers = openServers({ signInFor: (config) => ({ ...memory.signInFor(config), localOnly: () => isOn }) });
    cleanUp.push(login.close, () => servers.close());
    await servers.use([{ name: 'work', enabled: true, url: login.url }]);
    const back = await login.browser((await servers.signIn('work')) ?? '');
    isOn = true;
    login.paths();
    await servers.finishSignIn('work', back);
    expect(view(servers)).toMatchObject({ state: 'wanted', problem: 'local_only' });
    expect(await servers.signIn('work')).toBeUndefined();
    expect(login.paths()).toEqual([]);
    isOn = false;
    await signIn(servers, login);
    isOn = true;
    login.expire();
    login.paths();
    expect((await call(servers)).error?.code).toBe('local_only');
    await servers.signOut('work');
    expect(memory.kept.get('work')).toBeUndefined();
    expect(new Set(login.paths())).toEqual(new Set(['/mcp']));
  });

  it('of a server with a key of its own is none', async () => {
    const { login, servers } = await open();
    await servers.use([{ name: 'work', enabled: true, url: login.url, headers: { authorization: 'Bearer wrong' } }]);
    expect(servers.states()[0]).toMatchObject({ failure: { code: 'mcp_refused' } });
    expect(view(servers)).toBeUndefined();
  });
});

describe('the address at which a browser ends', () => {
  it('is answered on this machine alone, for its own path and name, and says how it went', async () => {
    const seen: string[] = [];
    const listener = await openReturn(async (parameters) => {
      seen.push(String(parameters));
      return { isGood: parameters.get('state') === 'mine', text: '<b>Signed in</b>' };
    }, 0);
    cleanUp.push(() => listener.close());
    const get = (address: string, init?: RequestInit) => fetch(address, init);
    expect(new URL(listener.address).hostname).toBe('127.0.0.1');
    const good = await get(`${listener.address}?code=a&state=mine`);
    expect([good.status, await good.text()]).toEqual([200, expect.not.stringContaining('<b>')]);
    expect((await get(`${listener.address}?code=a&state=other`)).status).toBe(400);
    expect((await get(new URL('/other?state=mine', listener.address).href)).status).toBe(404);
    expect((await get(`${listener.address}?state=mine`, { method: 'POST' })).status).toBe(404);
    expect((await get(listener.address.replace('127.0.0.1', 'localhost')).catch(() => ({ status: 404 }))).status).toBe(404);
    expect(seen).toEqual(['code=a&state=mine', 'code=a&state=other']);
  });

  it('ends a login without anything to paste, and is gone afterwards', async () => {
    const login = await startLoginServer();
    const memory = signInMemory();
    const servers = openServers({
      signInFor: (config) => ({
        ...memory.signInFor(config),
        listen: (accept) => openReturn(async (back) => ({ isGood: (await accept(back)) === null, text: 'ok' }), 0),
      }),
    });
    cleanUp.push(login.close, () => servers.close());
    await servers.use([{ name: 'work', enabled: true, url: login.url }]);
    const address = (await servers.signIn('work')) ?? '';
    expect(view(servers)?.byHand).toBe(false);
    const ended = await login.browser(address);
    expect((await fetch(ended)).status).toBe(200);
    await expect.poll(() => view(servers)?.state).toBe('in');
    await expect(fetch(ended)).rejects.toThrow(TypeError);
  });
});
