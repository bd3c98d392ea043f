import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseCalls } from './database-bench.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let calls: ReturnType<typeof databaseCalls>;
let other = '';
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
  calls = databaseCalls(bench);
  other = (await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Other' })).notebook.id;
});
afterAll(() => bench.close());

const hide = (id: string, value = 'none') => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': value } });
const databaseId = async (id: string) => /data-av-id="([\w-]+)"/u.exec(await bench.dom(id))?.[1] ?? '';
let count = 0;

/** A database with a row of an open block, one of a secret block, and one of its own that leads to both and adds their prices. */
async function linked() {
  const doc = await bench.document(`/Rights/R${++count}`, 'open words\n\nsecret words');
  const [open = '', secret = ''] = await bench.blocks(doc);
  const { id } = await calls.create({ anchor: doc, columns: [{ name: 'Price', type: 'number' }] });
  await calls.write(id, { op: 'columns', columns: [{ op: 'add', name: 'Parts', type: 'relation', target: id }] });
  await calls.write(id, {
    op: 'add_rows',
    newOptions: false,
    rows: [{ block: open, values: { Price: 1 } }, { block: secret, values: { Price: 2 } }, { title: 'sum' }],
  });
  const [first = '', second = '', third = ''] = await calls.rowIds(id);
  await calls.write(id, { op: 'set_cells', newOptions: false, rows: [{ row: third, values: { Parts: [first, second] } }] });
  const [avID, { columns }] = [await databaseId(id), await calls.read(id)];
  const at = (name: string) => columns.find((column) => column.name === name)?.id ?? '';
  const [sum, formula] = [`${avID.slice(0, 14)}-sumsum0`, `${avID.slice(0, 14)}-formula`];
  await bench.transact([
    { action: 'addAttrViewCol', avID, id: sum, name: 'Sum', type: 'rollup', data: '', previousID: at('Parts') },
    { action: 'updateAttrViewColRollup', avID, id: sum, parentID: at('Parts'), keyID: at('Price'), data: { calc: { operator: 'Sum' } } },
    { action: 'addAttrViewCol', avID, id: formula, name: 'Formula', type: 'template', data: '', previousID: sum },
    { action: 'updateAttrViewColTemplate', avID, id: formula, type: 'template', data: '<script>alert(1)</script>' },
  ]);
  return { doc, id, open, secret, first, second, third, avID, sum };
}

