// The calls that the skill on databases teaches are ones that the tools take, in its order, over a database that it could be about.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DATABASES_RULE } from '../../src/tools/groups/skill-texts/databases-rule.ts';
import { createNotesGroups, HeadlessApprovalAdapter, type ToolExecutor, toolExecutorFactory } from '../../src/tools/index.ts';
import { databaseCalls } from './database-bench.ts';
import { signal, startBench, type TestBench } from './support.ts';

const CALLS = [...DATABASES_RULE.matchAll(/^(db_\w+) (\{.+\})$/gmu)].map(([line, name = '', args = '']) => ({ line, name, args }));
const COLUMNS = [
  { name: 'State', type: 'select', options: ['open', 'done'] },
  { name: 'Tags', type: 'multi-select', options: ['home', 'soon'] },
  { name: 'Due', type: 'date' },
  { name: 'Price', type: 'number' },
  { name: 'Paid', type: 'checkbox' },
];

let bench: TestBench;
let executor: ToolExecutor;
let ids: Readonly<Record<string, string>>;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
  const clock = { now: () => Date.now(), today: () => '2026-01-15' };
  const groups = createNotesGroups(bench.host.notes, clock);
  const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: true }));
  executor = toolExecutorFactory({ approvalAdapter, clock, groups, groupDefaults: { databases: true }, rights: bench.host.rights });
  const [board, note] = [await bench.document('/Board', 'words'), await bench.document('/Task', 'apollo')];
  const calls = databaseCalls(bench);
  const { id } = await calls.create({ anchor: board, columns: COLUMNS });
  await calls.write(id, { op: 'add_rows', newOptions: false, rows: [{ title: 'first' }] });
  const [row = ''] = await calls.rowIds(id);
  ids = { DATABASE: id, NOTE: note, ROW: row };
});
afterAll(() => bench.close());

it('has a call for each tool and each operation', () => {
  const operations = CALLS.map(({ name, args }) => [name, (JSON.parse(args) as { op?: string }).op].join(' ').trim());
  expect([...new Set(operations)]).toEqual([
    ...['db_read', 'db_create', 'db_write add_rows', 'db_write set_cells', 'db_write remove_rows', 'db_write columns'],
  ]);
});

it('names every type of column that can be added, and shows how its values are written', () => {
  const table = DATABASES_RULE.slice(0, DATABASES_RULE.indexOf('## Calls'));
  for (const type of ['text', 'number', 'select', 'multi-select', 'date', 'checkbox', 'url', 'email', 'phone', 'relation', 'asset'])
    expect(table).toMatch(new RegExp(`^\\| (?:[\\w, ]+, )?${type}\\b.*\\| .+ \\|$`, 'mu'));
});

it.each(CALLS.map(({ line, name, args }, index) => [line, name, args, index] as const))('%s', async (_line, name, args, index) => {
  const filled = JSON.parse(args.replaceAll(/"(DATABASE|NOTE|ROW)"/gu, (_, key: string) => JSON.stringify(ids[key])));
  const result = await executor.execute(name, filled, { callId: `rule${index}`, sessionId: 'rule', nodeId: `rule${index}`, signal });
  expect(result.finalText ?? '').not.toMatch(/^bad_/u);
  expect(result.status).toBe('success');
});
