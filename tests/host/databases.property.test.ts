import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ColumnChange, DatabaseChange } from '../../src/tools/contract/databases.ts';
import { ToolError } from '../../src/tools/contract/errors.ts';
import { runCount } from '../support/property-runs.ts';
import { databaseCalls } from './database-bench.ts';
import { realKernelUrl } from './real-kernel.ts';
import { startBench, type TestBench } from './support.ts';

let bench: TestBench;
let calls: ReturnType<typeof databaseCalls>;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
  calls = databaseCalls(bench);
});
afterAll(() => bench.close());

const word = fc.constantFrom('a', 'b', 'c <i>', 'd', '');
const option = fc.constantFrom('x', 'y', 'z');
const VALUES = {
  text: word,
  number: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.constant(null)),
  select: fc.oneof(option, fc.constant(null)),
  'multi-select': fc.array(option, { maxLength: 2 }),
  date: fc.constantFrom('2026-01-31', '2026-01-31 14:00', '2026-01-31 / 2026-02-02', null),
  checkbox: fc.boolean(),
  url: fc.constantFrom('https://a.example', null),
  asset: fc.constantFrom(['assets/a.pdf'], []),
};
type TypeName = keyof typeof VALUES;
const TYPES = Object.keys(VALUES) as readonly TypeName[];
/** A value for each type: which of them a column takes is known when the program runs. */
const values = fc.record(VALUES);
const step = fc.record({
  op: fc.constantFrom('add_rows', 'set_cells', 'remove_rows', 'columns'),
  column: fc.constantFrom('add', 'rename', 'move', 'remove'),
  values,
  picks: fc.array(fc.nat({ max: 9 }), { minLength: 1, maxLength: 3 }),
  type: fc.constantFrom(...TYPES),
  isBound: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const TOOL_TYPES: Readonly<Record<string, TypeName>> = { mSelect: 'multi-select', mAsset: 'asset' };
let names = 0;

async function columnChange(id: string, { column, picks, type }: Step): Promise<ColumnChange> {
  const { columns } = await calls.read(id);
  const pick = (index: number): string => columns[(picks[index % picks.length] ?? 0) % columns.length]?.id ?? '';
  if (column === 'add')
    return { op: 'add', name: `C${++names}`, type, after: pick(0), ...(type.includes('select') ? { options: ['x'] } : {}) };
  if (column === 'rename') return { op: 'rename', column: pick(0), name: `R${++names}` };
  return column === 'move' ? { op: 'move', column: pick(0), after: pick(1) } : { op: 'remove', column: pick(0) };
}

async function changeOf(id: string, blocks: readonly string[], program: Step): Promise<DatabaseChange> {
  const { columns, rows } = await calls.read(id);
  const { op, picks, isBound } = program;
  const cells = Object.fromEntries(
    columns.flatMap(({ id: column, type }) => {
      const name = TOOL_TYPES[type] ?? (type as TypeName);
      return name in program.values ? [[column, program.values[name]] as const] : [];
    }),
  );
  const rowIds = [...new Set(picks.map((pick) => rows[pick % Math.max(1, rows.length)]?.id ?? ''))];
  if (op === 'add_rows') {
    const made = picks.map((pick) => (isBound ? { block: blocks[pick % blocks.length] } : { title: `row ${pick}` }));
    return { op, newOptions: true, rows: made.map((row) => ({ ...row, values: cells })) };
  }
  if (op === 'set_cells') return { op, newOptions: true, rows: rowIds.map((row) => ({ row, values: cells })) };
  if (op === 'remove_rows') return { op, rows: rowIds };
  return { op: 'columns', columns: [await columnChange(id, program)] };
}

it('any database is as it was before any program once it is undone', { timeout: 3_600_000 }, async () => {
  const runs = runCount(8, realKernelUrl === undefined ? 150 : 40);
  let [written, refused] = [0, 0];
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 2, maxLength: 6 }),
    fc.array(fc.constantFrom(...TYPES), { maxLength: 5 }),
    async (program, types) => {
      const doc = await bench.document(`/Random/D${++names}`, 'one\n\ntwo\n\nthree');
      const blocks = await bench.blocks(doc);
      const { id } = await calls.create({ anchor: doc, columns: types.map((type, index) => ({ name: `${type} ${index}`, type })) });
      const done: { readonly nodeId: string; readonly before: unknown }[] = [];
      const look = async () => [await calls.read(id), await bench.markdown(doc)];
      for (const each of program) {
        const before = await look();
        try {
          done.push({ nodeId: await calls.write(id, await changeOf(id, blocks, each)), before });
          written++;
        } catch (error) {
          if (!(error instanceof ToolError)) throw error;
          expect(await look()).toEqual(before);
          refused++;
        }
      }
      for (const { nodeId, before } of done.reverse()) {
        const report = await calls.undo(nodeId);
        expect(report.conflicts).toEqual([]);
        expect(await look()).toEqual(before);
      }
    },
  );
  await fc.assert(property, { numRuns: runs, seed: 41, endOnFailure: true });
  console.log(
    `${runs} databases, ${written} writes undone, ${refused} refused, on ${realKernelUrl === undefined ? 'the development host' : 'a real kernel'}`,
  );
  expect(written).toBeGreaterThan(0);
});
