import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, it } from 'vitest';
import { openHost, paragraphDom, temporaryFolder } from '../testing/host-fixture.ts';

const MAIN = join(import.meta.dirname, '..', '..', 'main.ts');

async function startProcess(workspace: string): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [MAIN, '--kernel-only', '--port', '0', '--workspace', workspace], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^ready (.*)$/.exec(line)?.[1];
    if (url) return { child, url };
  }
  throw new Error('the host ended before it was ready');
}

const post = async <T>(url: string, path: string, body: unknown): Promise<T> => {
  const response = await fetch(new URL(path, url), { method: 'POST', body: JSON.stringify(body) });
  return ((await response.json()) as { data: T }).data;
};

it('keeps every answered write when the process is killed in the middle of writing', async () => {
  const workspace = temporaryFolder();
  const { child, url } = await startProcess(workspace);
  const { notebook } = await post<{ notebook: { id: string } }>(url, '/api/notebook/createNotebook', { name: 'n' });
  const id = await post<string>(url, '/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/D', markdown: 'x' });
  const [block] = await post<{ id: string }[]>(url, '/api/block/getChildBlocks', { id });
  let answered = -1;
  const write = async (i: number): Promise<void> => {
    const data = paragraphDom(block!.id, `write number ${i} ${'long '.repeat(20_000)}`);
    await post(url, '/api/transactions', {
      reqId: i,
      transactions: [{ doOperations: [{ action: 'update', id: block!.id, data }], undoOperations: [] }],
    });
    answered = i;
  };
  for (let i = 0; i < 5; i += 1) await write(i);
  const inFlight = write(5).catch(() => undefined);
  child.kill('SIGKILL');
  await Promise.all([once(child, 'exit'), inFlight]);
  const again = await openHost({ workspace });
  const { kramdown } = await again.data<{ kramdown: string }>('/api/block/getBlockKramdown', { id: block!.id });
  const kept = Number(/^write number (\d+) (?:long ){20000}/.exec(`${kramdown.split('\n')[0]} `)?.[1]);
  expect(kept).toBeGreaterThanOrEqual(answered);
  expect(readdirSync(join(workspace, 'data', notebook.id)).filter((f) => f.endsWith('.tmp'))).toEqual([]);
  await again.close();
  rmSync(workspace, { recursive: true, force: true });
});

it('has notebooks, documents and attributes again after a restart', async () => {
  const first = await openHost();
  const { notebook, id } = await first.document('# Head\n\ntext');
  await first.data('/api/attr/setBlockAttrs', { id, attrs: { 'custom-a': 'a "quoted" & <b>\nline' } });
  await first.close(true);
  const again = await openHost({ workspace: first.workspace });
  expect(await again.data('/api/filetree/getIDsByHPath', { notebook, path: '/Test' })).toEqual([id]);
  expect(await again.data('/api/attr/getBlockAttrs', { id })).toMatchObject({ 'custom-a': 'a "quoted" & <b>\nline', title: 'Test' });
  expect(
    await again.data('/api/query/sql', { stmt: `SELECT content FROM blocks WHERE root_id = '${id}' AND type = 'p'`, mode: 'readonly' }),
  ).toEqual([{ content: 'text' }]);
  await again.close();
});

it('starts over a saved index as over one that it makes itself, and writes to it', async () => {
  const first = await openHost();
  const { id, blocks } = await first.document('# Plan\n\npack **light**\n\n- map');
  await first.data('/api/attr/setBlockAttrs', { id, attrs: { memo: 'm' } });
  await first.close(true);
  const made = await openHost({ workspace: first.workspace });
  const savedIndex = made.host.kernel.index.saved();
  const rowsOf = (f: typeof made, table: string) =>
    f.host.kernel.index
      .select(`SELECT rowid, * FROM ${table} ORDER BY rowid`)
      .map(({ id: row, ...rest }) => (table === 'attributes' ? rest : { row, ...rest }));
  const tables = ['stat', 'blocks', 'spans', 'attributes'] as const;
  const expected = tables.map((table) => rowsOf(made, table));
  await made.close(true);
  const again = await openHost({ workspace: first.workspace, savedIndex });
  expect(tables.map((table) => rowsOf(again, table))).toEqual(expected);
  expect(expected.map((rows) => rows.length > 0)).toEqual([true, true, true, true]);
  const data = paragraphDom(blocks[1]!, 'pack heavily');
  await again.data('/api/transactions', {
    reqId: 1,
    transactions: [{ doOperations: [{ action: 'update', id: blocks[1], data }], undoOperations: [] }],
  });
  await again.data('/api/sqlite/flushTransaction');
  const matches = (word: string) =>
    again.data('/api/query/sql', {
      stmt: `SELECT id FROM blocks_fts WHERE blocks_fts MATCH '${word}' AND root_id = '${id}'`,
      mode: 'readonly',
    });
  expect([await matches('heavily'), await matches('light')]).toEqual([[{ id: blocks[1] }], []]);
  await again.close();
});
