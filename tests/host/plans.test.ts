import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InsertPosition } from '../../src/tools/contract/ports.ts';
import { codeOf, origin, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
let counter = 0;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

const newDocument = (markdown: string): Promise<string> => {
  counter += 1;
  return bench.document(`/Plan ${counter}`, markdown);
};
const hashOf = async (doc: string, id: string): Promise<string> =>
  (await bench.host.notes.document({ id: doc }, { start: 0, blocks: 99 }, signal)).blocks.find((block) => block.id === id)?.hash ?? '';
const childIds = async (id: string): Promise<string[]> => bench.blocks(id);
const kramdown = async (id: string): Promise<string> =>
  (await bench.api<{ kramdown: string }>('/api/block/getBlockKramdown', { id, mode: 'md' })).kramdown
    .replace(/\s*\{: [^}]*\}/g, '')
    .replaceAll('\u200b', '');

/** Inserts, checks the result, undoes it, checks that all is as before. */
async function insert(doc: string, anchor: string, position: InsertPosition, markdown: string): Promise<string[]> {
  const before = steady(await bench.dom(doc));
  const kramdownBefore = await kramdown(doc);
  const node = `insert-${counter}-${Math.random()}`;
  const plan = await bench.host.notes.planInsert({ anchor, position, markdown }, 'insert_blocks', signal);
  await bench.apply(plan, undefined, { ...origin, nodeId: node });
  const result = await bench.markdown(doc);
  expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
  expect(steady(await bench.dom(doc))).toBe(before);
  expect(await kramdown(doc)).toBe(kramdownBefore);
  return result;
}

