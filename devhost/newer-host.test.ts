// What the development host does otherwise when it answers as SiYuan 3.8.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { customBlock, inSuperBlock, mapList, mindMap, table, tabs } from '../tests/host/newer-blocks.ts';
import { type HostFixture, openHost, paragraphDom } from './kernel/testing/host-fixture.ts';

let newer: HostFixture;
let older: HostFixture;
beforeAll(async () => {
  newer = await openHost({ as: '3.8', aiOff: true });
  older = await openHost();
});
afterAll(async () => {
  await newer?.close();
  await older?.close();
});

/** How a host answers one operation, and the order of the document's blocks after it. */
async function order(host: HostFixture, id: string): Promise<string[]> {
  return (await host.data<{ id: string }[]>('/api/block/getChildBlocks', { id })).map((block) => block.id);
}

const transact = (host: HostFixture, ...doOperations: readonly object[]) =>
  host.ask('/api/transactions', { reqId: 1, transactions: [{ doOperations, undoOperations: [] }] });

interface Found {
  readonly id: string;
  readonly type: string;
  readonly content: string;
}
const rowsOf = (host: HostFixture, root: string) =>
  host.data<Found[]>('/api/query/sql', { stmt: `SELECT id, type, content FROM blocks WHERE root_id = '${root}' LIMIT 100` });

