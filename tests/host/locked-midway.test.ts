// An encrypted notebook of SiYuan 3.8 that is locked while an approved plan is written: by hand, or with the system.
import { describe, expect, it } from 'vitest';
import { realKernelUrl } from './real-kernel.ts';
import { codeOf, origin, signal, steady, useBench } from './support.ts';

const bench = useBench('write');
/** As SiYuan answers each request about a notebook whose key it does not hold. */
const LOCKED = { code: -1, msg: 'encrypted notebook is locked, please unlock it first', data: null };

/** From the nth write on every request for notes is refused; journals, which are not in the notebook, are still saved. */
function lockAfter(writes: number): void {
  let done = 0;
  bench.hooks = {
    instead: (path) => {
      if (path === '/api/transactions') done += 1;
      const isLocked = done > writes && /^\/api\/(?:transactions|block|attr|filetree)/.test(path);
      return isLocked ? Response.json(LOCKED) : undefined;
    },
  };
}

const LINES = Array.from({ length: 70 }, (_, at) => `line ${at}`);

describe.skipIf(realKernelUrl !== undefined)('a notebook that is locked in the middle of a plan', () => {
  it.each([0, 1, 2])('after %i requests: it is said, and Undo after unlocking gives back what was there', async (writes) => {
    const document = await bench.document(`/Locked ${writes}`, 'start\n\nend');
    const [start = ''] = await bench.blocks(document);
    const before = steady(await bench.dom(document));
    const from = { ...origin, nodeId: `locked-${writes}` };
    const plan = await bench.host.notes.planInsert(
      { anchor: start, position: 'after', markdown: LINES.join('\n\n') },
      'insert_blocks',
      signal,
    );
    lockAfter(writes);
    const refused = bench.apply(plan, undefined, from);
    await expect(refused).rejects.toMatchObject({ code: 'outcome_unknown', message: expect.stringContaining('the notebook was locked') });
    await expect(refused).rejects.toMatchObject({ next: expect.stringContaining('ask the user to unlock it') });
    bench.hooks = {};
    const written = (await bench.blocks(document)).length - 2;
    expect(written > 0).toBe(writes > 0);
    expect(written).toBeLessThan(LINES.length);
    expect((await bench.reopen().history.undo(from.sessionId, from.nodeId, signal)).conflicts).toEqual([]);
    expect(steady(await bench.dom(document))).toBe(before);
  });

  it('nothing is read of it, and Undo while it is locked loses nothing', async () => {
    const document = await bench.document('/Locked Undo', 'start');
    const [start = ''] = await bench.blocks(document);
    const before = steady(await bench.dom(document));
    const from = { ...origin, nodeId: 'locked-undo' };
    await bench.apply(
      await bench.host.notes.planInsert({ anchor: start, position: 'after', markdown: 'more' }, 'insert_blocks', signal),
      undefined,
      from,
    );
    lockAfter(-1);
    expect(await codeOf(bench.host.notes.document({ id: document }, { start: 0, blocks: 9 }, signal))).not.toBe('no error');
    await bench.host.history.undo(from.sessionId, from.nodeId, signal).catch(() => undefined);
    bench.hooks = {};
    expect((await bench.reopen().history.undo(from.sessionId, from.nodeId, signal)).conflicts).toEqual([]);
    expect(steady(await bench.dom(document))).toBe(before);
  });
});
