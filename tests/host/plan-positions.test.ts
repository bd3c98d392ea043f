import { describe, expect, it } from 'vitest';
import { hashOfBlock } from '../../src/host/blocks/block-hash.ts';
import type { InsertPosition } from '../../src/tools/contract/ports.ts';
import { signal, useBench } from './support.ts';

const bench = useBench('delete');

const inserted = async (anchor: string, position: InsertPosition) =>
  (await bench.host.notes.planInsert({ anchor, position, markdown: 'new' }, 't', signal)).operations.map((each) => each.position?.after);

describe('where inserted blocks go', () => {
  it('is part of the plan: beside a block, in a section, a list, at the ends of a note', async () => {
    const doc = await bench.document('/Where', 'intro › words\n\n# Plan\n\ntext\n\n- item');
    const [intro = '', plan = '', , list = ''] = await bench.blocks(doc);
    const path = ['Where'];
    expect(await inserted(doc, 'prepend')).toEqual([{ path, at: 'start' }]);
    expect(await inserted(doc, 'append')).toEqual([{ path, at: 'end' }]);
    const words = { type: 'p', words: 'intro › words' };
    expect(await inserted(intro, 'before')).toEqual([{ path, at: 'before', block: words }]);
    expect(await inserted(intro, 'after')).toEqual([{ path, at: 'after', block: words }]);
    expect(await inserted(plan, 'append')).toEqual([{ path, at: 'end', block: { type: 'h', words: 'Plan' } }]);
    expect(await inserted(plan, 'prepend')).toEqual([{ path, at: 'after', block: { type: 'h', words: 'Plan' } }]);
    expect(await inserted(list, 'append')).toEqual([{ path, at: 'end', block: { type: 'l', words: 'item' } }]);
  });

  it('is said of what an edit and a rewrite add, too', async () => {
    const doc = await bench.document('/Grows', 'one\n\ntwo');
    const [one = ''] = await bench.blocks(doc);
    const edited = await bench.host.notes.planEdit(
      { id: one, expectHash: hashOfBlock(await bench.dom(one)), markdown: 'ONE\n\nmore' },
      't',
      signal,
    );
    expect(edited.operations.map(({ action, position }) => [action, position?.after])).toEqual([
      ['update', undefined],
      ['insert', { path: ['Grows'], at: 'after', block: { type: 'p', words: 'ONE' } }],
    ]);
    const rewritten = await bench.host.notes.planRewrite({ id: doc, markdown: 'zero\n\none\n\nhalf\n\nquarter\n\ntwo' }, 't', signal);
    expect(rewritten.operations.map(({ after, position }) => [after, position?.after])).toEqual([
      ['zero', { path: ['Grows'], at: 'start' }],
      ['half', { path: ['Grows'], at: 'after', block: { type: 'p', words: 'one' } }],
      ['quarter', { path: ['Grows'], at: 'after', block: { type: 'p', words: 'half' } }],
    ]);
  });
});