describe('a host that answers as 3.8', () => {
  it('says so, and which of its features are switched off', async () => {
    const conf = await newer.data<{ conf: { system: object } }>('/api/system/getConf');
    expect(conf.conf.system).toMatchObject({ kernelVersion: '3.8.6', disabledFeatures: ['ai'] });
    expect(await older.data('/api/system/version')).toBe('3.7.3');
  });

  it.each([
    ['/api/block/getChildBlocks', {}, 'Field [id] is required'],
    ['/api/block/getBlockDOMs', { ids: 'a' }, 'Field [ids] should be of type [texts]'],
    ['/api/block/getBlockDOM', { id: null }, 'Field [id] should be of type [string]'],
    ['/api/transactions', { transactions: [{ doOperations: [] }] }, 'Field [reqId] is required'],
    ['/api/transactions', { reqId: '1', transactions: [] }, 'Field [reqId] should be of type [number]'],
    [
      '/api/transactions',
      { reqId: 1, transactions: [{ doOperations: [{ id: 'a' }] }] },
      'Field [transactions] should be of type [transactions]',
    ],
    ['/api/filetree/createDocWithMd', { notebook: 'a', path: 1, markdown: '' }, 'Field [path] should be of type [string]'],
  ])('refuses what is missing, null or of another type: %s %j', async (path, body, msg) => {
    expect(await newer.ask(path, body)).toEqual({ code: -1, msg, data: null });
    expect(await older.ask(path, body)).not.toMatchObject({ msg });
  });

  it('passes over fields that it does not know', async () => {
    expect(await newer.ask('/api/query/sql', { stmt: 'SELECT 1 AS one', tomorrow: [null] })).toMatchObject({ code: 0, data: [{ one: 1 }] });
  });

  it('says how many rows a statement without LIMIT may have, and whether there were more', async () => {
    const counted = (upTo: number, end = '') =>
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${upTo}) SELECT i FROM n${end}`;
    const ask = (stmt: string) => newer.ask('/api/query/sql', { stmt });
    expect(await ask(counted(64))).toMatchObject({ limit: 64, truncated: false });
    const cut = await ask(counted(65));
    expect(cut).toMatchObject({ limit: 64, truncated: true });
    expect(cut.data).toHaveLength(64);
    const own = await ask(counted(100, ' LIMIT 100'));
    expect(own).toMatchObject({ truncated: false });
    expect(own.data).toHaveLength(100);
    expect(await older.ask('/api/query/sql', { stmt: counted(65) })).not.toHaveProperty('truncated');
  });

  it('moves a block before another one, where 3.7.3 looks at the block before alone', async () => {
    for (const [host, expected] of [
      [newer, [2, 0, 1]],
      [older, [0, 2, 1]],
    ] as const) {
      const { id, blocks } = await host.document('a\n\nb\n\nc');
      const [a, , c] = blocks;
      await transact(host, { action: 'move', id: c, nextID: a, previousID: a, parentID: id });
      expect(await order(host, id)).toEqual(expected.map((index) => blocks[index]));
    }
  });

  it('keeps a block of its type where it is asked to', async () => {
    const { blocks } = await newer.document('a\n\n{{{row\n\n}}}');
    const update = (data: string, lockType: boolean) =>
      newer.ask('/api/block/updateBlock', { id: blocks[0], dataType: 'markdown', data, lockType });
    expect(await update('# a', true)).toMatchObject({ code: -1 });
    expect(await update('b', true)).toMatchObject({ code: 0 });
    expect(await update('# a', false)).toMatchObject({ code: 0 });
  });
});

describe('containers of 3.8', () => {
  const KINDS = [
    ['tabs', tabs, ['tabs', 'tab', 'p', 'tab', 'p']],
    ['a mind map', mindMap, ['mindmap', 'mindmap_item', 'p', 'mindmap', 'mindmap_item', 'p', 'mindmap_item', 'p']],
    ['a mind map that is a list', mapList, ['l', 'i', 'p', 'i', 'p']],
    ['tabs in a super block', () => inSuperBlock(tabs()), ['s', 'tabs', 'tab', 'p', 'tab', 'p', 'p']],
    ['a block of a plugin', customBlock, ['custom']],
  ] as const;
  /** DOM without what the page draws, and without what changes from write to write. */
  const essence = (dom: string) =>
    dom
      .replace(/<div class="(tabs-header protyle-action|mindmap-view|protyle-action__table)"[^>]*>.*?<\/div>/g, '')
      .replace(/ (updated|data-node-index|draggable|contenteditable|spellcheck|class)="[^"]*"/g, '')
      .replace(
        /<(\w+)((?: [\w:-]+="[^"]*")+)>/g,
        (_all, tag: string, list: string) => `<${tag} ${(list.match(/[\w:-]+="[^"]*"/g) ?? []).sort().join(' ')}>`,
      );

  it.each(KINDS)('%s: comes back as it was written, has its letters and the words in it in the index', async (_name, make, letters) => {
    const { id, blocks } = await newer.document('before');
    const dom = make();
    await transact(newer, { action: 'insert', data: dom, previousID: blocks[0] });
    const [, inserted = ''] = await order(newer, id);
    const { dom: shown } = await newer.data<{ dom: string }>('/api/block/getBlockDOM', { id: inserted });
    if (letters.some((letter) => letter.startsWith('tab') || letter.startsWith('mind'))) expect(essence(shown)).toBe(essence(dom));
    await newer.data('/api/sqlite/flushTransaction');
    const rows = await rowsOf(newer, id);
    expect(rows.map(({ type }) => type).filter((type) => type !== 'd')).toEqual(['p', ...letters]);
    if (letters.length > 1) expect(rows.find((row) => row.id === inserted)?.content).toContain('second leaf');
    const { kramdown } = await newer.data<{ kramdown: string }>('/api/block/getBlockKramdown', { id: inserted });
    expect(kramdown).not.toMatch(/devhost|NodeTab|NodeMind/);
  });

  it('a rich table cell: comes back with its source, and its words are in the index', async () => {
    const { id, blocks } = await newer.document('before');
    await transact(newer, { action: 'insert', data: table(), previousID: blocks[0] });
    const [, inserted = ''] = await order(newer, id);
    const source = /data-sy-table-cell-rich="([^"]+)"/.exec(table())?.[1] ?? '-';
    const { dom } = await newer.data<{ dom: string }>('/api/block/getBlockDOM', { id: inserted });
    expect(dom).toContain('custom-sy-table-rich="1"');
    expect(dom).toMatch(
      new RegExp(`<th data-sy-table-cell-rich="${source}" contenteditable="false"><div class="table__cell-rich">.*rich.* words</div></th>`),
    );
    await newer.data('/api/sqlite/flushTransaction');
    expect((await rowsOf(newer, id)).find((row) => row.id === inserted)?.content).toContain('rich');
    for (const mode of ['md', 'textmark']) {
      const { kramdown } = await newer.data<{ kramdown: string }>('/api/block/getBlockKramdown', { id: inserted, mode });
      expect(kramdown).toContain(`{: table-cell-rich="${source}"}`);
      expect(kramdown).not.toContain('devhost');
    }
  });

  it('are found by a search for their kind alone', async () => {
    const { blocks } = await newer.document('needle before');
    await transact(newer, { action: 'insert', data: tabs(), previousID: blocks[0] });
    await newer.data('/api/sqlite/flushTransaction');
    const find = (types: object) => newer.data<{ blocks: { type: string }[] }>('/api/search/fullTextSearchBlock', { query: 'leaf', types });
    expect(new Set((await find({ tabItem: true })).blocks.map(({ type }) => type))).toEqual(new Set(['NodeTabItem']));
    expect((await find({ tabs: true })).blocks[0]?.type).toBe('NodeTabs');
  });

  it.each([
    [
      'a paragraph in tabs',
      tabs,
      (ids: Ids) => ({ action: 'insert', data: paragraphDom('20260801120000-outside', 'x'), parentID: ids.outer }),
    ],
    ['a tab that would be empty', tabs, (ids: Ids) => ({ action: 'delete', id: ids.leaf })],
    ['a list in an item of a mind map', mindMap, (ids: Ids) => ({ action: 'insert', data: mapList(), previousID: ids.leaf })],
    ['an item in the document', mindMap, (ids: Ids) => ({ action: 'move', id: ids.item, previousID: ids.before })],
  ])('refuse %s, and everything with it', async (_name, make, operation) => {
    const { id, blocks } = await newer.document('before');
    const dom = make();
    await transact(newer, { action: 'insert', data: dom, previousID: blocks[0] });
    const [outer = '', item = '', leaf = ''] = [...dom.matchAll(/data-node-id="([^"]*)"/g)].map(([, found]) => found);
    const before = await newer.data<{ kramdown: string }>('/api/block/getBlockKramdown', { id });
    await transact(newer, operation({ before: blocks[0] ?? '', outer, item, leaf }), { action: 'delete', id: blocks[0] });
    expect(await newer.data('/api/block/getBlockKramdown', { id })).toEqual(before);
  });
});

interface Ids {
  readonly before: string;
  readonly outer: string;
  readonly item: string;
  readonly leaf: string;
}
