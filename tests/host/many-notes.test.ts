import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { approvePlan } from '../../src/tools/contract/plans.ts';
import { applyAs, freshNode, paragraph } from './block-support.ts';
import { codeOf, origin, signal, startBench, type TestBench } from './support.ts';

/** A change of many notes: planned in batches, told how far it is, stopped between notes, and undone as far as it came. */
let bench: TestBench;
const NOTES = 40;
const paths: string[] = [];
let notes: string[] = [];

beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
  for (let index = 0; index < NOTES; index += 1)
    notes.push(await bench.document(`/Note ${index}`, `number ${index} has #many# in it\n\nend`));
});
afterAll(() => bench.close());
afterEach(() => {
  bench.hooks = {};
  paths.splice(0);
});

const plan = (label: string, to: string, progress?: (done: number, total: number) => void) =>
  bench.host.notes.planTag({ label, to }, 'tags', signal, progress);
const asked = (end: string): number => paths.filter((path) => path.endsWith(end)).length;
/** How many notes have the tag now. */
async function having(tag: string): Promise<number> {
  const all = await Promise.all(notes.map((id) => bench.markdown(id)));
  return all.filter((blocks) => blocks.join().includes(`#${tag}#`)).length;
}
const undo = (nodeId: string) => bench.host.history.undo(origin.sessionId, nodeId, signal);

describe('a tag in many notes', () => {
  it('is renamed with a transaction a note and a few requests beside, and comes back', async () => {
    bench.hooks = { before: (path) => void paths.push(path) };
    const told: string[] = [];
    const made = await plan('many', 'renamed', (done, total) => told.push(`${done}/${total}`));
    expect(told).toEqual([`${NOTES}/${NOTES}`]);
    expect(made.operations.map(({ document }) => document?.title)).toContain('Note 7');
    // What a plan asks for does not grow with the notes, but for their blocks.
    expect(paths.length).toBeLessThanOrEqual(16);
    paths.splice(0);
    const nodeId = freshNode();
    const far: number[] = [];
    await bench.host.notes.apply(approvePlan(made), { ...origin, nodeId }, signal, (done) => far.push(done));
    expect([asked('/api/transactions'), await having('renamed')]).toEqual([NOTES, NOTES]);
    expect([asked('lsNotebooks'), asked('getBlockInfo')]).toEqual([1, 0]);
    // For each note where the block stands, and a look right before; for eight together one after.
    expect(paths.length).toBeLessThanOrEqual(3 * NOTES + NOTES / 8 + 16);
    expect(far).toEqual([8, 16, 24, 32, 40]);
    const counted: string[] = [];
    const count = (done: number, total: number): void => void counted.push(`${done}/${total}`);
    const { history } = bench.host;
    expect((await history.undo(origin.sessionId, nodeId, signal, undefined, count)).conflicts).toEqual([]);
    expect([await having('renamed'), await having('many')]).toEqual([0, NOTES]);
    expect(counted.splice(0)).toEqual(['0/40', '8/40', '16/40', '24/40', '32/40', '40/40']);
    expect((await history.redo(origin.sessionId, nodeId, signal, undefined, count)).conflicts).toEqual([]);
    expect(counted).toEqual(['0/40', '8/40', '16/40', '24/40', '32/40', '40/40']);
    expect((await undo(nodeId)).conflicts).toEqual([]);
  });

  it('stops between two notes; what was written stands, is named, and is undone', async () => {
    const made = await plan('many', 'half');
    const stop = new AbortController();
    bench.hooks = {
      after: (path) => {
        if (path === '/api/transactions') paths.push(path);
        if (paths.length === 11) stop.abort();
      },
    };
    const nodeId = freshNode();
    const failed = await bench.host.notes.apply(approvePlan(made), { ...origin, nodeId }, stop.signal).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'aborted', message: expect.stringContaining('after 11 blocks') });
    expect([await having('half'), await having('many')]).toEqual([11, NOTES - 11]);
    expect((await undo(nodeId)).restored).toHaveLength(11);
    expect(await having('many')).toBe(NOTES);
  });

  it.each([true, false])(
    'leaves a note alone that somebody changes while its neighbours are written; pushes are heard: %s',
    async (pushes) => {
      const host = bench.reopen({ pushes });
      const made = await host.notes.planTag({ label: 'many', to: 'raced' }, 'tags', signal);
      const last = made.operations[5]?.blockId ?? '';
      let typed = false;
      bench.hooks = {
        after: async (path) => {
          if (path !== '/api/transactions' || typed) return;
          typed = true;
          await bench.transact([{ action: 'update', id: last, data: paragraph(last, 'typed meanwhile') }]);
        },
      };
      const nodeId = freshNode();
      expect(await codeOf(host.notes.apply(approvePlan(made), { ...origin, nodeId }, signal))).toBe('stale');
      bench.hooks = {};
      expect(await bench.dom(last)).toContain('typed meanwhile');
      expect(await having('raced')).toBe(5);
      await host.history.undo(origin.sessionId, nodeId, signal);
      expect(await having('raced')).toBe(0);
      expect(await bench.dom(last)).toContain('typed meanwhile');
      await bench.transact([
        {
          action: 'update',
          id: last,
          data: made.operations[5] ? paragraph(last, 'back with <span data-type="tag">many</span> in it') : '',
        },
      ]);
    },
  );

  it('of which many stand in one long note is read in windows, not block by block', async () => {
    const long = await bench.document('/All', Array.from({ length: 90 }, (_none, index) => `line ${index} with #dense#`).join('\n\n'));
    notes = [long];
    bench.hooks = { before: (path) => void paths.push(path) };
    const made = await plan('dense', 'denser');
    expect(made.operations).toHaveLength(90);
    expect(asked('getBlockDOMs')).toBe(0);
    bench.hooks = {};
    const nodeId = freshNode();
    await applyAs(bench, made, nodeId);
    expect((await bench.markdown(long)).every((line) => line.includes('#denser#'))).toBe(true);
    expect((await undo(nodeId)).conflicts).toEqual([]);
    expect((await bench.markdown(long)).every((line) => line.includes('#dense#'))).toBe(true);
  });
});
