// A reading of a whole document says how far it is, where it takes long.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createHostBase } from '../../src/host/host-base.ts';
import { createNotesHost, type NotesHost } from '../../src/host/notes-host.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { createNotesGroups, HeadlessApprovalAdapter, toolExecutorFactory } from '../../src/tools/index.ts';
import { signal, startBench, type TestBench } from './support.ts';

const BLOCKS = 60;
let bench: TestBench;
let doc = '';

beforeAll(async () => {
  bench = await startBench();
  doc = await bench.document('/Long', Array.from({ length: BLOCKS }, (_none, index) => `paragraph ${index}`).join('\n\n'));
});
afterAll(() => bench.close());

/** `tick`: milliseconds that pass between two looks at the clock. */
async function told(tool: string, args: object, tick: number): Promise<readonly (readonly [number | undefined, number | undefined])[]> {
  let time = Date.now();
  const clock = {
    now: () => {
      time += tick;
      return time;
    },
    today: () => '2026-01-01',
  };
  const host: NotesHost = createNotesHost({
    base: createHostBase({ client: bench.client, policy: bench.policy, clock, device: 'd' }),
    engine: testEngine(),
    probe: { caretBlocks: () => [], whenLeft: async () => undefined, ask: async () => 'cancel' },
    random: Math.random,
    session: 'progress',
  });
  const groups = createNotesGroups(host.notes, clock);
  const groupDefaults = Object.fromEntries(groups.map(({ name }) => [name, true]));
  const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: false }));
  const executor = toolExecutorFactory({ approvalAdapter, clock, groups, groupDefaults, rights: host.rights });
  const counts: (readonly [number | undefined, number | undefined])[] = [];
  const { status } = await executor.execute(
    tool,
    { id: doc, ...args },
    {
      ...{ callId: 'c1', sessionId: 's', nodeId: 'n', signal },
      onEvent: (event) => {
        if (event.type === 'tool-progress') counts.push([event.done, event.total]);
      },
    },
  );
  host.close();
  expect(status).toBe('success');
  return counts;
}

it.each([
  ['grep_doc', { pattern: 'paragraph \\d', regex: true }],
  ['export_doc', {}],
])('%s says how far it is where it takes long', async (tool, args) => {
  const counts = await told(tool, args, 15);
  expect(counts.length).toBeGreaterThan(3);
  expect(counts.every(([done = -1, total]) => done >= 0 && done <= BLOCKS && total === BLOCKS)).toBe(true);
  expect(counts.map(([done]) => done)).toEqual(counts.map(([done = 0]) => done).sort((one, other) => one - other));
  // What is over soon says nothing.
  expect(await told(tool, args, 0)).toEqual([]);
});
