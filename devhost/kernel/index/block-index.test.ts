import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ApiError } from '../api-error.ts';
import { createBlockIndex, type SearchIndex } from './block-index.ts';
import { NOTEBOOK, testDocument } from './test-documents.ts';

let index: SearchIndex;
beforeEach(() => {
  index = createBlockIndex();
});
afterEach(() => index.close());

const contents = (sql: string): unknown[] => index.query(sql, { readonly: true }).map((row) => row.content);
const failure = (sql: string, readonly: boolean): unknown => {
  try {
    index.query(sql, { readonly });
  } catch (error) {
    return error instanceof ApiError ? [error.code, error.message] : error;
  }
  return undefined;
};

describe('a document in the index', () => {
  it('gives a row for every block, below its heading', () => {
    const document = testDocument('Trip', '# Plan\n\npack **light**\n\n- map\n- water');
    index.put(document);
    const rows = index.query('SELECT * FROM blocks ORDER BY rowid', { readonly: true });
    expect(rows.map(({ type, subtype, sort, content, markdown }) => [type, subtype, sort, content, markdown])).toEqual([
      ['d', '', 0, 'Trip', ''],
      ['h', 'h1', 5, 'Plan', '# Plan'],
      ['p', '', 10, 'pack light', 'pack **light**'],
      ['l', 'u', 20, ' map water', '- map\n- water'],
      ['i', 'u', 20, ' map', '- map'],
      ['p', '', 10, 'map', 'map'],
      ['i', 'u', 20, ' water', '- water'],
      ['p', '', 10, 'water', 'water'],
    ]);
    expect(rows.map((row) => row.parent_id)).toEqual([
      '',
      rows[0]!.id,
      rows[1]!.id,
      rows[1]!.id,
      rows[3]!.id,
      rows[4]!.id,
      rows[3]!.id,
      rows[6]!.id,
    ]);
    expect(rows[2]).toMatchObject({
      root_id: document.root.ID,
      box: NOTEBOOK,
      path: document.path,
      hpath: '/Trip',
      length: 10,
      fcontent: '',
    });
    expect(rows[4]).toMatchObject({ fcontent: 'map', length: 3 });
  });

  it('keeps attributes and names plain', () => {
    const document = testDocument('A', 'text');
    document.root.Children![0]!.Properties = { id: document.root.Children![0]!.ID!, name: 'a &lt; b', 'custom-mood': 'calm', other: 'no' };
    index.put(document);
    expect(index.query('SELECT name, value, type FROM attributes ORDER BY name', { readonly: true })).toEqual([
      { name: 'custom-mood', value: 'calm', type: 'b' },
      { name: 'name', value: 'a < b', type: 'b' },
    ]);
    expect(index.query("SELECT name FROM blocks WHERE type = 'p'", { readonly: true })).toEqual([{ name: 'a < b' }]);
  });

  it('gives rows for marks, tags and pictures', () => {
    index.put(
      testDocument('A', 'a #red# `code`\n\n![moon](assets/moon-20260101000000-abcdefg.png "full")', undefined, { tags: 'sky, night' }),
    );
    expect(index.query('SELECT content, markdown, type FROM spans ORDER BY content', { readonly: true })).toEqual([
      { content: 'code', markdown: '`code`', type: 'textmark code' },
      { content: 'moon', markdown: '![moon](assets/moon-20260101000000-abcdefg.png "full")', type: 'img' },
      { content: 'night', markdown: '#night#', type: 'tag' },
      { content: 'red', markdown: '#red#', type: 'textmark tag' },
      { content: 'sky', markdown: '#sky#', type: 'tag' },
    ]);
    expect(index.query('SELECT path, name, title FROM assets', { readonly: true })).toEqual([
      { path: 'assets/moon-20260101000000-abcdefg.png', name: 'moon.png', title: 'full' },
    ]);
    expect(index.query("SELECT tag FROM blocks WHERE tag <> '' ORDER BY tag", { readonly: true })).toEqual([
      { tag: '#red#' },
      { tag: '#sky# #night#' },
    ]);
  });

  it('resolves references whichever document comes first', () => {
    const target = testDocument('Target', 'the paragraph');
    const paragraph = target.root.Children![0]!.ID!;
    const source = testDocument(
      'Source',
      `see ((${paragraph} "anchor")) and ((${paragraph} "again"))\n\n{{SELECT * FROM blocks WHERE id = '${paragraph}'}}`,
    );
    const rows = 'SELECT def_block_id, def_block_root_id, def_block_path, content, type FROM refs ORDER BY type';
    const place = { def_block_id: paragraph, def_block_root_id: target.root.ID, def_block_path: target.path };
    const expected = [
      { ...place, content: '', type: 'query_embed' },
      { ...place, content: 'anchor', type: 'textmark' },
    ];
    index.putAll([source, target]);
    expect(index.query(rows, { readonly: true })).toEqual(expected);
    index.clear();
    index.putAll([target, source]);
    expect(index.query(rows, { readonly: true })).toEqual(expected);
    index.removeDocument(target.root.ID!);
    expect(index.query('SELECT def_block_root_id FROM refs', { readonly: true })).toEqual([
      { def_block_root_id: '' },
      { def_block_root_id: '' },
    ]);
  });
});

