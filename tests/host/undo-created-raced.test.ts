import { describe, expect, it } from 'vitest';
import { approvePlan } from '../../src/tools/contract/plans.ts';
import { freshNode, paragraph } from './block-support.ts';
import { origin, signal, useBench } from './support.ts';

const bench = useBench('delete');
let made = 0;

async function madeNote(): Promise<{ readonly nodeId: string; readonly note: string; readonly inner: string }> {
  const nodeId = freshNode();
  made += 1;
  const markdown = '- one\n  - two\n\nthree';
  const plan = await bench.host.notes.planCreateDocument({ notebook: bench.notebook, path: `/Raced ${made}`, markdown }, 't', signal);
  const { documentId = '' } = await bench.host.notes.apply(approvePlan(plan), { ...origin, nodeId }, signal);
  const inner = /data-node-id="([^"]+)"[^>]*data-type="NodeParagraph"/.exec(
    await bench.dom((await bench.blocks(documentId))[0] ?? ''),
  )?.[1];
  return { nodeId, note: documentId, inner: inner ?? '' };
}

const types = (id: string): Promise<void> => bench.transact([{ action: 'update', id, data: paragraph(id, 'typed meanwhile') }]);
const inserts = (previousID: string): Promise<void> => {
  const id = `20200101000000-${String(made).padStart(7, 'a')}`;
  return bench.transact([{ action: 'insert', id, data: paragraph(id, 'typed meanwhile'), previousID }]);
};

/** Undoes the making of a note while somebody writes in it before the nth request; the paths of all requests, but for those of the journal. */
async function undoWhile(write: (id: string) => Promise<void>, isMoment: (path: string, count: number) => boolean) {
  const { nodeId, note, inner } = await madeNote();
  const asked: string[] = [];
  const host = bench.reopen();
  let wrote = false;
  bench.hooks = {
    before: async (path) => {
      // One for each earlier message.
      if (path.startsWith('/api/file/')) return;
      asked.push(path);
      if (wrote || !isMoment(path, asked.length)) return;
      wrote = true;
      await write(inner);
    },
  };
  const { conflicts } = await host.history.undo(origin.sessionId, nodeId, signal);
  bench.hooks = {};
  const isThere = await bench.api<boolean>('/api/block/checkBlockExist', { id: note });
  return { asked, wrote, conflicts, text: isThere ? (await bench.markdown(note)).join('\n') : '' };
}

describe('Undo of a note that was made, in which somebody writes meanwhile', () => {
  it.each([
    ['into a block of it', types],
    ['a block into it', inserts],
  ])(
    'keeps what they write %s, whichever request it comes before',
    async (_what, write) => {
      const { asked } = await undoWhile(write, () => false);
      const removal = asked.indexOf('/api/filetree/removeDocByID') + 1;
      expect(removal).toBeGreaterThan(0);
      for (let nth = 1; nth <= removal; nth += 1) {
        const { wrote, text, conflicts } = await undoWhile(write, (_path, count) => count === nth);
        expect({ nth, wrote, isKept: `${text}${JSON.stringify(conflicts)}`.includes('typed meanwhile') }).toEqual({
          nth,
          wrote: true,
          isKept: true,
        });
      }
    },
    120_000,
  );

  it('removes it where they write elsewhere in that moment', async () => {
    const other = await bench.document('/Elsewhere', 'here');
    const [block = ''] = await bench.blocks(other);
    const { text, conflicts } = await undoWhile(
      () => types(block),
      (path) => path === '/api/filetree/removeDocByID',
    );
    expect({ text, conflicts }).toEqual({ text: '', conflicts: [] });
    expect(await bench.markdown(other)).toEqual(['typed meanwhile']);
  });
});
