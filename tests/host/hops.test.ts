import { afterAll, beforeAll, expect, it } from 'vitest';
import { createNotesGroups, HeadlessApprovalAdapter, type ToolExecutor, toolExecutorFactory } from '../../src/tools/index.ts';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let executor: ToolExecutor;
/** Functions of the source that wait for the request, innermost first: `name file`. */
let waiting: string[] = [];

const FRAME = /at (?:async )?(?:\w+\.)?(\w+) \(.*\/src\/(.+?):/u;

function functionsHere(): string[] {
  const lines = (new Error('here').stack ?? '').split('\n');
  return [...new Set(lines.flatMap((line) => FRAME.exec(line)?.slice(1).join(' ') ?? []))];
}

beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
  const clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };
  const groups = createNotesGroups(bench.host.notes, clock, {});
  executor = toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter(() => ({ approved: true })),
    clock,
    groups,
    groupDefaults: Object.fromEntries(groups.map(({ name }) => [name, true])),
    rights: bench.host.rights,
  });
});
afterAll(() => bench.close());

it('a write passes at most 13 functions from its tool to the request, each under a name of its own', async () => {
  const doc = await bench.document('/Hops', 'one two three');
  const [block] = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks;
  bench.hooks.before = (path) => {
    if (path === '/api/transactions') waiting = functionsHere();
  };
  const args = { id: block!.id, expectHash: block!.hash, edits: [{ old: 'three', new: 'four' }] };
  const depth = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const result = await executor.execute('edit_block', args, { callId: 'c1', sessionId: 's', nodeId: 'n', signal });
  Error.stackTraceLimit = depth;
  expect(result.status).toBe('success');
  expect(waiting.at(-1)).toBe('execute tools/groups/blocks/edit-block.ts');
  expect(waiting[0]).toBe('request host/kernel/kernel-client.ts');
  expect(waiting.length).toBeLessThanOrEqual(13);
  expect(new Set(waiting.map((line) => line.split(' ')[0])).size).toBe(waiting.length);
});
