import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseCalls } from './database-bench.ts';
import { realKernelUrl } from './real-kernel.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let calls: ReturnType<typeof databaseCalls>;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
  calls = databaseCalls(bench);
});
afterAll(() => bench.close());

const COLUMNS = [
  { name: 'Note', type: 'text' },
  { name: 'Price', type: 'number' },
  { name: 'State', type: 'select', options: ['open', 'done'] },
  { name: 'Kinds', type: 'multi-select', options: ['x', 'y'] },
  { name: 'Due', type: 'date' },
  { name: 'Done', type: 'checkbox' },
  { name: 'Link', type: 'url' },
  { name: 'Mail', type: 'email' },
  { name: 'Phone', type: 'phone' },
  { name: 'Files', type: 'asset' },
];
const VALUES = {
  ...{ Note: 'a <b>note</b>', Price: 2.5, State: 'open', Kinds: ['x', 'y'], Due: '2026-01-31 / 2026-02-02', Done: true },
  ...{ Link: 'https://example.com', Mail: 'a@example.com', Phone: '+1 5', Files: ['assets/a.pdf'] },
};
let documents = 0;
const filled = async () => {
  const doc = await bench.document(`/Tables/T${++documents}`, 'row one\n\nrow two');
  const { id } = await calls.create({ anchor: doc, columns: COLUMNS });
  await calls.write(id, {
    op: 'add_rows',
    newOptions: false,
    rows: [{ title: 'first', values: VALUES }, { title: 'second', values: { Price: 1 } }, { title: 'third' }],
  });
  return { doc, id, blocks: await bench.blocks(doc) };
};
const set = (row: string, values: Record<string, never>) => ({ op: 'set_cells', newOptions: false, rows: [{ row, values }] }) as const;

