import { mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type HostFixture, openHost, paragraphDom, temporaryFolder } from './kernel/testing/host-fixture.ts';

let open: HostFixture[] = [];
const start = async (options: Parameters<typeof openHost>[0] = {}): Promise<HostFixture> => {
  const fixture = await openHost(options);
  open.push(fixture);
  return fixture;
};

afterEach(async () => {
  for (const fixture of open) await fixture.close();
  open = [];
});

describe('who may come in', () => {
  const status = (fixture: HostFixture, path: string, headers: Record<string, string> = {}): Promise<number> =>
    fetch(new URL(path, fixture.host.url), { method: 'POST', headers, body: '{}' }).then((r) => r.status);

  it('asks for the token by header, query or cookie once there is one', async () => {
    const f = await start({ token: 'secret' });
    expect(await status(f, '/api/system/version')).toBe(401);
    expect(await status(f, '/api/system/version', { Authorization: 'Token wrong' })).toBe(401);
    expect(await status(f, '/api/system/version', { Authorization: 'Token secret' })).toBe(200);
    const byQuery = await fetch(new URL('/api/system/version?token=secret', f.host.url), { method: 'POST' });
    expect(byQuery.status).toBe(200);
    const cookie = byQuery.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect(await status(f, '/api/system/version', { Cookie: cookie })).toBe(200);
  });

  it('keeps pages of other origins out', async () => {
    const f = await start();
    expect(await status(f, '/api/system/version', { Origin: 'http://evil.example' })).toBe(403);
    expect(await status(f, '/api/system/version', { Origin: new URL(f.host.url).origin })).toBe(200);
  });

  it('refuses every write in read-only mode and still reads', async () => {
    const first = await openHost();
    const { id, blocks } = await first.document('text');
    await first.close(true);
    const f = await start({ workspace: first.workspace, readOnly: true });
    const refused = await f.ask('/api/attr/setBlockAttrs', { id, attrs: { memo: 'x' } });
    expect(refused).toMatchObject({ code: -1, msg: 'This operation is not supported in read-only mode' });
    const operation = { action: 'update', id: blocks[0], data: paragraphDom(blocks[0]!, 'changed') };
    const transaction = await f.ask('/api/transactions', { reqId: 1, transactions: [{ doOperations: [operation], undoOperations: [] }] });
    expect(transaction.code).toBe(-1);
    expect(await f.data('/api/block/getBlockKramdown', { id: blocks[0] })).toMatchObject({ kramdown: expect.stringContaining('text') });
  });
});

describe('faults on demand', () => {
  it('fails before or after the work, as often as it was told', async () => {
    const f = await start({ failures: { '/api/system/version': { mode: 'error', times: 1 } } });
    expect((await f.ask('/api/system/version')).code).toBe(-1);
    expect((await f.ask('/api/system/version')).data).toBe('3.7.3');
    const { id } = await f.document('text');
    f.host.failures.set('/api/attr/setBlockAttrs', { mode: 'drop', times: 2, afterApply: true });
    await expect(f.ask('/api/attr/setBlockAttrs', { id, attrs: { memo: 'applied' } })).rejects.toThrow();
    expect(await f.data('/api/attr/getBlockAttrs', { id })).toMatchObject({ memo: 'applied' });
    f.host.failures.set('/api/attr/setBlockAttrs', { mode: 'http500' });
    await f.ask('/api/attr/setBlockAttrs', { id, attrs: { memo: 'lost' } });
    expect(await f.data('/api/attr/getBlockAttrs', { id })).toMatchObject({ memo: 'applied' });
    f.host.failures.clear();
    expect((await f.ask('/api/attr/setBlockAttrs', { id, attrs: { memo: 'kept' } })).code).toBe(0);
  });

  it('is gone while paused and back on the same port after', async () => {
    const f = await start();
    const { port } = f.host;
    await f.host.pause();
    await expect(f.ask('/api/system/version')).rejects.toThrow();
    await f.host.resume();
    expect(f.host.port).toBe(port);
    expect((await f.ask('/api/system/version')).data).toBe('3.7.3');
  });
});

