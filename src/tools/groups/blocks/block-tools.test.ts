import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, openNotes } from '../../../../tests/host/open-notes.ts';
import type { ApprovalDecision } from '../../contract/types.ts';
import { TOOL_NOTEBOOKS } from '../../testing/tool-samples.ts';
import { formatBlocks } from '../common/format-reading.ts';
import { readId } from '../common/note-tool.ts';

const open = (decision: ApprovalDecision = { approved: true }) => openNotes({ notebooks: TOOL_NOTEBOOKS, decision });

afterEach(closeNotes);

describe('read_block', () => {
  it('gives a block, its section, its context, and how to read on', async () => {
    const { call, text, block, id, hash } = await open();
    const blocks = [0, 1, 2, 3, 4].map((index) => block('/Apollo', index));
    const head = `# Apollo [${id('/Apollo')}] /Apollo in Work`;
    const line = (index: number) => `@@${blocks[index]!.id}@@${blocks[index]!.type}#${hash(blocks[index]!)} ${blocks[index]!.markdown}`;
    const self = await call('read_block', { id: blocks[1]!.id });
    expect(self.formattedText).toBe(`${head}\n${line(1)}`);
    expect(self.blockIds).toEqual([id('/Apollo'), blocks[1]!.id]);
    expect(await text('read_block', { id: blocks[2]!.id, range: 'children' })).toContain(`@@${blocks[3]!.id}@@l`);
    expect(await text('read_block', { id: blocks[0]!.id, range: 'after', limit: 2 })).toBe(
      `${head}\n${line(1)}\n${line(2)}\n(2 more blocks)\nnext: read_block id=${blocks[2]!.id} range=after limit=2`,
    );
    expect(await text('read_block', { id: blocks[4]!.id, range: 'before', limit: 1 })).toContain(
      `(3 more blocks)\nnext: read_block id=${blocks[3]!.id} range=before limit=1`,
    );
    expect(await text('read_block', { id: blocks[2]!.id, range: 'context', limit: 3 })).toContain('Launch in May');
    expect(await text('read_block', { id: blocks[1]!.id, range: 'children' })).toBe(`${head}\n(no blocks here)`);
    const plain = await call('read_block', { id: blocks[1]!.id, format: 'text' });
    expect([plain.formattedText, plain.blockIds]).toEqual([`${head}\nLaunch in May. #space#`, [id('/Apollo')]]);
    for (const limit of [0, -1]) {
      expect(await text('read_block', { id: blocks[0]!.id, range: 'after', limit })).toBe(
        await text('read_block', { id: blocks[0]!.id, range: 'after', limit: 200 }),
      );
    }
  });

  it('takes an id as it stood in a result, and only one', () => {
    const id = '20240131120000-abc1234';
    for (const text of [id, ` ${id} `, `[${id}]`, `@@${id}@@p#1a2b3c4d`, `((${id} "words"))`, `siyuan://blocks/${id}`])
      expect(readId(text)).toBe(id);
    for (const text of ['', 'abc', `${id}5`, `${id} 20240131120000-abc1235`, `2${id}`, '20240131120000-ABC1234']) {
      expect(() => readId(text)).toThrow('is not a block id');
    }
  });

  it('finds the line of each item, whatever stands between, and loses none', () => {
    const item = (id: string, markdown: string) => ({ id, hash: 'h', depth: 0, markdown });
    const markdown = '1. one\n   more of one\n   - [x] done\n2. one\n\n   - \n3) last';
    const items = [item('a', 'one'), item('b', 'done'), item('c', 'one'), item('d', ''), item('e', 'last'), item('f', 'elsewhere')];
    const block = { id: 'L', type: 'l', subtype: 'o', hash: 'h', markdown, items };
    const { lines, blockIds } = formatBlocks([block], { tokens: 1000, showIds: true });
    expect(lines[0]?.split('\n')).toEqual([
      '@@L@@l#h',
      '@@a@@i#h 1. one',
      '   more of one',
      '@@b@@i#h    - [x] done',
      '@@c@@i#h 2. one',
      '',
      '@@d@@i#h    - ',
      '@@e@@i#h 3) last',
      '@@f@@i#h elsewhere',
    ]);
    expect(blockIds).toEqual(['L', 'a', 'b', 'c', 'd', 'e', 'f']);
  });
});

describe('block_info', () => {
  it('says where blocks stand, never shows what is ours, and fails only when all fail', async () => {
    const { call, text, block, id, add, setAttributes, notebook } = await open();
    const launch = block('/Apollo', 1);
    const attributes = { name: 'start', 'custom-avs': 'db1,db2', 'custom-marginalia-source': 's/n/c', memo: 'two\nlines' };
    await setAttributes(launch.id, attributes);
    await add(notebook('Work'), '/See', `See ((${launch.id} "launch")).`);
    const result = await call('block_info', { ids: [launch.id, '20990101000000-zzzzzzz'] });
    expect(result.formattedText?.split('\n')).toEqual([
      `[${launch.id}] p in /Apollo [${id('/Apollo')}], Work`,
      `  at: Apollo [${id('/Apollo')}] › Plan [${block('/Apollo', 0).id}] › Launch in May. space [${launch.id}]`,
      '  backlinks: 1',
      '  custom-avs = db1,db2',
      `  id = ${launch.id}`,
      '  memo = two\\nlines',
      '  name = start',
      expect.stringMatching(/^ {2}updated = \d{14}$/u),
      '  databases: db1, db2',
      '[20990101000000-zzzzzzz] not_found: 20990101000000-zzzzzzz may not be read, or is gone → look for it again; it may be gone, in a closed notebook, or kept private',
    ]);
    expect(result.blockIds).toEqual([launch.id, id('/Apollo'), block('/Apollo', 0).id]);
    expect(await text('block_info', { ids: ['20990101000000-zzzzzzz'] })).toMatch(/^not_found/u);
  });
});

