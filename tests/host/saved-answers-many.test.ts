import { expect, it } from 'vitest';
import { createAccess } from '../../src/host/access/access.ts';
import { KernelSavedAnswers } from '../../src/host/answers/saved-answers.ts';
import { readSources } from '../../src/host/answers/source-states.ts';
import { CITES_ATTRIBUTE } from '../../src/host/blocks/source-attributes.ts';
import type { TransactionsPush } from '../../src/host/kernel/transaction-log.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { signal, useBench } from './support.ts';

const bench = useBench('write');
const MANY = 1000;

it('of a thousand answers are opened with one request, and a change is noticed with four', async () => {
  const { routes } = bench.host;
  const engine = testEngine();
  const accessOver = (over: typeof routes) => createAccess(over, bench.policy);
  const lines = Array.from({ length: MANY }, (_, at) => `line ${at}`).join('\n\n');
  const [sources, saved] = [await bench.document('/Many sources', lines), await bench.document('/Many answers', lines)];
  const [from, to] = [await bench.blocks(sources), await bench.blocks(saved)];
  const { states } = await readSources({ routes, engine, access: accessOver(routes) }, from, signal);
  const blockAttrs = to.map((id, at) => {
    const { hash = '', updated = '', words = '' } = states.get(from[at] ?? '') ?? {};
    return { id, attrs: { [CITES_ATTRIBUTE]: JSON.stringify([[from[at], hash, updated, sources, bench.notebook, words]]) } };
  });
  await bench.api('/api/attr/batchSetBlockAttrs', { blockAttrs });
  await bench.api('/api/sqlite/flushTransaction', {});
  const paths: string[] = [];
  bench.hooks = { before: (path) => void paths.push(path) };
  let heard = (_push: TransactionsPush): void => undefined;
  const due: (() => void)[] = [];
  const answers = new KernelSavedAnswers({
    ...{
      routes,
      engine,
      accessOver,
      clock: bench.host.clock,
      later: (work: () => void) => void due.push(work),
      onRights: () => () => undefined,
    },
    pushes: {
      onTransactions(listener) {
        heard = listener;
        return () => undefined;
      },
    },
  });
  await answers.open(signal);
  expect(paths).toEqual(['/api/query/sql']);
  expect(answers.outdated().size).toBe(0);

  const id = from[500] ?? '';
  const data = (await bench.dom(id)).replace('line 500', 'another line');
  await bench.transact([{ action: 'update', id, data }]);
  heard({ session: 'other', blockIds: [id], operations: [{ action: 'update', id, data, previousID: '', parentID: '' }] });
  expect(due).toHaveLength(1);
  await answers.lookUp(signal);
  expect([...answers.outdated()]).toEqual([to[500]]);
  expect(paths.length).toBeLessThanOrEqual(5);
});