describe('where inserts go', () => {
  it('at a document, a paragraph and a heading', async () => {
    const doc = await newDocument('# A\n\na1\n\n## B\n\nb1\n\n# C\n\nc1');
    const [a, a1, b, , c] = await bench.blocks(doc);
    const base = ['# A', 'a1', '## B', 'b1', '# C', 'c1'];
    const at = (index: number): string[] => [...base.slice(0, index), 'x', 'y', ...base.slice(index)];
    expect(await insert(doc, doc, 'prepend', 'x\n\ny')).toEqual(at(0));
    expect(await insert(doc, doc, 'append', 'x\n\ny')).toEqual(at(6));
    expect(await insert(doc, a1!, 'before', 'x\n\ny')).toEqual(at(1));
    expect(await insert(doc, a1!, 'after', 'x\n\ny')).toEqual(at(2));
    expect(await insert(doc, a1!, 'append', 'x\n\ny')).toEqual(at(2));
    expect(await insert(doc, a!, 'before', 'x\n\ny')).toEqual(at(0));
    expect(await insert(doc, a!, 'prepend', 'x\n\ny')).toEqual(at(1));
    expect(await insert(doc, a!, 'append', 'x\n\ny')).toEqual(at(4));
    expect(await insert(doc, b!, 'append', 'x\n\ny')).toEqual(at(4));
    expect(await insert(doc, c!, 'append', 'x\n\ny')).toEqual(at(6));
    expect(await codeOf(bench.host.notes.planInsert({ anchor: doc, position: 'after', markdown: 'x' }, 't', signal))).toBe('bad_id');
  });

  it('in lists, as items in the style of the list', async () => {
    const doc = await newDocument('* one\n* two\n\n1. first\n\n- [x] done');
    const [ul, ol, tasks] = await bench.blocks(doc);
    const [one] = await childIds(ul!);
    const [done] = await childIds(tasks!);
    expect((await insert(doc, one!, 'after', '- new\n- newer'))[0]).toBe('- one\n- new\n- newer\n- two');
    expect((await insert(doc, one!, 'before', 'plain text'))[0]).toBe('- plain text\n- one\n- two');
    expect((await insert(doc, ul!, 'append', '- three'))[0]).toBe('- one\n- two\n- three');
    expect((await insert(doc, ul!, 'prepend', '- zero\n  - deep'))[0]).toBe('- zero\n\n  - deep\n- one\n- two');
    expect((await insert(doc, ol!, 'append', 'second'))[1]).toMatch(/^1\. first\n\d\. second$/);
    expect((await insert(doc, done!, 'after', 'open'))[2]).toBe('- [X] done\n- [ ] open');
    expect((await insert(doc, one!, 'append', 'more about one'))[0]).toBe('- one\n\n  more about one\n- two');
    expect((await insert(doc, ul!, 'after', '- another list'))[1]).toBe('- another list');
    // SiYuan would make a task list of the whole, and leave it so.
    expect((await insert(doc, one!, 'before', '- [x] ready'))[0]).toBe('- ready\n- one\n- two');
    expect((await insert(doc, one!, 'before', '---\n\n1. a\n\n> [!NOTE]\n> b'))[0]).toContain('- ---\n\n  1. a\n\n  > [!NOTE]\n  > b');
    expect((await insert(doc, done!, 'after', '```\ncode\n```\n\nend'))[2]).toContain('- [ ] \n\n  ```\n  code\n  ```\n  end');
  });

  it('in quotes and super blocks', async () => {
    const doc = await newDocument('> quote\n\n{{{row\nleft\n\nright\n}}}');
    const [quote, row] = await bench.blocks(doc);
    expect((await insert(doc, quote!, 'append', 'more'))[0]).toBe('> quote\n>\n> more');
    expect((await insert(doc, quote!, 'prepend', 'first'))[0]).toMatch(/^> first\n>\n> quote/);
    expect((await insert(doc, row!, 'prepend', 'first'))[1]).toMatch(/first\n\nleft\n\nright/);
    expect((await insert(doc, row!, 'append', 'last'))[1]).toMatch(/left\n\nright\n\nlast/);
    const [, right] = await childIds(row!);
    expect((await insert(doc, right!, 'before', 'middle'))[1]).toMatch(/left\n\nmiddle\n\nright/);
  });

  it('writes more than 31 blocks in several requests, in order, and undoes them', async () => {
    const doc = await newDocument('start\n\nend');
    const [start] = await bench.blocks(doc);
    const lines = Array.from({ length: 75 }, (_unused, index) => `paragraph ${index}`);
    let requests = 0;
    bench.hooks = {
      before: (path) => {
        if (path === '/api/transactions') requests += 1;
      },
    };
    expect(await insert(doc, start!, 'after', lines.join('\n\n'))).toEqual(['start', ...lines, 'end']);
    bench.hooks = {};
    expect(requests).toBe(6);
  });

  it('refuses empty, unsafe and huge text before anything is written', async () => {
    const doc = await newDocument('start');
    const plan = (markdown: string): Promise<string> =>
      codeOf(bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 't', signal));
    expect(await plan(' \n')).toBe('empty_text');
    expect(await plan('```plantuml\nx\n```')).toBe('unsafe_markdown');
    expect(await plan('x'.repeat(1_000_000))).toBe('too_large');
    expect(await bench.markdown(doc)).toEqual(['start']);
  });

  it('carries over what the filter changed, and turns references it cannot see into text', async () => {
    const doc = await newDocument('start');
    const [start] = await bench.blocks(doc);
    const markdown = `![shot](http://evil.example/?d=1) ((${start} "real")) ((20200101000000-zzzzzzz "ghost"))`;
    const plan = await bench.host.notes.planInsert({ anchor: doc, position: 'append', markdown }, 't', signal);
    expect(plan.notices).toEqual([
      { code: 'remote-image-linked', count: 1 },
      { code: 'unknown-reference', count: 1 },
    ]);
    await bench.apply(plan);
    expect((await bench.markdown(doc))[1]).toBe(`[shot](http://evil.example/?d=1) ((${start} "real")) ghost`);
  });
});

