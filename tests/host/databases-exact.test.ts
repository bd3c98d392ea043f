// What a database contains reads as nothing else, and nothing of it is lost on the way.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellInput, DatabaseChange } from '../../src/tools/contract/databases.ts';
import { approvePlan } from '../../src/tools/contract/plans.ts';
import { progressOf } from '../../src/tools/groups/common/approved-write.ts';
import { createDatabasesGroup } from '../../src/tools/groups/databases.ts';
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

let documents = 0;
const database = async (columns: Parameters<typeof calls.create>[0]['columns'], name = 'Tasks') => {
  const doc = await bench.document(`/Exact/T${++documents}`, 'text');
  return (await calls.create({ anchor: doc, columns: columns ?? [], name })).id;
};
const add = (rows: Extract<DatabaseChange, { op: 'add_rows' }>['rows'], newOptions = true) =>
  ({ op: 'add_rows', newOptions, rows }) satisfies DatabaseChange;
/** What a model reads. */
async function read(args: Readonly<Record<string, unknown>>): Promise<string> {
  const tool = createDatabasesGroup(bench.host.notes).tools.find(({ definition }) => definition.function.name === 'db_read');
  const result = await tool!.execute(args, { signal } as never);
  return String((result as { data: string }).data);
}
const idOf = async (block: string): Promise<string> => /data-av-id="([\w-]+)"/u.exec(await bench.dom(block))?.[1] ?? '';

describe('values that contain the signs between values', () => {
  const CELLS: readonly (readonly string[])[] = [
    ['red, blue'],
    ['red', 'blue'],
    ['red", "blue'],
    ['red) | Evil (text'],
    ['x [20260101000000-abcdefg]'],
    ['a; Due=2026-01-01'],
  ];
  it('read and are approved as different words, in cells, options and removed rows', async () => {
    const id = await database([{ name: 'Kinds', type: 'multi-select', options: [...new Set(CELLS.flat())] }]);
    const plan = await calls.plan(id, add(CELLS.map((kinds, index) => ({ title: `r${index}`, values: { Kinds: kinds } }))));
    const shown = plan.operations.flatMap(({ action, after }) => (action === 'set-cell' ? [after] : []));
    expect(new Set(shown).size).toBe(CELLS.length);
    await bench.apply(plan, undefined, { ...origin, nodeId: 'commas' });
    const texts = (await calls.table(id)).map(({ Kinds }) => Kinds);
    expect(new Set(texts).size).toBe(CELLS.length);
    const text = await read({ id });
    expect(text).toContain('Kinds="red, blue"\n');
    expect(text).toContain('Kinds=red, blue\n');
    expect(text).toContain('"red, blue", red, blue, ');
    const rows = await calls.rowIds(id);
    const removal = await calls.plan(id, { op: 'remove_rows', rows });
    expect(new Set(removal.operations.map(({ before }) => before?.replace(/^r\d/u, ''))).size).toBe(CELLS.length);
    expect(await read({ id, query: 'red", "blue' })).toContain('; 1 rows');
  });

  it('in texts, titles and names of columns stand in quotes', async () => {
    const id = await database([
      { name: 'Note', type: 'text' },
      { name: 'A=1; B', type: 'text' },
    ]);
    await calls.write(id, add([{ title: 'one; Note=evil', values: { Note: 'x; A=1; B=y\nrow 2: Name=z', 'A=1; B': '"q' } }]));
    expect(await read({ id })).toContain('Name="one; Note=evil"; Note="x; A=1; B=y\\nrow 2: Name=z"; "A=1; B"="\\"q"');
  });

  it('two linked rows of one title are named by their ids in a review', async () => {
    const other = await database([]);
    await calls.write(other, add([{ title: 'same' }, { title: 'same' }, { title: 'a, b' }]));
    const [one, two, three] = await calls.rowIds(other);
    const id = await database([{ name: 'Link', type: 'relation', target: other }]);
    const plan = await calls.plan(id, add([one, two, three].map((row) => ({ title: 't', values: { Link: [row!] } }))));
    const shown = plan.operations.flatMap(({ action, after }) => (action === 'set-cell' ? [after] : []));
    expect(shown).toEqual([`same [${one}]`, `same [${two}]`, '"a, b"']);
  });
});

