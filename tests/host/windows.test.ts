import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

/** Readings fetch what was asked for, in few requests, and judge it as the kernel has it now. */
let bench: TestBench;
let long = '';
let ids: string[] = [];
const paths: string[] = [];
const PARAGRAPHS = 120;

beforeAll(async () => {
  bench = await startBench();
  bench.hooks = { before: (path) => void paths.push(path) };
  const parts = Array.from({ length: PARAGRAPHS }, (_part, index) => {
    if (index % 30 === 0) return `## Part ${index}`;
    return index % 10 === 3 ? `- item ${index}\n  - inner ${index}\n- other` : `paragraph ${index}`;
  });
  long = await bench.document('/Long', parts.join('\n\n'));
  ids = await bench.blocks(long);
  await bench.document('/Refers', `((${ids[50]} "there"))`);
});
afterAll(() => bench.close());
beforeEach(() => void paths.splice(0));

const read = (start: number, blocks: number, id = long) => bench.host.notes.document({ id }, { start, blocks }, signal);
const setAccess = (id: string | undefined, value: string): Promise<unknown> =>
  bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': value } });
/** What walks through a whole document for each id, or answers all of it. */
const walks = (): readonly string[] => paths.filter((path) => /getChildBlocks|getBlockDOM|getBlockTreeInfos/.test(path));

describe('a window of a note', () => {
  it('has exactly those blocks, with the hashes that an edit expects, and fetches nothing else', async () => {
    for (const [start, count] of [
      [0, 12],
      [45, 20],
      [PARAGRAPHS - 3, 9],
    ] as const) {
      paths.splice(0);
      const { blocks, totalBlocks, outline } = await read(start, count);
      expect(blocks.map(({ id }) => id)).toEqual(ids.slice(start, start + count));
      expect([totalBlocks, outline.length]).toEqual([PARAGRAPHS, 4]);
      expect(walks()).toEqual([]);
      expect(paths.length).toBeLessThanOrEqual(10);
    }
    expect((await read(PARAGRAPHS, 5)).blocks).toEqual([]);
    // Referred to elsewhere, which the kernel shows in a window and not in the block alone.
    const [referred] = (await read(50, 1)).blocks;
    const [alone] = (await bench.host.notes.blocks({ id: ids[50] ?? '', range: 'self', limit: 1 }, signal)).blocks;
    expect(referred).toEqual(alone);
    const edit = { id: ids[50] ?? '', expectHash: referred?.hash ?? '', edits: [{ old: 'paragraph', new: 'words' }] };
    expect(await codeOf(bench.host.notes.planEdit(edit, 'edit_block', signal))).toBe('no error');
  });

  it('counts as hidden what the heading above it guards, as soon as it does', async () => {
    await setAccess(ids[30], 'none');
    const inside = await read(45, 10);
    expect([inside.blocks.length, inside.hidden]).toEqual([0, 10]);
    const across = await read(55, 10);
    expect(across.blocks.map(({ id }) => id)).toEqual(ids.slice(60, 65));
    expect(across.outline.map(({ text }) => text)).toEqual(['Part 0', 'Part 60', 'Part 90']);
    expect(await codeOf(bench.host.notes.blocks({ id: ids[45] ?? '', range: 'after', limit: 2 }, signal))).toBe('not_found');
    const after = await bench.host.notes.blocks({ id: ids[28] ?? '', range: 'after', limit: 4 }, signal);
    expect([after.blocks.length, after.hidden]).toEqual([1, 3]);
    await setAccess(ids[30], '');
    expect((await read(45, 10)).hidden).toBe(0);
  });

  it('includes what a folded heading hides', async () => {
    const fold = (action: string) => bench.transact([{ action, id: ids[60] }]);
    await fold('foldHeading');
    const folded = await read(55, 20);
    expect(folded.blocks.map(({ id }) => id)).toEqual(ids.slice(55, 75));
    expect((await bench.host.notes.exportMarkdown({ id: long }, signal)).markdown).toContain('paragraph 65');
    await fold('unfoldHeading');
  });

  it('surrounds a block in the middle, before and after it', async () => {
    const around = (range: 'context' | 'before' | 'after' | 'children', limit: number, index: number) =>
      bench.host.notes.blocks({ id: ids[index] ?? '', range, limit }, signal);
    const shown = async (...asked: Parameters<typeof around>) => {
      const { blocks, more } = await around(...asked);
      return [blocks.map(({ id }) => ids.indexOf(id)), more];
    };
    expect(await shown('context', 5, 80)).toEqual([[78, 79, 80, 81, 82], 0]);
    expect(await shown('context', 5, 119)).toEqual([[115, 116, 117, 118, 119], 0]);
    expect(await shown('before', 3, 80)).toEqual([[77, 78, 79], 77]);
    expect(await shown('after', 3, 80)).toEqual([[81, 82, 83], 36]);
    expect(await shown('children', 2, 60)).toEqual([[61, 62], 27]);
    expect(walks()).toEqual([]);
  });
});