describe('a database', () => {
  it('is made with typed columns at the end of a note, found by name and by note, and Undo takes it away', async () => {
    const doc = await bench.document('/Tables/New', 'text');
    const before = await bench.markdown(doc);
    const { id, nodeId, plan } = await calls.create({ anchor: doc, name: 'Projects', columns: COLUMNS });
    expect(plan).toMatchObject({ undo: { kind: 'exact' }, operations: [{ action: 'create-database', blockType: 'av' }] });
    const reading = await calls.read(id);
    expect(reading).toMatchObject({ name: 'Projects', document: { id: doc, title: 'New' }, total: 0, rows: [] });
    expect(reading.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
      ...[
        'Name block',
        'Note text',
        'Price number',
        'State select',
        'Kinds mSelect',
        'Due date',
        'Done checkbox',
        'Link url',
        'Mail email',
      ],
      ...['Phone phone', 'Files mAsset'],
    ]);
    expect(reading.columns[3]?.options).toEqual(['open', 'done']);
    expect((await bench.host.notes.databases({ find: 'projects' }, signal)).map((each) => each.id)).toEqual([id]);
    expect((await calls.read(doc)).id).toBe(id);
    await calls.undo(nodeId);
    expect(await bench.markdown(doc)).toEqual(before);
    await calls.redo(nodeId);
    expect((await calls.read(id)).columns).toHaveLength(11);
  });

  it('takes rows of text and of blocks with cells of every type, and Undo takes the rows away', async () => {
    const { id, blocks } = await filled();
    expect(await calls.table(id)).toEqual([
      {
        ...{
          Name: 'first',
          Note: 'a <b>note</b>',
          Price: '2.5',
          State: 'open',
          Kinds: 'x, y',
          Due: '2026-01-31 / 2026-02-02',
          Done: 'true',
        },
        ...{ Link: 'https://example.com', Mail: 'a@example.com', Phone: '+1 5', Files: 'assets/a.pdf' },
      },
      { Name: 'second', Price: '1' },
      { Name: 'third' },
    ]);
    const nodeId = await calls.write(id, { op: 'add_rows', newOptions: false, rows: [{ block: blocks[0], values: { Price: '7' } }] });
    expect((await calls.table(id)).at(-1)).toEqual({ Name: 'row one', Price: '7' });
    const [holding] = await bench.host.notes.database({ id: blocks[0]!, page: 1, pageSize: 5 }, signal);
    expect(holding).toMatchObject({ id, rows: [{ blockId: blocks[0] }], total: 1 });
    expect(await codeOf(calls.plan(id, { op: 'add_rows', newOptions: false, rows: [{ block: blocks[0] }] }))).toBe('no_change');
    await calls.undo(nodeId);
    expect(await calls.table(id)).toHaveLength(3);
    expect((await bench.markdown((await calls.read(id)).document.id))[0]).toBe('row one');
  });

  it('takes cells in part: what is left out stays, and Undo brings back the rest', async () => {
    const { id } = await filled();
    const before = await calls.table(id);
    const [first] = await calls.rowIds(id);
    const plan = await calls.plan(id, {
      ...{ op: 'set_cells', newOptions: false },
      rows: [{ row: first!, values: { Price: 3, State: 'done', Note: null, Due: '2026-03-01 14:30', Done: false, Name: 'renamed' } }],
    });
    expect(plan.operations.map(({ cell, before: old, after }) => [cell?.row, cell?.column, old, after])).toEqual([
      ['first', 'Price', '2.5', '3'],
      ['first', 'State', 'open', 'done'],
      ['first', 'Note', 'a <b>note</b>', null],
      ['first', 'Due', '2026-01-31 / 2026-02-02', '2026-03-01 14:30'],
      ['first', 'Done', 'true', null],
      ['first', 'Name', 'first', 'renamed'],
    ]);
    // In the order of the database; a title has no column.
    expect(plan.operations.map(({ drawnAt }) => drawnAt)).toEqual([2, 3, 1, 5, 6, -1].map((column) => ({ row: first, column })));
    const accepted = plan.operations.filter(({ cell }) => cell?.column !== 'State').map((operation) => operation.id);
    await bench.apply(plan, accepted, { ...origin, nodeId: 'part' });
    const [now] = await calls.table(id);
    expect(now).toMatchObject({ Name: 'renamed', Price: '3', State: 'open', Due: '2026-03-01 14:30' });
    expect(now).not.toHaveProperty('Note');
    await bench.reopen().history.undo(origin.sessionId, 'part', signal);
    expect(await calls.table(id)).toEqual(before);
  });

  it('loses rows, and Undo brings them back with their cells, in their places', async () => {
    const { id, blocks } = await filled();
    await calls.write(id, { op: 'add_rows', newOptions: false, rows: [{ block: blocks[1], values: { Price: 9 } }] });
    const before = await calls.read(id);
    const [first, second, , bound] = await calls.rowIds(id);
    const plan = await calls.plan(id, { op: 'remove_rows', rows: [first!, second!, bound!] });
    expect(plan).toMatchObject({ undo: { kind: 'exact' }, operations: [{ action: 'remove-row' }, {}, {}] });
    expect(plan.operations[1]?.before).toBe('second; Price: 1');
    const nodeId = await calls.write(id, { op: 'remove_rows', rows: [first!, second!, bound!] });
    expect(await calls.table(id)).toEqual([{ Name: 'third' }]);
    await calls.undo(nodeId);
    expect((await calls.read(id)).rows).toEqual(before.rows);
    await calls.redo(nodeId);
    expect(await calls.table(id)).toEqual([{ Name: 'third' }]);
  });

  it('gets, renames, moves and loses columns, and Undo brings all of it back', async () => {
    const { id } = await filled();
    const before = await calls.read(id);
    const plan = await calls.plan(id, { op: 'columns', columns: [{ op: 'remove', column: 'Price' }] });
    expect(plan.operations[0]).toMatchObject({ action: 'remove-column', before: 'Price (number): 2 filled cells', after: null });
    const nodeId = await calls.write(id, {
      op: 'columns',
      columns: [
        { op: 'add', name: 'Size', type: 'select', options: ['S', 'M'], after: 'Note' },
        { op: 'add', name: 'Parent', type: 'relation', target: id },
        { op: 'rename', column: 'note', name: 'Remark' },
        { op: 'move', column: 'Mail', after: 'Name' },
        { op: 'remove', column: 'Price' },
        { op: 'remove', column: 'Kinds' },
      ],
    });
    expect((await calls.read(id)).columns.map(({ name }) => name)).toEqual([
      ...['Name', 'Mail', 'Remark', 'Size', 'State', 'Due', 'Done', 'Link', 'Phone', 'Files', 'Parent'],
    ]);
    await calls.undo(nodeId);
    expect(await calls.read(id)).toEqual(before);
  });

  it('links rows by their titles, and shows the linked titles', async () => {
    const { id } = await filled();
    await calls.write(id, { op: 'columns', columns: [{ op: 'add', name: 'Parent', type: 'relation', target: id }] });
    const [first, second, third] = await calls.rowIds(id);
    await calls.write(id, set(third!, { Parent: ['first', second!] } as never));
    expect((await calls.table(id))[2]).toEqual({ Name: 'third', Parent: `first [${first}], second [${second}]` });
    expect(await codeOf(calls.plan(id, set(third!, { Parent: ['nobody'] } as never)))).toBe('bad_value');
  });

  it('shows rows under the filter and sort of a view, page by page and by words', async () => {
    const { id } = await filled();
    const { columns } = await calls.read(id);
    const databaseId = /data-av-id="([\w-]+)"/u.exec(await bench.dom(id))?.[1];
    const column = columns.find(({ name }) => name === 'Price')?.id;
    await bench.api('/api/av/setAttrViewSorts', { avID: databaseId, blockID: id, data: [{ column, order: 'ASC' }] });
    const filter = { column: columns[0]?.id, operator: 'Contains', value: { type: 'block', block: { content: 's' } } };
    await bench.api('/api/av/setAttrViewFilters', { avID: databaseId, blockID: id, data: [filter] });
    expect((await calls.table(id)).map(({ Name }) => Name)).toEqual(['second', 'first']);
    expect(await calls.read(id, { pageSize: 1 })).toMatchObject({ total: 2, nextPage: 2, rows: [{}] });
    expect(await calls.read(id, { query: 'assets FIRST' })).toMatchObject({ total: 1 });
    expect(await codeOf(calls.read(id, { view: 'Board' }))).toBe('not_found');
  });

  it.runIf(!realKernelUrl)('says what a view is that is no table', async () => {
    const { id } = await filled();
    const databaseId = /data-av-id="([\w-]+)"/u.exec(await bench.dom(id))?.[1] ?? '';
    const file = join(bench.workspace, 'data/storage/av', `${databaseId}.json`);
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { views: object[] };
    Object.assign(stored.views[0]!, { type: 'calendar', name: 'Month' });
    writeFileSync(file, JSON.stringify(stored));
    expect(await calls.read(id)).toMatchObject({ view: 'Month (calendar)', views: ['Month (calendar)'], total: 3 });
    expect(await calls.read(id, { view: 'month (calendar)' })).toMatchObject({ total: 3 });
  });

  it('says where Undo cannot bring a row back to its place: in a view that is sorted by a cell that was never filled', async () => {
    const { id } = await filled();
    const [first, , third] = await calls.rowIds(id);
    const price = (row: string) => calls.plan(id, set(row, { Price: 7 } as never));
    expect(await price(third!)).toMatchObject({ undo: { kind: 'exact' }, operations: [{ database: 'Tasks' }] });
    const { columns } = await calls.read(id);
    const databaseId = /data-av-id="([\w-]+)"/u.exec(await bench.dom(id))?.[1];
    const column = columns.find(({ name }) => name === 'Price')?.id;
    await bench.api('/api/av/setAttrViewSorts', { avID: databaseId, blockID: id, data: [{ column, order: 'ASC' }] });
    expect((await price(third!)).undo).toEqual({ kind: 'partial', notes: ['database-order'] });
    expect((await price(first!)).undo).toEqual({ kind: 'exact' });
    expect((await calls.plan(id, set(third!, { Note: 'x' } as never))).undo).toEqual({ kind: 'exact' });
  });
});