describe('a long cell', () => {
  it('says how much of it is shown, and is whole when its row is read alone', async () => {
    const id = await database([{ name: 'Note', type: 'text' }]);
    const long = `start ${'word '.repeat(3000)}end`;
    await calls.write(
      id,
      add([
        { title: 'long', values: { Note: long } },
        { title: 'short', values: { Note: 'x' } },
      ]),
    );
    const [row] = await calls.rowIds(id);
    const list = await read({ id });
    expect(list).toContain(`of ${long.length} characters; next: db_read id=${id} row=${row})`);
    const whole = await read({ id, row });
    expect(whole).toContain(`Note=${long}`);
    expect(whole).not.toContain('short');
  });
});

it('a line about the next page repeats every argument', async () => {
  const id = await database([]);
  await calls.write(id, add(Array.from({ length: 60 }, (_, index) => ({ title: `two words ${index}` }))));
  expect(await read({ id, query: 'two words', page: 1 })).toContain(`next: db_read id=${id} query="two words" page=2`);
});

/** The file of a database, which the development host reads at each question. */
const fileOf = (avID: string): string => join(bench.workspace, 'data/storage/av', `${avID}.json`);

it.runIf(!realKernelUrl)('two views of one name are listed with ids, and one is chosen by its id', async () => {
  const id = await database([{ name: 'Note', type: 'text' }]);
  const file = fileOf(await idOf(id));
  const stored = JSON.parse(readFileSync(file, 'utf8')) as { views: { id: string; name: string }[] };
  const [first] = stored.views;
  const second = '20260101000000-secondv';
  stored.views.push({ ...first!, id: second });
  writeFileSync(file, JSON.stringify(stored));
  const { name } = first!;
  expect((await calls.read(id)).views).toEqual([`${name} [${first!.id}]`, `${name} [${second}]`]);
  expect((await calls.read(id, { view: second })).view).toBe(`${name} [${second}]`);
  expect((await calls.read(id, { view: `${name} [${second}]` })).view).toBe(`${name} [${second}]`);
  expect(await codeOf(calls.read(id, { view: name }))).toBe('not_found');
});

it.runIf(!realKernelUrl)('every database is found by its name, however many there are', async () => {
  const doc = await bench.document('/Exact/Many', 'text');
  const { id } = await calls.create({ anchor: doc, name: 'Number 0x' });
  const avID = await idOf(id);
  const [dom, stored] = [await bench.dom(id), readFileSync(fileOf(avID), 'utf8')];
  const inserts = Array.from({ length: 210 }, (_, index) => {
    const [block, av] = ['b', 'd'].map((kind) => `20260101000000-${kind}${String(index + 1).padStart(6, '0')}`);
    writeFileSync(fileOf(av!), stored.replaceAll(avID, av!).replaceAll('Number 0x', `Number ${index + 1}x`));
    return { action: 'insert', id: block, previousID: id, data: dom.replaceAll(avID, av!).replaceAll(id, block!) };
  });
  for (const insert of inserts) await bench.transact([insert]);
  const found = await bench.host.notes.databases({ find: 'Number 209x' }, signal);
  expect(found.map(({ name }) => name)).toEqual(['Number 209x']);
  expect(await read({ find: 'Number' })).toMatch(/^211 databases\n/u);
});

describe('numbers', () => {
  it('that SiYuan would round are refused, in columns of numbers and of texts', async () => {
    const id = await database([
      { name: 'Price', type: 'number' },
      { name: 'Note', type: 'text' },
    ]);
    const plan = (column: string, value: CellInput) => calls.plan(id, add([{ title: 't', values: { [column]: value } }]));
    const lost: readonly CellInput[] = ['12345678901234567890', 2 ** 64, '0.12345678901234567', '9007199254740993', -1e20];
    for (const value of lost) expect([value, await codeOf(plan('Price', value))]).toEqual([value, 'bad_value']);
    expect(await codeOf(plan('Note', 2 ** 64))).toBe('bad_value');
    const whole: readonly CellInput[] = ['9007199254740991', '2.50', 0.1, '1e3', '-0.001', 1e-7, '100000'];
    for (const value of whole) expect([value, await codeOf(plan('Price', value))]).toEqual([value, 'no error']);
    expect((await plan('Note', '12345678901234567890')).operations[1]?.after).toBe('12345678901234567890');
  });
});

