import { afterAll, beforeAll, expect, it } from 'vitest';
import { settle } from './real-kernel.ts';
import { signal, startBench, type TestBench } from './support.ts';

/** A closed notebook is not in the index; its words are, in the texts of what refers to it, and of what refers to that. */
let bench: TestBench;
beforeAll(async () => {
  await settle();
  bench = await startBench();
});
afterAll(() => bench.close());

const cell = async (stmt: string): Promise<unknown> => (await bench.host.notes.sql({ stmt, maxRows: 50 }, signal)).rows;

it('tells no word of a closed notebook, at whatever remove', async () => {
  const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Closed' });
  await settle();
  const source = { notebook: notebook.id, path: '/Hidden', markdown: 'zqkestrel words' };
  const [hidden = ''] = await bench.blocks(await bench.api<string>('/api/filetree/createDocWithMd', source));
  const [first = ''] = await bench.blocks(await bench.document('/First', `one ((${hidden} 'zqkestrel words'))`));
  const [second = ''] = await bench.blocks(await bench.document('/Second', `- two ((${first} 'one zqkestrel words'))`));
  const [third = ''] = await bench.blocks(await bench.document('/Third', `three ((${second} 'two one zqkestrel words'))`));
  await bench.api('/api/sqlite/flushTransaction', {});
  const texts = `SELECT id, content, markdown FROM blocks WHERE id IN ('${first}', '${second}', '${third}')`;
  const statements = [texts, "SELECT block_id, content, markdown FROM refs WHERE content LIKE '%'", 'SELECT block_id, content FROM spans'];
  for (const stmt of statements) expect(JSON.stringify(await cell(stmt))).toContain('zqkestrel');
  await bench.api('/api/notebook/closeNotebook', { notebook: notebook.id });
  await settle();
  await bench.api('/api/sqlite/flushTransaction', {});
  for (const stmt of statements) {
    const rows = JSON.stringify(await cell(stmt));
    expect(rows).toContain(third);
    expect(rows).not.toContain('zqkestrel');
  }
});
