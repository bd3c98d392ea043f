import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

/** In a turn the same part of a note is fetched once, as long as nobody writes; rights and plans ask the kernel every time. */
let bench: TestBench;
const paths: string[] = [];
let note = '';
let ids: string[] = [];
let end = (): void => undefined;

beforeAll(async () => {
  bench = await startBench();
  bench.hooks = { before: (path) => void paths.push(path) };
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());
beforeEach(async () => {
  end();
  note = await bench.document('/Note', '# Part\n\nfirst words\n\n- one\n- two\n\nlast words');
  ids = await bench.blocks(note);
  await bench.delivered(ids[1] ?? '');
  end = bench.host.turns.begin();
  paths.splice(0);
});

const read = async (id = note): Promise<string> => {
  const { blocks } = await bench.host.notes.document({ id }, { start: 0, blocks: 10 }, signal);
  return blocks.map(({ markdown }) => markdown).join(' | ');
};
const contents = (): number => paths.filter((path) => /getDoc$|getDocOutline|getBlockDOM/.test(path)).length;
const update = (id: string, text: string): Promise<void> =>
  bench.transact([
    {
      action: 'update',
      id,
      data: `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true">${text}</div></div>`,
    },
  ]);

describe('in one turn', () => {
  it('the same window is fetched once, and again when another window has written', async () => {
    expect(await read()).toContain('first words');
    const once = contents();
    expect(await read()).toContain('first words');
    expect([once, contents()]).toEqual([2, 2]);
    await update(ids[1] ?? '', 'other words');
    await bench.delivered(ids[1] ?? '');
    expect(await read()).toContain('other words');
    expect(contents()).toBe(4);
  });

  it('what we wrote is read from the kernel', async () => {
    await read();
    const [, block] = (await bench.host.notes.document({ id: note }, { start: 0, blocks: 10 }, signal)).blocks;
    const edit = { id: ids[1] ?? '', expectHash: block?.hash ?? '', edits: [{ old: 'first', new: 'better' }] };
    await bench.apply(await bench.host.notes.planEdit(edit, 'edit_block', signal));
    expect(await read()).toContain('better words');
  });

  it('an edit is planned on what the kernel has, though no push told of it', async () => {
    await read();
    const { blocks } = await bench.host.notes.document({ id: note }, { start: 0, blocks: 10 }, signal);
    const hash = blocks[1]?.hash ?? '';
    paths.splice(0);
    await bench.host.notes.planEdit({ id: ids[1] ?? '', expectHash: hash, edits: [{ old: 'first', new: 'x' }] }, 'edit_block', signal);
    expect(paths.filter((path) => /getDoc$|getBlockDOM/.test(path)).length).toBeGreaterThan(0);
  });

  it('rights are judged anew: of a guard, of a notebook and of a document above', async () => {
    await read();
    await bench.host.notes.blocks({ id: ids[1] ?? '', range: 'self', limit: 1 }, signal);
    await bench.api('/api/attr/setBlockAttrs', { id: ids[1], attrs: { 'custom-ai-access': 'none' } });
    expect(await read()).not.toContain('first words');
    expect(await codeOf(bench.host.notes.blocks({ id: ids[1] ?? '', range: 'self', limit: 1 }, signal))).toBe('not_found');
    bench.policy.setRight(bench.notebook, 'none');
    expect(await codeOf(read())).toBe('not_found');
    bench.policy.setRight(bench.notebook, 'write');
    await bench.api('/api/attr/setBlockAttrs', { id: note, attrs: { 'custom-ai-access': 'none' } });
    expect(await codeOf(read())).toBe('not_found');
  });
});