describe('changing blocks', () => {
  it('edit_block changes one list item by its own id', async () => {
    const { text, block } = await open();
    const item = block('/Apollo', 3).items![1]!;
    expect(await text('edit_block', { id: item.id, expectHash: item.hash, edits: [{ old: 'Li', new: 'Mei' }] })).toContain(
      `edited ${item.id}`,
    );
    expect(block('/Apollo', 3).markdown).toBe('- Anna\n\n  - backup: Mei\n- Boris');
    expect(block('/Apollo', 3).items!.map(({ id }) => id)).toContain(item.id);
  });

  it('move_blocks gives the final order, after a block or at the end of a document', async () => {
    const { text, block, document, id, asked, notebook } = await open();
    const [plan, launch, crew] = [0, 1, 2].map((index) => block('/Apollo', index));
    const moved = await text('move_blocks', { ids: [plan!.id, launch!.id], after: crew!.id });
    expect(
      document('/Apollo')
        .blocks.slice(0, 3)
        .map((entry) => entry.id),
    ).toEqual([crew!.id, plan!.id, launch!.id]);
    expect(moved).toContain('moved 2 blocks into /Apollo');
    expect(moved).toContain(
      `order: ${document('/Apollo')
        .blocks.map((entry) => entry.id)
        .join(', ')}`,
    );
    expect(asked[0]).toMatchObject({
      scope: notebook('Work'),
      plan: { operations: [{ position: { before: { path: ['Apollo'] }, after: { at: 'after', block: { words: 'Crew' } } } }, {}] },
    });
    await text('move_blocks', { ids: [crew!.id], parent: id('/Zeta') });
    expect(document('/Zeta').blocks.map(({ markdown }) => markdown)).toEqual(['Launch party. #space#', '## Crew']);
    expect(await text('move_blocks', { ids: [plan!.id] })).toMatch(/^bad_arguments: give either parent or after/u);
    expect(await text('move_blocks', { ids: [plan!.id], parent: id('/Zeta'), after: crew!.id })).toMatch(/^bad_arguments/u);
    expect(await text('move_blocks', { ids: [plan!.id], after: plan!.id })).toMatch(/^bad_target/u);
  });

  it('move_blocks is no failure when the look at the order fails', async () => {
    const { call, notes, block, id } = await open();
    const blocks = notes.blocks.bind(notes);
    notes.blocks = async (query, signal) => blocks({ ...query, id: '20990101000000-zzzzzzz' }, signal);
    const result = await call('move_blocks', { ids: [block('/Apollo', 0).id], parent: id('/Zeta') });
    expect(result).toMatchObject({ status: 'success', formattedText: expect.stringContaining('order: could not be read') });
  });

  it('delete_blocks gives the removed text, asks every time and cites nothing that is gone', async () => {
    const { call, asked, block, document } = await open({ approved: true, remember: true });
    const launch = block('/Apollo', 1);
    const result = await call('delete_blocks', { ids: [launch.id, launch.id] });
    expect(result.formattedText).toBe(`deleted from /Apollo\n- [${launch.id}] Launch in May. #space#\nundo: exact`);
    expect(result.blockIds).toEqual([]);
    await call('delete_blocks', { ids: [block('/Apollo', 1).id] });
    expect(asked.map(({ scope }) => scope)).toEqual([undefined, undefined]);
    expect(document('/Apollo').blocks).toHaveLength(3);
  });

  it('rewrite_doc keeps unchanged blocks and says what it did', async () => {
    const { call, text, block, document, id, asked, hide } = await open();
    const before = document('/Apollo').blocks;
    const markdown = '# Plan\n\nLaunch in June.\n\n## Crew\n\n- Anna\n- Boris\n\nThe end.';
    await hide(before[4]!.id);
    const result = await call('rewrite_doc', { id: id('/Apollo'), markdown });
    expect(result.formattedText).toContain('rewrote /Apollo (changed 2, added 1 blocks) [');
    expect(result.formattedText).toContain('note: hidden-kept (1)');
    expect(asked[0]?.scope).toBeUndefined();
    expect(
      document('/Apollo')
        .blocks.slice(0, 4)
        .map((entry) => entry.id),
    ).toEqual(before.slice(0, 4).map((entry) => entry.id));
    expect(block('/Apollo', 1).markdown).toBe('Launch in June.');
    expect(await text('rewrite_doc', { id: id('/Apollo'), markdown })).toMatch(/^no_change/u);
    const shorter = await call('rewrite_doc', { id: id('/Apollo'), markdown: '# Plan' });
    expect(shorter.formattedText).toContain('(deleted 4 blocks)');
    expect(shorter.blockIds).toEqual([id('/Apollo')]);
  });

  it('keeps long texts out of the log', async () => {
    const { executor } = await open();
    const compress = executor.getTool('rewrite_doc')!.compressArgs!;
    expect(compress({ id: 'x', markdown: 'Short.' })).toBe('{"id":"x","markdown":"Short."}');
    expect(compress({ id: 'x', markdown: 'word '.repeat(100) })).toMatch(/^\{"id":"x","markdown":"word .+… \(500 characters\)"\}$/u);
  });
});