describe('a database', () => {
  it('shows, counts and names no row of a block that is kept back, nor what leads to it or is worked out from it', async () => {
    const { id, secret, first, second, third } = await linked();
    const whole = (await calls.table(id)).at(-1);
    expect(whole).toEqual({
      Name: 'sum',
      Parts: `open words [${first}], secret words [${second}]`,
      Sum: '3',
      Formula: '<script>alert(1)</script>',
    });
    await hide(secret);
    expect(await calls.table(id)).toEqual([
      { Name: 'open words', Price: '1', Sum: '0' },
      { Name: 'sum', Parts: `open words [${first}]` },
    ]);
    expect(await calls.read(id, { query: 'secret' })).toMatchObject({ total: 0, rows: [] });
    expect(await calls.read(id)).toMatchObject({ total: 2, notes: [expect.stringContaining('templates')] });
    const cells = (row: string) => calls.plan(id, { op: 'set_cells', newOptions: false, rows: [{ row, values: { Price: 5 } }] });
    expect(await codeOf(cells(second))).toBe('not_found');
    expect(await codeOf(cells(secret))).toBe('not_found');
    expect(await codeOf(calls.plan(id, { op: 'remove_rows', rows: [second] }))).toBe('not_found');
    const link = { op: 'set_cells', newOptions: false, rows: [{ row: first, values: { Parts: [second] } }] } as const;
    expect(await codeOf(calls.plan(id, link))).toBe('bad_value');
    expect(await codeOf(bench.host.notes.database({ id: secret, page: 1, pageSize: 5 }, signal))).toBe('not_found');
    const { operations } = await calls.plan(id, { op: 'columns', columns: [{ op: 'remove', column: 'Price' }] });
    expect(operations[0]?.before).toBe('Price (number): 1 filled cells');
    expect((await cells(third)).operations[0]).toMatchObject({ before: null, after: '5' });
    await hide(secret, '');
  });

  it('is not read under a filter over what is worked out, while anything is kept back', async () => {
    const { id, secret, avID, sum } = await linked();
    const data = [{ column: sum, order: 'ASC' }];
    await bench.api('/api/av/setAttrViewSorts', { avID, blockID: id, data });
    expect(await calls.read(id)).toMatchObject({ total: 3 });
    await hide(secret);
    expect(await codeOf(calls.read(id))).toBe('bad_target');
    await hide(secret, '');
  });

  it.each(['table', 'kanban'])('does not tell hidden values by groups that are made of them, nor by their order: %s', async (layout) => {
    const { id, secret, second, sum } = await linked();
    const other = { op: 'add_rows', newOptions: false, rows: [{ title: 'other' }] } as const;
    await calls.write(id, other);
    const draw = bench.host.routes.drawnDatabase.bind(bench.host.routes);
    // SiYuan's groups, by what a rollup gives: the development host has none.
    const grouped = async (at: Parameters<typeof draw>[0], parse: (data: unknown) => unknown, stop: AbortSignal) => {
      const drawn = (await draw(at, (data) => data, stop)) as { view: { rows: { id: string; cells: { value: object }[] }[] } };
      const textOf = ({ cells }: (typeof drawn.view.rows)[number]) =>
        JSON.stringify(cells.map(({ value }) => ('rollup' in value ? value.rollup : '')));
      const groups = [...Map.groupBy(drawn.view.rows, textOf)].sort(([one], [next]) => (one < next ? -1 : 1));
      const parts = groups.map(([, rows]) =>
        layout === 'table' ? { rows } : { cards: rows.map((row) => ({ id: row.id, values: row.cells })) },
      );
      return parse({ ...drawn, viewType: layout, view: { ...drawn.view, rows: null, group: { field: sum, method: 0 }, groups: parts } });
    };
    Object.assign(bench.host.routes, { drawnDatabase: grouped });
    expect((await calls.read(id)).rows).toHaveLength(4);
    const answers = [];
    for (const value of [-5, 3, 7000]) {
      await hide(secret, '');
      Object.assign(bench.host.routes, { drawnDatabase: draw });
      await calls.write(id, { op: 'set_cells', newOptions: false, rows: [{ row: second, values: { Price: value } }] });
      await hide(secret);
      Object.assign(bench.host.routes, { drawnDatabase: grouped });
      answers.push(
        await calls.read(id).then(
          ({ rows }) => JSON.stringify(rows),
          (error: { code: string }) => error.code,
        ),
      );
    }
    Object.assign(bench.host.routes, { drawnDatabase: draw });
    await hide(secret, '');
    expect(new Set(answers)).toEqual(new Set(['bad_target']));
  });

  it('does not tell, by the order or the number of rows, words that a title draws from a hidden block', async () => {
    const doc = await bench.document(`/Rights/W${++count}`, 'secret');
    const [secret = ''] = await bench.blocks(doc);
    const list = await bench.document(`/Rights/W${++count}`, `see ((${secret} 'x'))\n\nmiddle`);
    const [drawing = '', middle = ''] = await bench.blocks(list);
    await bench.transact([
      { action: 'update', id: drawing, data: (await bench.dom(drawing)).replace('data-subtype="s"', 'data-subtype="d"') },
    ]);
    const { id } = await calls.create({ anchor: await bench.document(`/Rights/W${++count}`, 'table'), columns: [] });
    await calls.write(id, { op: 'add_rows', newOptions: false, rows: [{ block: drawing }, { block: middle }] });
    const [avID, { columns }] = [await databaseId(id), await calls.read(id)];
    await hide(secret);
    const title = columns[0]?.id ?? '';
    expect(await codeOf(calls.read(id))).toBe('no error');
    for (const rules of ['setAttrViewSorts', 'setAttrViewFilters']) {
      const data =
        rules === 'setAttrViewSorts'
          ? [{ column: title, order: 'ASC' }]
          : [{ column: title, operator: 'Contains', value: { type: 'block', block: { content: 'zz' } } }];
      await bench.api(`/api/av/${rules}`, { avID, blockID: id, data });
      expect([rules, await codeOf(calls.read(id))]).toEqual([rules, 'bad_target']);
      await bench.api(`/api/av/${rules}`, { avID, blockID: id, data: [] });
    }
    await hide(secret, '');
  });

  it('is of the note that holds it: hidden with it, and changed where that note may be', async () => {
    const { doc, id, first } = await linked();
    const price = { op: 'set_cells', newOptions: false, rows: [{ row: first, values: { Price: 9 } }] } as const;
    bench.policy.setRight(bench.notebook, 'read');
    const plan = await calls.plan(id, price);
    expect(plan.needsRight).toBe('write');
    expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId: 'read' }))).toBe('no_right');
    bench.policy.setRight(bench.notebook, 'write');
    expect((await calls.plan(id, { op: 'remove_rows', rows: [first] })).needsRight).toBe('delete');
    bench.policy.setRight(bench.notebook, 'delete');
    const late = await calls.plan(id, price);
    await hide(doc);
    expect(await codeOf(bench.apply(late, undefined, { ...origin, nodeId: 'late' }))).toMatch(/stale|not_found/u);
    expect(await codeOf(calls.read(id))).toBe('not_found');
    expect((await bench.host.notes.databases({}, signal)).map((each) => each.id)).not.toContain(id);
    expect(await codeOf(calls.plan(id, price))).toBe('not_found');
    await hide(doc, '');
  });

  it('takes a block of another notebook as a row only where that notebook may be written', async () => {
    const { id } = await linked();
    const doc = await bench.api<string>('/api/filetree/createDocWithMd', { notebook: other, path: '/Elsewhere', markdown: 'far' });
    const [far = ''] = await bench.blocks(doc);
    bench.policy.setRight(other, 'read');
    const rows = { op: 'add_rows', newOptions: false, rows: [{ block: far }] } as const;
    expect(await codeOf(calls.plan(id, rows))).toBe('no_right');
    bench.policy.setRight(other, 'write');
    const plan = await calls.plan(id, rows);
    bench.policy.setRight(other, 'read');
    expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId: 'far' }))).toBe('no_right');
    bench.policy.setRight(other, 'none');
    expect(await codeOf(calls.plan(id, rows))).toBe('not_found');
    bench.policy.setRight(other, 'write');
    await calls.write(id, rows);
    expect((await calls.table(id)).at(-1)?.Name).toBe('far');
  });

  it('shows of a note that is a row the time of what may be read in it, and is in no order that follows from more', async () => {
    const doc = await bench.document(`/Rights/T${++count}`, 'open words\n\nsecret words');
    const [, secret = ''] = await bench.blocks(doc);
    const { id } = await calls.create({ anchor: await bench.document(`/Rights/T${++count}`, 'table'), columns: [] });
    await calls.write(id, { op: 'add_rows', newOptions: false, rows: [{ block: doc }] });
    const [avID, { columns }] = [await databaseId(id), await calls.read(id)];
    const [changed, later] = [`${avID.slice(0, 14)}-changed`, '20301231101500'];
    await bench.transact([
      { action: 'addAttrViewCol', avID, id: changed, name: 'Changed', type: 'updated', data: '', previousID: columns[0]?.id },
    ]);
    await bench.transact([
      { action: 'update', id: secret, data: (await bench.dom(secret)).replace(/ updated="\d+"/u, ` updated="${later}"`) },
    ]);
    expect((await calls.table(id))[0]?.Changed).toBe('2030-12-31 10:15');
    await hide(secret);
    await bench.transact([
      { action: 'update', id: secret, data: (await bench.dom(secret)).replace(/ updated="\d+"/u, ` updated="${later}"`) },
    ]);
    expect((await calls.table(id))[0]?.Changed).toMatch(/^20(?!30)/u);
    await bench.api('/api/av/setAttrViewSorts', { avID, blockID: id, data: [{ column: changed, order: 'ASC' }] });
    expect(await codeOf(calls.read(id))).toBe('bad_target');
    await hide(secret, '');
    expect(await calls.read(id)).toMatchObject({ total: 1 });
  });

  it('is changed only where every notebook that shows it, or is linked with it both ways, may be written', async () => {
    const { id, first, third, avID } = await linked();
    const far = async (path: string) =>
      bench.api<string>('/api/filetree/createDocWithMd', { notebook: other, path: `${path}${++count}`, markdown: 'far' });
    bench.policy.setRight(other, 'write');
    const price = { op: 'set_cells', newOptions: false, rows: [{ row: first, values: { Price: 7 } }] } as const;
    const [above = ''] = await bench.blocks(await far('/Mirror'));
    const mirror = `${avID.slice(0, 14)}-mirror${count % 10}`;
    const data = `<div data-node-id="${mirror}" data-type="NodeAttributeView" class="av" data-av-id="${avID}" data-av-type="table"></div>`;
    await bench.transact([{ action: 'insert', id: mirror, previousID: above, data }]);
    bench.policy.setRight(other, 'read');
    expect(await codeOf(calls.plan(id, price))).toBe('no_right');
    bench.policy.setRight(other, 'none');
    expect(await codeOf(calls.plan(id, price))).toBe('no error');
    bench.policy.setRight(other, 'write');
    const late = await calls.plan(id, price);
    bench.policy.setRight(other, 'read');
    expect(await codeOf(bench.apply(late, undefined, { ...origin, nodeId: 'mirror' }))).toBe('no_right');
    bench.policy.setRight(other, 'write');
    await bench.transact([{ action: 'delete', id: mirror }]);
    const { id: target } = await calls.create({ anchor: await far('/Target'), columns: [] });
    await calls.write(target, { op: 'add_rows', newOptions: false, rows: [{ title: 'there' }] });
    const [there = ''] = await calls.rowIds(target);
    const link = { avID, id: await databaseId(target), keyID: `${avID.slice(0, 14)}-twoways`, isTwoWay: true };
    await bench.transact([
      { action: 'addAttrViewCol', avID, id: link.keyID, name: 'Both', type: 'relation', data: '', previousID: '' },
      { action: 'updateAttrViewColRelation', ...link, backRelationKeyID: `${avID.slice(0, 14)}-bothway`, name: 'Back', format: 'Both' },
    ]);
    const both = { op: 'set_cells', newOptions: false, rows: [{ row: third, values: { Both: [there] } }] } as const;
    bench.policy.setRight(other, 'read');
    expect(await codeOf(calls.plan(id, both))).toBe('no_right');
    expect(await codeOf(calls.plan(id, price))).toBe('no error');
    bench.policy.setRight(other, 'write');
    await calls.write(id, both);
    bench.policy.setRight(other, 'read');
    expect(await codeOf(calls.plan(id, { op: 'remove_rows', rows: [third] }))).toBe('no_right');
    bench.policy.setRight(other, 'none');
    expect(await codeOf(calls.plan(id, { op: 'remove_rows', rows: [third] }))).toBe('bad_target');
    bench.policy.setRight(other, 'write');
  });
});