describe('changes', () => {
  it('replaces a document that comes again', () => {
    const first = testDocument('A', 'old words\n\nmore');
    index.put(first);
    index.put(testDocument('A', 'new words', first.root.ID!));
    expect(contents("SELECT content FROM blocks WHERE type = 'p'")).toEqual(['new words']);
    expect(contents("SELECT content FROM blocks_fts WHERE blocks_fts MATCH 'old'")).toEqual([]);
    expect(contents("SELECT content FROM blocks_fts WHERE blocks_fts MATCH 'new'")).toEqual(['new words']);
  });

  it('moves a document with its path', () => {
    const document = testDocument('A', 'text');
    index.put(document);
    index.put({ ...document, notebook: '20260101000000-notebk2', path: `/x/${document.root.ID}.sy`, hpath: '/X/A' });
    expect(index.query('SELECT DISTINCT box, hpath FROM blocks', { readonly: true })).toEqual([
      { box: '20260101000000-notebk2', hpath: '/X/A' },
    ]);
  });

  it('removes documents and notebooks with all their rows', () => {
    const document = testDocument('A', '#tag# text');
    index.putNotebook({ id: NOTEBOOK, name: 'Book' });
    index.putAll([document, testDocument('B', 'other')]);
    index.removeDocument(document.root.ID!);
    expect(contents('SELECT content FROM blocks ORDER BY content')).toEqual(['B', 'Book', 'Book', 'other']);
    expect(index.query('SELECT * FROM spans', { readonly: true })).toEqual([]);
    index.removeNotebook(NOTEBOOK);
    expect(contents('SELECT content FROM blocks')).toEqual([]);
    expect(contents("SELECT content FROM blocks_fts WHERE blocks_fts MATCH 'other'")).toEqual([]);
  });

  it('holds a notebook as a document of its own id, twice as the kernel does', () => {
    index.putNotebook({ id: NOTEBOOK, name: 'Book' });
    index.putNotebook({ id: NOTEBOOK, name: 'Renamed' });
    const columns = 'SELECT id, root_id, box, path, hpath, content, type FROM blocks';
    const row = {
      id: NOTEBOOK,
      root_id: NOTEBOOK,
      box: NOTEBOOK,
      path: `/${NOTEBOOK}.sy`,
      hpath: '/Renamed',
      content: 'Renamed',
      type: 'd',
    };
    expect(index.query(columns, { readonly: true })).toEqual([row, row]);
  });
});

