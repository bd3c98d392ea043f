import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let doc = '';
beforeAll(async () => {
  bench = await startBench();
  doc = await bench.document('/Sql', '# Head\n\nalpha beta\n\nbeta gamma\n\n思源笔记');
  const [head = ''] = await bench.blocks(doc);
  await bench.api('/api/attr/setBlockAttrs', {
    id: head,
    attrs: { 'custom-marginalia-source': 'a/b/c', 'custom-marginalia-chain': 'xyzzy', 'custom-mine': 'kept', memo: 'x' },
  });
});
afterAll(() => bench.close());
afterEach(() => bench.policy.setRight(bench.notebook, 'read'));

const sql = (stmt: string, maxRows = 50) => bench.host.notes.sql({ stmt, maxRows }, signal);
const code = (stmt: string): Promise<string> => codeOf(sql(stmt));
const inDoc = (): string => `root_id = '${doc}'`;

describe('columns', () => {
  it.each([
    ['as they are named', "SELECT type, subtype, content FROM blocks WHERE 'DOC' <> ''", ['type', 'subtype', 'content']],
    ['the other way round', "SELECT content, type FROM blocks WHERE 'DOC' <> ''", ['content', 'type']],
    ['of expressions', 'SELECT count(*) AS zeta, max(length), 1 AS alpha FROM blocks', ['zeta', 'max(length)', 'alpha']],
    ['of one name twice', 'SELECT a.id, b.id FROM blocks a JOIN blocks b ON a.id = b.root_id', ['id', 'id:1']],
    ['of a WITH', 'WITH x(zz, aa) AS (SELECT 2, 1) SELECT zz, aa FROM x', ['zz', 'aa']],
    ['of a UNION', 'SELECT type AS t, id AS i FROM blocks UNION SELECT 1, 2 ORDER BY t', ['t', 'i']],
    ['of no rows', "SELECT updated, created FROM blocks WHERE id = 'x'", ['updated', 'created']],
    ['of a name in quotes', 'SELECT "type" AS "My type", `id` FROM blocks', ['My type', 'id']],
  ])('stand in the order of the statement: %s', async (_name, stmt, columns) => {
    expect((await sql(stmt.replace('DOC', doc))).columns).toEqual(columns);
  });

  it('hold the values that belong to them, in the order of the rows', async () => {
    const table = await sql(`SELECT type, content, length FROM blocks WHERE ${inDoc()} ORDER BY sort, content -- by rank`);
    expect(table).toEqual({
      columns: ['type', 'content', 'length'],
      rows: [
        ['d', 'Sql', 3],
        ['h', 'Head', 4],
        ['p', 'alpha beta', 10],
        ['p', 'beta gamma', 10],
        ['p', '思源笔记', 4],
      ],
      cut: false,
    });
    const all = await sql(`SELECT * FROM blocks WHERE ${inDoc()} AND type = 'h'`);
    expect(all.columns.slice(0, 3)).toEqual(['id', 'parent_id', 'root_id']);
    expect(all.rows[0]?.[all.columns.indexOf('content')]).toBe('Head');
    expect((await sql('SELECT NULL AS gap, 1.5 AS half')).rows).toEqual([[null, 1.5]]);
  });

  it('says when rows were cut, past the limit of 64 that SiYuan puts in', async () => {
    const many = await bench.document('/Many', Array.from({ length: 100 }, (_item, index) => `line ${index}`).join('\n\n'));
    await bench.api('/api/sqlite/flushTransaction', {});
    const numbers = `SELECT content FROM blocks WHERE root_id = '${many}' AND type = 'p' ORDER BY length(content), content`;
    expect((await sql(numbers, 100)).rows.length).toBe(100);
    expect(await sql(numbers, 100)).toMatchObject({ cut: false });
    const cut = await sql(`${numbers};`, 99);
    expect([cut.rows.length, cut.cut]).toEqual([99, true]);
    expect((await sql(`${numbers} LIMIT 3`, 99)).rows).toEqual([['line 0'], ['line 1'], ['line 2']]);
  });
});

describe('a statement', () => {
  it('with an unknown column is refused with the columns that there are', async () => {
    for (const stmt of ['SELECT "nope" FROM blocks', 'SELECT nope FROM blocks', 'SELECT id FROM blocks WHERE content LIKE "%x%"']) {
      await expect(sql(stmt)).rejects.toMatchObject({ code: 'bad_sql', next: expect.stringContaining('blocks(id, parent_id') });
    }
    expect(await code('SELECT * FROM nothing_here')).toBe('bad_sql');
  });

  it.each([
    '',
    ';',
    'SELEC nonsense',
    'UPDATE blocks SET content = 1',
    'DELETE FROM blocks RETURNING id',
    'WITH x AS (SELECT 1) DELETE FROM blocks',
    'SELECT 1; SELECT 2',
    'SELECT 1) UNION SELECT (2',
    'SELECT (1',
    "SELECT 'open",
    'SELECT 1 /* open',
    'SELECT * FROM main.attributes',
    'SELECT * FROM "main"."attributes"',
    'SELECT * FROM sqlite_master',
    "SELECT * FROM pragma_table_info('blocks')",
    `SELECT '${'x'.repeat(9000)}'`,
  ])('like %s is refused', async (stmt) => {
    expect(await code(stmt)).toBe('bad_sql');
  });

  it('may hold what looks like trouble inside text, names and comments', async () => {
    expect((await sql("SELECT ';' AS a, '/* ( --' AS b /* ; ) */ -- end")).rows).toEqual([[';', '/* ( --']]);
    expect((await sql("SELECT 'it''s' AS a")).rows).toEqual([["it's"]]);
    expect((await sql('SELECT/**/1 AS a')).rows).toEqual([[1]]);
  });

  it('never shows what this plugin keeps in attributes', async () => {
    await bench.api('/api/sqlite/flushTransaction', {});
    const names = await sql('SELECT name, value FROM attributes ORDER BY name');
    expect(names.rows).toEqual([
      ['custom-mine', 'kept'],
      ['memo', 'x'],
    ]);
    const ial = await sql(`SELECT ial FROM blocks WHERE ${inDoc()} AND type = 'h'`);
    expect(String(ial.rows[0]?.[0])).toContain('custom-mine="kept"');
    expect(JSON.stringify([names, ial, await sql('SELECT * FROM blocks')])).not.toMatch(/marginalia|xyzzy/);
  });
});

describe('SQL is off', () => {
  it('while a notebook is at none', async () => {
    expect(await code('SELECT 1')).toBe('no error');
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Shut' });
    bench.policy.setRight(notebook.id, 'none');
    expect(await code('SELECT 1')).toBe('sql_off');
    bench.policy.setRight(notebook.id, 'read');
    expect(await code('SELECT 1')).toBe('no error');
  });

  it('while a document or block is guarded, from the moment on in which it is', async () => {
    const [, block = ''] = await bench.blocks(doc);
    for (const id of [block, doc]) {
      await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });
      expect(await code('SELECT 1')).toBe('sql_off');
      await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': '' } });
      expect(await code('SELECT 1')).toBe('no error');
    }
  });
});
