import { describe, expect, it } from 'vitest';
import { parseBlocks } from '../../src/host/blocks/block-dom.ts';
import { forKernel } from '../../src/host/content/marked-text.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { freshNode, paragraph } from './block-support.ts';
import { codeOf, origin, signal, steady, useBench } from './support.ts';

const bench = useBench('delete');
let counter = 0;
const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Content ${process.pid} ${Date.now().toString(36)} ${counter}`, markdown);
};

/** Writes, and expects the write to succeed and Undo to bring back every byte; gives the DOM that stood between. */
async function written(markdown: string): Promise<string> {
  const doc = await newDocument('start');
  const before = steady(await bench.dom(doc));
  const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
  const nodeId = freshNode();
  await bench.apply(plan, undefined, { ...origin, nodeId });
  const doms = await Promise.all(plan.operations.map(({ blockId }) => bench.dom(blockId)));
  expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
  expect(steady(await bench.dom(doc))).toBe(before);
  return doms.join('');
}

const CALLOUT_KINDS = ['注意', '提示', 'my type', '💡', 'Внимание', 'tip', 'NOTE', "it's", 'a"b', '<b>', 'a&b', 'x'.repeat(90)];

describe('a callout', () => {
  it.each(CALLOUT_KINDS)('of the kind %s is written as such, or with the kind in its title', async (kind) => {
    const dom = await written(`a\n\n> [!${kind}] 标题\n> body\n\nb`);
    const [, callout] = parseBlocks(dom);
    expect(callout?.attribs['data-type']).toBe('NodeCallout');
    const words = kind === '<b>' ? [] : [kind];
    for (const word of [...words, '标题', 'body']) expect(dom.replaceAll('&amp;', '&').replaceAll('&quot;', '"')).toContain(word);
  });

  it.each([
    ['Q&A: C++ (a_b_c) 100%', 'Q&A: C++ (a_b_c) 100%'],
    ['*one* **two** `three`', 'one two three'],
  ])('keeps the words of its title: %s', async (title, words) => {
    const dom = await written(`> [!tip] ${title}\n> body`);
    const shown = /callout-title">(.*?)<\/span><\/div>/.exec(dom)?.[1]?.replace(/<[^>]*>/g, '');
    expect(shown?.replaceAll('&amp;', '&').replaceAll('\u200b', '')).toBe(words);
  });
});

describe('what SiYuan stores otherwise than it was sent', () => {
  it('is accepted where its own engine spells it so', async () => {
    const doc = await newDocument('start\n\n| a | b |\n| --- | --- |\n| cell | z |');
    const [, table = ''] = await bench.blocks(doc);
    const sent = (await bench.dom(table)).replace('cell', 'x|y');
    const expectHash = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks[1]?.hash ?? '';
    const plan = await bench.host.notes.planEdit({ id: table, expectHash, edits: [{ old: 'cell', new: 'x\\|y' }] }, 't', signal);
    const nodeId = freshNode();
    const before = steady(await bench.dom(doc));
    await bench.apply(plan, undefined, { ...origin, nodeId });
    expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    expect(steady(await bench.dom(doc))).toBe(before);
    expect(testEngine().stored(forKernel(sent))).toContain('x\\');
  });

  it('is taken back where it is anything else, and nothing is left of it', async () => {
    const doc = await newDocument('start\n\nend');
    const [start = '', end = ''] = await bench.blocks(doc);
    const before = steady(await bench.dom(doc));
    const expectHash = (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 9 }, signal)).blocks[1]?.hash ?? '';
    const edit = await bench.host.notes.planEdit({ id: end, expectHash, markdown: 'changed' }, 't', signal);
    const insert = await bench.host.notes.planInsert({ anchor: start, position: 'after', markdown: 'new' }, 't', signal);
    for (const plan of [edit, insert]) {
      const id = plan.operations[0]?.blockId ?? '';
      bench.hooks = {
        after: async (path) => {
          if (path !== '/api/transactions') return;
          bench.hooks = {};
          // As if the kernel had made this of our own request.
          const doOperations = [{ action: 'update', id, data: paragraph(id, 'something else') }];
          const transactions = [{ doOperations, undoOperations: [] }];
          await bench.api('/api/transactions', { app: 'marginalia', session: 'marginalia-test', reqId: 1, transactions });
        },
      };
      const nodeId = freshNode();
      expect(await codeOf(bench.apply(plan, undefined, { ...origin, nodeId }))).toBe('kernel_refused');
      expect(steady(await bench.dom(doc))).toBe(before);
      expect((await bench.host.history.undo(origin.sessionId, nodeId, signal)).conflicts).toEqual([]);
    }
  });
});