describe('statements', () => {
  const hundred = 'WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 100) SELECT n FROM c';

  it('cuts at 64 rows where the statement has no limit', () => {
    expect(index.query(hundred, { readonly: true })).toHaveLength(64);
    expect(index.query(`${hundred} LIMIT 80`, { readonly: true })).toHaveLength(80);
    expect(index.query(`SELECT n FROM (${hundred} LIMIT 80)`, { readonly: true })).toHaveLength(64);
    expect(index.query(`${hundred} -- LIMIT 80`, { readonly: true })).toHaveLength(64);
  });

  it('refuses every write in readonly mode', () => {
    index.put(testDocument('A', 'text'));
    const refusal = [-1, 'SQL statement is not read-only'];
    for (const sql of [
      "UPDATE blocks SET content = 'x'",
      'WITH x AS (SELECT 1) DELETE FROM blocks',
      'DELETE FROM blocks RETURNING id',
      "INSERT INTO blocks_fts(blocks_fts) VALUES ('rebuild')",
      'DROP TABLE blocks',
      "ATTACH ':memory:' AS other",
      'PRAGMA writable_schema = 1',
      'BEGIN',
    ]) {
      expect(failure(sql, true), sql).toEqual(refusal);
    }
    expect(contents("SELECT content FROM blocks WHERE type = 'p'")).toEqual(['text']);
  });

  it('answers a statement that comes again from what is there by then, also after one that broke off', () => {
    const all = "SELECT content FROM blocks WHERE type = 'p'";
    const breaksOff = "SELECT content, abs(-9223372036854775807 - length(content LIKE 'one')) FROM blocks WHERE type = 'p'";
    index.put(testDocument('A', 'one'));
    expect(contents(all)).toEqual(['one']);
    for (const _ of [1, 2]) expect(failure(breaksOff, true)).toEqual([1, expect.stringContaining('integer overflow')]);
    index.put(testDocument('B', 'two'));
    expect(contents(all)).toEqual(['one', 'two']);
    for (const _ of [1, 2]) expect(failure('DELETE FROM blocks', true)).toEqual([-1, 'SQL statement is not read-only']);
    expect(contents(all)).toEqual(['one', 'two']);
    expect(index.query('DELETE FROM blocks RETURNING id', { readonly: false })).not.toEqual([]);
    expect(contents(all)).toEqual([]);
  });

  it('accepts DELETE … RETURNING in the default mode, as the kernel does, and keeps the full text in step', () => {
    const document = testDocument('A', 'text');
    index.put(document);
    expect(index.query("DELETE FROM blocks WHERE type = 'p' RETURNING content", { readonly: false })).toEqual([{ content: 'text' }]);
    expect(contents("SELECT content FROM blocks_fts WHERE blocks_fts MATCH 'text'")).toEqual([]);
    index.put(document);
    expect(contents("SELECT content FROM blocks_fts WHERE blocks_fts MATCH 'text'")).toEqual(['text']);
  });

  it("passes on SQLite's own messages", () => {
    expect(failure('SELECT * FROM nothing_here', true)).toEqual([-1, 'no such table: nothing_here']);
    expect(failure('SELECT * FROM nothing_here', false)).toEqual([1, 'no such table: nothing_here']);
    expect(failure('SELECT nothing_here FROM blocks', true)).toEqual([-1, 'no such column: nothing_here']);
  });

  it('answers an unknown quoted column as text', () => {
    expect(index.query('SELECT "nothing_here" AS x', { readonly: true })).toEqual([{ x: 'nothing_here' }]);
  });

  it('knows REGEXP', () => {
    index.put(testDocument('A', 'quick\n\nslow'));
    expect(contents("SELECT content FROM blocks WHERE content REGEXP '(?i)QU.CK'")).toEqual(['quick']);
  });
});

describe('full text', () => {
  it('finds two Chinese characters, parts of words and phrases', () => {
    index.putAll([testDocument('中文', '思源笔记是一款隐私优先的笔记软件\n\nthe Quick brown fox, C++ & 100%')]);
    const match = (expression: string): unknown[] => contents(`SELECT content FROM blocks_fts WHERE blocks_fts MATCH '${expression}'`);
    expect(match('隐私')).toHaveLength(1);
    expect(match('私隐')).toHaveLength(0);
    expect(match('uick')).toHaveLength(1);
    expect(match('"quick brown"')).toHaveLength(1);
    expect(match('"brown quick"')).toHaveLength(0);
    expect(match('content:quick AND fox')).toHaveLength(1);
    expect(match('quick NOT fox')).toHaveLength(0);
    expect(match('"c++"')).toHaveLength(1);
    expect(match('"c+++"')).toHaveLength(0);
  });
});