describe('pushes', () => {
  interface Push {
    cmd: string;
    data: unknown;
    context?: { rootIDs: string[] };
  }

  async function window(f: HostFixture, id: string): Promise<{ next: (cmd: string) => Promise<Push>; seen: Push[]; close: () => void }> {
    const url = new URL(`/ws?app=test&id=${id}&type=main`, f.host.url);
    url.protocol = 'ws:';
    const socket = new WebSocket(url);
    const seen: Push[] = [];
    let waiting: (() => void)[] = [];
    socket.onmessage = (event) => {
      seen.push(JSON.parse(String(event.data)) as Push);
      for (const wake of waiting.splice(0)) wake();
    };
    await new Promise<void>((done, fail) => {
      socket.onopen = () => done();
      socket.onerror = () => fail(new Error('no socket'));
    });
    const next = async (cmd: string): Promise<Push> => {
      for (;;) {
        const found = seen.find((p) => p.cmd === cmd);
        if (found) return found;
        await new Promise<void>((done) => {
          waiting.push(done);
        });
      }
    };
    waiting = [];
    return { next, seen, close: () => socket.close() };
  }

  it('tells the other windows of transactions after the file is written, and of the index later', async () => {
    const f = await start();
    const { id, blocks } = await f.document('before');
    await f.data('/api/sqlite/flushTransaction');
    const [own, other] = [await window(f, 'own'), await window(f, 'other')];
    const data = paragraphDom(blocks[0]!, 'x'.repeat(70_000));
    const transactions = [{ doOperations: [{ action: 'update', id: blocks[0], data }], undoOperations: [] }];
    await f.data('/api/transactions', { app: 'test', session: 'own', reqId: 1, transactions });
    const push = await other.next('transactions');
    expect(push.context?.rootIDs).toEqual([id]);
    expect(push.data).toMatchObject([{ doOperations: [{ action: 'update', id: blocks[0] }] }]);
    expect(other.seen.map((p) => p.cmd).slice(0, 2)).toEqual(['savedoc', 'transactions']);
    await own.next('databaseIndexCommit');
    expect(own.seen.some((p) => p.cmd === 'transactions')).toBe(false);
    own.close();
    other.close();
  });

  it('refuses sockets without the token', async () => {
    const f = await start({ token: 'secret' });
    await expect(window(f, 'a')).rejects.toThrow('no socket');
    expect(f.host.kernel.pushes.size).toBe(0);
  });
});

describe('what it serves', () => {
  it('answers unknown routes with 200 and nothing', async () => {
    const f = await start();
    const response = await fetch(new URL('/api/nothing/here', f.host.url), { method: 'POST' });
    expect([response.status, await response.text()]).toEqual([200, '']);
  });

  it('loads plugins from both folders and serves their files, but nothing outside', async () => {
    const plugins = temporaryFolder();
    mkdirSync(join(plugins, 'probe', 'i18n'), { recursive: true });
    writeFileSync(join(plugins, 'probe', 'plugin.json'), '{"name":"probe","version":"1.2.3","displayName":{"default":"Probe"}}');
    writeFileSync(join(plugins, 'probe', 'index.js'), 'module.exports = 1;');
    writeFileSync(join(plugins, 'probe', 'i18n', 'en_US.json'), '{"hello":"hi"}');
    writeFileSync(join(plugins, 'probe', 'i18n', 'zh_CHT.json'), '{"hello":"嗨"}');
    const f = await start({ plugins });
    const petals = await f.data<unknown[]>('/api/petal/loadPetals', { frontend: 'browser-desktop' });
    expect(petals).toMatchObject([
      { name: 'probe', version: '1.2.3', displayName: 'Probe', enabled: true, js: 'module.exports = 1;', i18n: { hello: 'hi' } },
    ]);
    // Files go by the older names of languages.
    mkdirSync(join(f.workspace, 'conf'), { recursive: true });
    writeFileSync(join(f.workspace, 'conf/devhost.json'), '{"lang":"zh-TW"}');
    expect(await f.data('/api/petal/loadPetals', { frontend: 'browser-desktop' })).toMatchObject([{ i18n: { hello: '嗨' } }]);
    const file = await fetch(new URL('/plugins/probe/index.js', f.host.url));
    expect([file.headers.get('content-type'), await file.text()]).toEqual(['text/javascript; charset=utf-8', 'module.exports = 1;']);
    const outside = await fetch(new URL('/plugins/..%2f..%2fetc%2fpasswd', f.host.url));
    expect(outside.status).toBe(404);
    await f.data('/api/petal/setPetalEnabled', { packageName: 'probe', enabled: false });
    expect(await f.data('/api/petal/loadPetals', { frontend: 'browser-desktop' })).toEqual([]);
  });

  it('says when a file last changed and nothing else about caching, and sends it only to who has it not', async () => {
    const f = await start();
    mkdirSync(join(f.host.kernel.dataFolder, 'assets'), { recursive: true });
    const file = join(f.host.kernel.dataFolder, 'assets', 'a.txt');
    writeFileSync(file, 'one');
    const ask = (since?: string) =>
      fetch(new URL('/assets/a.txt', f.host.url), { headers: since === undefined ? {} : { 'If-Modified-Since': since } });
    const first = await ask();
    const changed = first.headers.get('last-modified') ?? '';
    expect([first.status, await first.text(), first.headers.get('cache-control'), first.headers.get('etag')]).toEqual([
      200,
      'one',
      null,
      null,
    ]);
    expect(Math.abs(Date.parse(changed) - statSync(file).mtimeMs)).toBeLessThan(1000);
    const second = await ask(changed);
    expect([second.status, await second.text()]).toEqual([304, '']);
    expect((await ask('yesterday')).status).toBe(200);
    utimesSync(file, new Date(), new Date(Date.parse(changed) + 5000));
    expect(await (await ask(changed)).text()).toBe('one');
  });

  it('brings a removed document back from the history with the same id', async () => {
    const f = await start();
    const { id, notebook } = await f.document('precious');
    await f.data('/api/filetree/removeDocByID', { id });
    const { histories } = await f.data<{ histories: string[] }>('/api/history/searchHistory', { op: 'delete', type: 0 });
    const { items } = await f.data<{ items: { path: string }[] }>('/api/history/getHistoryItems', {
      created: histories[0],
      op: 'delete',
      type: 0,
    });
    await f.data('/api/history/rollbackDocHistory', { notebook, historyPath: items[0]!.path });
    expect(await f.data('/api/block/getBlockKramdown', { id })).toMatchObject({ kramdown: expect.stringContaining('precious') });
  });
});