describe('names of columns', () => {
  it('that differ in case or form only are refused, when made, added and renamed', async () => {
    const names = (...all: string[]) => database(all.map((name) => ({ name, type: 'text' })));
    expect(await codeOf(names('Price', 'price'))).toBe('path_exists');
    expect(await codeOf(names('Ｐrice', 'Price'))).toBe('path_exists');
    expect(await codeOf(names('name'))).toBe('path_exists');
    const id = await names('Price', 'Note');
    const columns = (...all: object[]) => calls.plan(id, { op: 'columns', columns: all as never });
    expect(await codeOf(columns({ op: 'add', name: 'price', type: 'text' }))).toBe('path_exists');
    expect(await codeOf(columns({ op: 'rename', column: 'Note', name: 'PRICE' }))).toBe('path_exists');
    expect(await codeOf(columns({ op: 'add', name: 'X', type: 'text' }, { op: 'add', name: 'x', type: 'text' }))).toBe('path_exists');
    expect((await columns({ op: 'rename', column: 'Price', name: 'price' })).operations).toHaveLength(1);
  });
});

// What the progress does to the limit: src/tools/util/run-limited.test.ts.
it('a hundred rows in one call are written with progress at each step', { timeout: 120_000 }, async () => {
  const columns = ['A', 'B', 'C'];
  const id = await database(columns.map((name) => ({ name, type: 'text' })));
  const values = Object.fromEntries(columns.map((name) => [name, 'x']));
  const plan = await calls.plan(id, add(Array.from({ length: 100 }, (_, index) => ({ title: `row ${index}`, values }))));
  const counts: number[] = [];
  // A real kernel keeps the journals of earlier runs.
  const nodeId = `hundred-${Date.now()}`;
  const progress = progressOf((_message, count) => counts.push(count?.done ?? 0));
  await bench.host.notes.apply(approvePlan(plan), { ...origin, nodeId }, signal, progress);
  expect(counts.at(-1)).toBe(400);
  expect(Math.max(...counts.map((count, index) => count - (counts[index - 1] ?? 0)))).toBe(30);
  const titles = async () => (await calls.table(id)).map((row) => Object.values(row)[0]);
  expect(await titles()).toEqual(plan.operations.flatMap(({ action, after }) => (action === 'add-row' ? [after] : [])));
  expect((await calls.table(id)).map(({ C }) => C)).toEqual(Array(100).fill('x'));
  const file = async () => (await bench.host.notes.database({ id, page: 1, pageSize: 100 }, signal))[0]?.rows;
  const written = await file();
  expect((await calls.undo(nodeId)).conflicts).toEqual([]);
  expect(await titles()).toEqual([]);
  expect((await calls.redo(nodeId)).conflicts).toEqual([]);
  expect(await file()).toEqual(written);
});

it('cells of one call of which one has changed meanwhile are all left as they are', async () => {
  const id = await database([{ name: 'A', type: 'text' }]);
  await calls.write(id, add(['one', 'two', 'three'].map((title) => ({ title, values: { A: 'old' } }))));
  const rows = await calls.rowIds(id);
  const plan = await calls.plan(id, { op: 'set_cells', newOptions: false, rows: rows.map((row) => ({ row, values: { A: 'new' } })) });
  await calls.write(id, { op: 'set_cells', newOptions: false, rows: [{ row: rows[1]!, values: { A: 'a person' } }] });
  expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId: 'meanwhile' }))).toBe('stale');
  expect((await calls.table(id)).map(({ A }) => A)).toEqual(['old', 'a person', 'old']);
});

it('an Undo of many cells leaves the one that a person has changed since, and restores the others', async () => {
  const id = await database([{ name: 'A', type: 'text' }]);
  await calls.write(id, add(['one', 'two', 'three'].map((title) => ({ title, values: { A: 'old' } }))));
  const rows = await calls.rowIds(id);
  const nodeId = await calls.write(id, { op: 'set_cells', newOptions: false, rows: rows.map((row) => ({ row, values: { A: 'new' } })) });
  await calls.write(id, { op: 'set_cells', newOptions: false, rows: [{ row: rows[1]!, values: { A: 'a person' } }] });
  expect((await calls.undo(nodeId)).conflicts).toHaveLength(1);
  expect((await calls.table(id)).map(({ A }) => A)).toEqual(['old', 'a person', 'old']);
});

it('a database is inserted with the elements that SiYuan draws into', async () => {
  const doc = await bench.document('/Exact/Dom', 'text');
  const made = await calls.create({ anchor: doc });
  const shape = (dom: string): string => dom.replaceAll(/<(\w+)[^>]*>/gu, '<$1>');
  expect(shape(await bench.dom(made.id))).toBe('<div><div></div><div>\u200b</div></div>');
});
