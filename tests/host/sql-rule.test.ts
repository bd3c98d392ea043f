// The statements that the skill on SQL teaches run as they are written there.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SQL_RULE } from '../../src/tools/groups/skill-texts/sql-rule.ts';
import { signal, startBench, type TestBench } from './support.ts';

const STATEMENTS = [...SQL_RULE.matchAll(/^(?:SELECT|WITH) .+$/gmu)].map(([statement]) => statement);

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  const target = await bench.document('/Target', 'alpha #one#');
  await bench.document('/Tasks', `- [ ] open\n- [x] done\n\nsee ((${target} "there")) #one#`);
  const [block = ''] = await bench.blocks(target);
  await bench.api('/api/attr/setBlockAttrs', { id: block, attrs: { bookmark: 'later' } });
  await bench.api('/api/sqlite/flushTransaction', {});
});
afterAll(() => bench.close());

it('has statements of every kind that it names', () => {
  expect(STATEMENTS.length).toBeGreaterThan(5);
});

it.each(STATEMENTS.map((statement) => [statement]))('%s', async (statement) => {
  const { rows } = await bench.host.notes.sql({ stmt: statement, maxRows: 50 }, signal);
  // Nothing of the sample was written in that month.
  expect(rows.length > 0).toBe(!statement.includes('BETWEEN'));
});