describe('fetch in the process of the host', () => {
  const requestOf = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) });
  /** Status, type and text of what both ways answer. */
  const bothWays = async (f: HostFixture, path: string, init: RequestInit) => {
    const address = String(new URL(path, f.host.url));
    const read = async (response: Response) => [
      response.status,
      response.headers.get('content-type')?.split(';')[0],
      await response.text(),
    ];
    return [await read(await f.host.fetch(address, init)), await read(await fetch(address, init))];
  };

  it('answers as the network does: envelopes, files, refusals, what is no JSON and what is not there', async () => {
    const f = await start();
    const { id } = await f.document('text');
    const asked: readonly (readonly [string, RequestInit])[] = [
      ['/api/block/getBlockKramdown', requestOf({ id })],
      ['/api/file/getFile', requestOf({ path: '/data/none.json' })],
      ['/api/file/getFile', requestOf({ path: '/conf/conf.json' })],
      ['/api/query/sql', requestOf({ stmt: 'DELETE FROM blocks', mode: 'readonly' })],
      ['/api/query/sql', { method: 'POST', body: 'no JSON' }],
      ['/api/nothing/here', requestOf({})],
      ['/', { method: 'GET' }],
    ];
    for (const [path, init] of asked) {
      const [here, network] = await bothWays(f, path, init);
      expect([path, here]).toEqual([path, network]);
    }
  });

  it('takes a form that comes as a text for a form', async () => {
    const f = await start();
    const body =
      '--b\r\nContent-Disposition: form-data; name="path"\r\n\r\n/data/a.txt\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nkept\r\n--b--\r\n';
    const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
    await f.host.fetch(String(new URL('/api/file/putFile', f.host.url)), { method: 'POST', headers, body });
    const read = await f.host.fetch(String(new URL('/api/file/getFile', f.host.url)), requestOf({ path: '/data/a.txt' }));
    expect(await read.text()).toBe('kept');
  });

  it('keeps nothing of what it was given or gives: the kernel has copies', async () => {
    const f = await start();
    const { id } = await f.document('text');
    const address = String(new URL('/api/block/getChildBlocks', f.host.url));
    const read = async () => (await (await f.host.fetch(address, requestOf({ id }))).json()) as { data: { id: string }[] };
    const first = await read();
    first.data.length = 0;
    expect((await read()).data).toHaveLength(1);
  });

  it('meets faults, a stopped host and an abort as the network does', async () => {
    const f = await start();
    const address = String(new URL('/api/system/version', f.host.url));
    f.host.failures.set('/api/system/version', { mode: 'drop', times: 1 });
    await expect(f.host.fetch(address, requestOf({}))).rejects.toThrow('fetch failed');
    await f.host.pause();
    await expect(f.host.fetch(address, requestOf({}))).rejects.toThrow('fetch failed');
    await f.host.resume();
    expect((await f.host.fetch(address, requestOf({}))).status).toBe(200);
    const stop = new AbortController();
    f.host.failures.clear();
    const running = f.host.fetch(address, { ...requestOf({}), signal: stop.signal });
    stop.abort(new Error('stopped'));
    await expect(running).rejects.toThrow('stopped');
    await expect(f.host.fetch(address, { ...requestOf({}), signal: AbortSignal.abort(new Error('before')) })).rejects.toThrow('before');
  });

  it('lets nobody in without the token', async () => {
    const f = await start({ token: 'secret' });
    expect((await f.host.fetch(String(new URL('/api/system/version', f.host.url)), requestOf({}))).status).toBe(401);
  });

  it('lets a host that stops while it works answer nothing', async () => {
    const f = await start();
    const running = f.host.fetch(String(new URL('/api/system/version', f.host.url)), requestOf({}));
    const stopped = f.host.pause();
    await expect(running).rejects.toThrow('fetch failed');
    await stopped;
    await f.host.resume();
  });
});