describe('what does not fit a database', () => {
  it('is refused before anything is planned: values, options, names, rows and columns', async () => {
    const { id } = await filled();
    const [first] = await calls.rowIds(id);
    const before = await calls.read(id);
    const wrong: readonly (readonly [string, unknown])[] = [
      ...([
        ['Price', 'many'],
        ['Price', true],
        ['State', 'later'],
        ['State', ['open', 'done']],
        ['Kinds', 5],
        ['Due', 'tomorrow'],
      ] as const),
      ...([
        ['Due', '2026-02-30'],
        ['Due', '2026-02-02 / 2026-02-01'],
        ['Done', 'yes'],
        ['Link', 'javascript:alert(1)'],
      ] as const),
      ...([
        ['Mail', 'nobody'],
        ['Files', ['https://evil.example/x.png']],
        ['Files', ['assets/../conf/conf.json']],
        ['Name', null],
      ] as const),
    ];
    for (const [column, value] of wrong)
      expect([column, value, await codeOf(calls.plan(id, set(first!, { [column]: value } as never)))]).toEqual([
        column,
        value,
        'bad_value',
      ]);
    expect(await codeOf(calls.plan(id, set(first!, { Nothing: 1 } as never)))).toBe('not_found');
    expect(await codeOf(calls.plan(id, set('20240101000000-abcdefg', { Price: 1 } as never)))).toBe('not_found');
    expect(await codeOf(calls.plan(id, set(first!, { Price: 2.5 } as never)))).toBe('no_change');
    const columns = (change: object) => calls.plan(id, { op: 'columns', columns: [change as never] });
    expect(await codeOf(columns({ op: 'add', name: 'X', type: 'template' }))).toBe('bad_value');
    expect(await codeOf(columns({ op: 'add', name: 'Price', type: 'text' }))).toBe('path_exists');
    expect(await codeOf(columns({ op: 'add', name: '<img src=x>', type: 'text' }))).toBe('unsafe_markdown');
    expect(await codeOf(columns({ op: 'add', name: 'S', type: 'select', options: ['<b>x'] }))).toBe('unsafe_markdown');
    expect(await codeOf(columns({ op: 'remove', column: 'Name' }))).toBe('bad_target');
    expect(await codeOf(calls.plan(id, { op: 'add_rows', newOptions: false, rows: [{}] }))).toBe('bad_value');
    expect(await calls.read(id)).toEqual(before);
  });

  it('of an option that is missing is added when the user agreed, and goes with Undo', async () => {
    const { id } = await filled();
    const before = await calls.read(id);
    const [first] = await calls.rowIds(id);
    const change = { ...set(first!, { State: 'later' } as never), newOptions: true };
    const plan = await calls.plan(id, change);
    expect(plan.operations.map(({ action }) => action)).toEqual(['add-option', 'set-cell']);
    expect(plan.operations[1]?.requires).toEqual([plan.operations[0]?.id]);
    const nodeId = await calls.write(id, change);
    expect((await calls.read(id)).columns[3]?.options).toEqual(['open', 'done', 'later']);
    await calls.undo(nodeId);
    expect(await calls.read(id)).toEqual(before);
  });

  // SiYuan has it since 3.8.
  it.runIf(!realKernelUrl)('in formatted text is left alone', async () => {
    const { id } = await filled();
    const [first] = await calls.rowIds(id);
    const note = (await calls.read(id)).columns[1]?.id;
    const databaseId = /data-av-id="([\w-]+)"/u.exec(await bench.dom(id))?.[1];
    const data = { text: { content: 'rich', rich: { spec: 1, format: 'kramdown', content: '**rich**' } } };
    await bench.transact([{ action: 'updateAttrViewCell', avID: databaseId, keyID: note, rowID: first, data }]);
    expect(await codeOf(calls.plan(id, set(first!, { Note: 'plain' } as never)))).toBe('bad_value');
  });

  it('since the user changed it is stale, and what the user changed after is kept by Undo', async () => {
    const { id } = await filled();
    const [first] = await calls.rowIds(id);
    const plan = await calls.plan(id, set(first!, { Price: 8 } as never));
    await calls.write(id, set(first!, { Price: 9 } as never));
    expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId: 'stale' }))).toBe('stale');
    const nodeId = await calls.write(id, set(first!, { Note: 'mine' } as never));
    const { columns } = await calls.read(id);
    const databaseId = /data-av-id="([\w-]+)"/u.exec(await bench.dom(id))?.[1];
    const keyID = columns[1]?.id;
    await bench.transact([{ action: 'updateAttrViewCell', avID: databaseId, keyID, rowID: first, data: { text: { content: 'theirs' } } }]);
    const report = await calls.undo(nodeId);
    expect(report.conflicts).toMatchObject([{ reasons: [{ code: 'changed' }], now: 'theirs', before: 'a <b>note</b>' }]);
    expect((await calls.table(id))[0]?.Note).toBe('theirs');
  });
});