describe('edits', () => {
  async function edit(
    doc: string,
    id: string,
    change: { edits: { old: string; new: string }[] } | { markdown: string },
  ): Promise<string[]> {
    const before = steady(await bench.dom(id));
    const node = `edit-${counter}-${Math.random()}`;
    const plan = await bench.host.notes.planEdit({ id, expectHash: await hashOf(doc, id), ...change }, 'edit_block', signal);
    await bench.apply(plan, undefined, { ...origin, nodeId: node });
    const result = await bench.markdown(doc);
    expect((await bench.host.history.undo(origin.sessionId, node, signal)).conflicts).toEqual([]);
    expect(steady(await bench.dom(id))).toBe(before);
    return result;
  }

  it.each([
    ['# Head', { edits: [{ old: 'Head', new: 'Title' }] }, ['# Title']],
    [
      'a **b** c',
      {
        edits: [
          { old: '**b**', new: '*d*' },
          { old: 'c', new: 'e' },
        ],
      },
      ['a *d* e'],
    ],
    ['```js\nlet a = 1;\n```', { edits: [{ old: '1', new: '2' }] }, ['```js\nlet a = 2;\n```']],
    ['| a | b |\n| - | - |\n| 1 | 2 |', { edits: [{ old: '1', new: '3' }] }, ['|a|b|\n| ---| ---|\n|3|2|']],
    ['$$\nx^2\n$$', { markdown: '$$\ny^2\n$$' }, ['$$\ny^2\n$$']],
    ['plain', { markdown: '## now a heading' }, ['## now a heading']],
    ['one', { markdown: 'one\n\ntwo\n\n- three' }, ['one', 'two', '- three']],
    ['- a\n- b\n- c', { edits: [{ old: 'b', new: 'B' }] }, ['- a\n- B\n- c']],
    ['- a\n- b\n- c', { markdown: '- a\n- b2\n- x\n- c' }, ['- a\n- b2\n- x\n- c']],
    ['- [ ] a\n- [ ] b', { edits: [{ old: '- [ ] b', new: '- [x] b' }] }, ['- [ ] a\n- [X] b']],
    ['> q\n> r', { edits: [{ old: 'r', new: 's' }] }, ['> q\n> s']],
    ['see #tag# and `code` end', { edits: [{ old: 'and `code`', new: 'or `x`' }] }, ['see #tag# or `x` end']],
  ])('%s', async (markdown, change, expected) => {
    const doc = await newDocument(markdown);
    const [id] = await bench.blocks(doc);
    expect(await edit(doc, id!, change)).toEqual(expected);
  });

  it('keeps items of a list, their ids and their attributes', async () => {
    const doc = await newDocument('- a\n- b\n- c');
    const [list] = await bench.blocks(doc);
    const items = await childIds(list!);
    await bench.api('/api/attr/setBlockAttrs', { id: items[1], attrs: { 'custom-mine': 'yes', bookmark: 'bm' } });
    await bench.api('/api/attr/setBlockAttrs', { id: list, attrs: { name: 'my list' } });
    const plan = await bench.host.notes.planEdit(
      { id: list!, expectHash: await hashOf(doc, list!), markdown: '- a\n- b changed\n- new\n- c' },
      't',
      signal,
    );
    await bench.apply(plan);
    const now = await childIds(list!);
    expect([now[0], now[1], now[3]]).toEqual(items);
    expect(await bench.api('/api/attr/getBlockAttrs', { id: items[1] })).toMatchObject({ 'custom-mine': 'yes', bookmark: 'bm' });
    expect(await bench.api('/api/attr/getBlockAttrs', { id: list })).toMatchObject({ name: 'my list' });
    expect(await bench.markdown(doc)).toEqual(['- a\n- b changed\n- new\n- c']);
  });

  it('edits one item as an item', async () => {
    const doc = await newDocument('- a\n- b');
    const [list] = await bench.blocks(doc);
    const [, item] = await childIds(list!);
    const expectHash = async (): Promise<string> => {
      const run = bench.host.notes.planEdit({ id: item!, expectHash: 'unknown!', markdown: 'x' }, 't', signal);
      return run.then(
        () => '',
        (error: { next?: string }) => /expectHash (\w+)/.exec(error.next ?? '')?.[1] ?? '',
      );
    };
    const plan = await bench.host.notes.planEdit({ id: item!, expectHash: await expectHash(), markdown: '- b2\n- b3' }, 't', signal);
    await bench.apply(plan);
    expect(await bench.markdown(doc)).toEqual(['- a\n- b2\n- b3']);
    const hash = await expectHash();
    expect(await codeOf(bench.host.notes.planEdit({ id: item!, expectHash: hash, markdown: 'bare paragraph' }, 't', signal))).toBe(
      'not_markdown_safe',
    );
  });

  it('has a code for edits that match nothing, twice, or change nothing, and for documents', async () => {
    const doc = await newDocument('one two two');
    const [id] = await bench.blocks(doc);
    const expectHash = await hashOf(doc, id!);
    const plan = (edits: { old: string; new: string }[]): Promise<string> =>
      codeOf(bench.host.notes.planEdit({ id: id!, expectHash, edits }, 't', signal));
    expect(await plan([{ old: 'three', new: 'x' }])).toBe('no_match');
    expect(await plan([{ old: 'two', new: 'x' }])).toBe('many_matches');
    expect(await plan([{ old: 'one', new: 'one' }])).toBe('no_match');
    expect(await codeOf(bench.host.notes.planEdit({ id: id!, expectHash, markdown: '' }, 't', signal))).toBe('empty_text');
    expect(await codeOf(bench.host.notes.planEdit({ id: doc, expectHash, markdown: 'x' }, 't', signal))).toBe('bad_id');
  });
});
