import { describe, expect, it } from 'vitest';
import type { WriteHistory } from '../tools/contract/ports.ts';
import { resumeHistory } from './resumed-history.ts';

const never = new AbortController().signal;
const NOTHING = { restored: [], conflicts: [] };

/** A window whose pages share a note. */
function windowOf(run: (which: string) => Promise<typeof NOTHING>) {
  let text: string | null = null;
  const done: string[] = [];
  const act =
    (name: string): WriteHistory['undo'] =>
    async (...[sessionId, nodeId, , callId]) => {
      done.push([name, sessionId, nodeId, callId].join(' '));
      return run(name);
    };
  const open = (pageStays: () => Promise<void> = async () => undefined): WriteHistory =>
    resumeHistory(
      {
        state: async () => ({ blocks: done.length, kind: 'exact', undone: false }),
        undo: act('undo'),
        redo: act('redo'),
        changes: async () => [],
        resolve: async () => NOTHING,
      },
      { note: { get: () => text, set: (next) => (text = next) }, pageStays, signal: never },
    );
  return { open, done, note: () => text, put: (next: string | null) => (text = next) };
}

describe('an Undo or Redo that the end of the page cuts off', () => {
  it('is gone on with by the next page, before it tells what stands', async () => {
    let isCut = true;
    const { open, done, note } = windowOf(async () => {
      if (isCut) throw new Error('the page ends');
      return NOTHING;
    });
    const first = open(() => new Promise(() => undefined));
    void first.redo('s', 'n', never, 'c');
    await Promise.resolve();
    isCut = false;
    const next = open();
    expect(await next.state('s', 'n')).toMatchObject({ blocks: 2 });
    expect(done).toEqual(['redo s n c', 'redo s n c']);
    expect(note()).toBeNull();
    await open().state('s', 'n');
    expect(done).toHaveLength(2);
  });

  it('is over where it fails in a page that stays, and is not tried for ever', async () => {
    const { open, done, note, put } = windowOf(async () => {
      throw new Error('no');
    });
    await expect(open().undo('s', 'n', never)).rejects.toThrow('no');
    expect(note()).toBeNull();
    put(JSON.stringify({ action: 'undo', sessionId: 's', nodeId: 'n', pages: 30 }));
    await open().state('s', 'n');
    for (const broken of ['{', '{"action":"format"}', '[]', '{"action":"undo"}']) {
      put(broken);
      await open().state('s', 'n');
    }
    expect(done).toEqual(['undo s n ']);
  });
});