describe('a whole note', () => {
  it('is searched and exported from the index, in the order of the note, whatever has been moved in it', async () => {
    await bench.transact([{ action: 'move', id: ids[119], previousID: ids[0] }]);
    paths.splice(0);
    const order = await bench.blocks(long);
    const found = await bench.host.notes.grep({ id: long, pattern: 'inner', regex: false, limit: 3 }, signal);
    expect(found).toMatchObject({ total: 12, hidden: 0 });
    expect(found.matches.map(({ index, line, type }) => [index, line, type])).toEqual(
      [3, 13, 23].map((place) => [order.indexOf(ids[place] ?? ''), `inner ${place}`, 'i']),
    );
    const { markdown } = await bench.host.notes.exportMarkdown({ id: long }, signal);
    // As it is read block by block.
    const { blocks } = await read(0, PARAGRAPHS);
    expect(markdown).toBe(blocks.map((block) => block.markdown).join('\n\n'));
    expect(walks()).toEqual([]);
  });

  it('withholds what is guarded inside its lists, and the text that a reference shows', async () => {
    const hidden = await bench.document('/Hidden', 'the SECRET words');
    const [secret] = await bench.blocks(hidden);
    const note = await bench.document(
      '/Shows',
      `- open\n- kept\n\nshows ((${secret} 'the SECRET words'))\n\n| a | b |\n| - | - |\n| 1 | 2 |`,
    );
    const [list = ''] = await bench.blocks(note);
    const items = await bench.api<{ id: string }[]>('/api/block/getChildBlocks', { id: list });
    await setAccess(items[1]?.id, 'none');
    await setAccess(hidden, 'none');
    const text = await bench.host.notes.exportMarkdown({ id: note }, signal);
    expect(text.markdown).not.toMatch(/SECRET|kept/);
    expect(text.markdown).toContain('shows unavailable');
    expect(text).toMatchObject({ hidden: 1 });
    const grep = (pattern: string) => bench.host.notes.grep({ id: note, pattern, regex: false, limit: 9 }, signal);
    expect(await grep('secret')).toMatchObject({ total: 0, hidden: 1 });
    expect((await grep('kept')).total).toBe(0);
    expect((await grep('unavailable')).total).toBe(1);
    expect((await grep('| 1')).total).toBe(1);
  });
});

describe('several notes', () => {
  it('are read at once; if one cannot be read, it says why', async () => {
    const second = await bench.document('/Second', 'two');
    paths.splice(0);
    const range = { start: 0, blocks: 2 };
    const addresses = [{ id: long }, { id: '20200101000000-zzzzzzz' }, { path: '/Second' }, { id: second }];
    const answers = await bench.host.notes.readings(
      addresses.map((address) => ({ address, range })),
      signal,
    );
    expect(answers.map((each) => ('code' in each ? each.code : [each.title, each.blocks.length]))).toEqual([
      ['Long', 2],
      'not_found',
      ['Second', 1],
      ['Second', 1],
    ]);
    expect(paths.filter((path) => path.endsWith('flushTransaction'))).toHaveLength(1);
  });
});
