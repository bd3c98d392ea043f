import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, openNotes } from '../../../tests/host/open-notes.ts';
import { TOOL_NOTEBOOKS } from '../testing/tool-samples.ts';
import { createAssetsGroup } from './assets.ts';

afterEach(closeNotes);

const open = () => openNotes({ notebooks: TOOL_NOTEBOOKS });
type Bench = Awaited<ReturnType<typeof open>>;

/** A note with a PDF of these pages, which are read without pdf.js. */
async function withPdf(bench: Bench, pages: readonly string[], markdown = '[paper](assets/paper.pdf)') {
  await bench.bench.client.writeFile('/data/assets/paper.pdf', 'pdf', new AbortController().signal);
  const note = await bench.add(bench.notebook('Work'), '/Paper', markdown);
  const [tool] = createAssetsGroup(bench.notes, async (_bytes, { from = 1, to = 99 } = {}) => ({
    title: '',
    total: pages.length,
    texts: pages.slice(from - 1, to),
  })).tools;
  const call = (args: Readonly<Record<string, unknown>>) => tool!.execute(args, { signal: new AbortController().signal } as never);
  const block = note.blocks[0]?.id ?? '';
  return { note, call, block };
}

describe('assets', () => {
  it('lists the files of a note with the blocks that use them', async () => {
    const bench = await open();
    const text = await bench.text('assets', { op: 'list', id: bench.id('/daily note/2026/01/2026-01-15') });
    expect(text).toContain('1 files\nassets/ticket.txt, 29 bytes\n');
    expect(text).toContain(
      `[${bench.block('/daily note/2026/01/2026-01-15', 1).id}] in /daily note/2026/01/2026-01-15 [${bench.id('/daily note/2026/01/2026-01-15')}], Work`,
    );
  });

  it('reads a text file, whose blocks may be cited', async () => {
    const bench = await open();
    const result = await bench.call('assets', { op: 'text', path: 'assets/ticket.txt' });
    expect(result.finalText).toContain('Kerosene for the first stage.');
    expect(result.blockIds).toEqual([bench.block('/daily note/2026/01/2026-01-15', 1).id, bench.id('/daily note/2026/01/2026-01-15')]);
    expect(result.sources).toMatchObject([{ notebook: bench.notebook('Work'), document: bench.id('/daily note/2026/01/2026-01-15') }]);
  });

  it('reads pages of a PDF, says how one is cited, and lets only those be cited', async () => {
    const bench = await open();
    const { call, block } = await withPdf(bench, ['One', 'Two', '']);
    const result = await call({ op: 'text', path: 'assets/paper.pdf', pages: '2' });
    expect(result.data).toContain(`, page 2 of 3`);
    expect(result.data).toContain(`cite a page as ((${block}#p2 "words"))`);
    expect(result.data).toContain('--- page 2 ---\nTwo');
    expect(result.data).toContain('next: assets op=text path=assets/paper.pdf pages=3');
    expect(result.blockIds?.filter((id) => id.includes('#'))).toEqual([`${block}#p2`]);
    const rest = await call({ op: 'text', path: 'assets/paper.pdf', pages: '2-3' });
    expect(rest.data).toContain('--- page 3 ---\n(no text: a picture)');
    expect(rest.data).not.toContain('next:');
  });

  it.each(['0', '3-2', 'all', '1,2', '-3'])('refuses pages "%s" and says how they are given', async (pages) => {
    const bench = await open();
    const result = await bench.call('assets', { op: 'text', path: 'assets/ticket.txt', pages });
    expect(result.finalText).toMatch(/^bad_arguments: .*names no pages → give pages like "3" or "3-8"/u);
  });

  it('lists files that no note uses, and says that those of chats are among them', async () => {
    const bench = await openNotes({ notebooks: TOOL_NOTEBOOKS.slice(0, 1) });
    for (const name of ['one', 'two']) await bench.bench.client.writeFile(`/data/assets/${name}.txt`, 'x', new AbortController().signal);
    const text = await bench.text('assets', { op: 'unused' });
    expect(text).toMatch(
      /^2 files that no note uses\nassets\/two.txt, 1 bytes\nassets\/one.txt, 1 bytes\nfiles attached to chats are among them/u,
    );
    expect(text).not.toContain('fuel');
  });

  it('needs a path to read', async () => {
    const bench = await open();
    expect((await bench.call('assets', { op: 'text' })).finalText).toMatch(/^bad_arguments: path is missing → /u);
  });

  it('shows a few of many blocks that use a file', async () => {
    const bench = await open();
    const links = Array.from({ length: 7 }, () => '[x](assets/ticket.txt)').join('\n\n');
    const note = await bench.add(bench.notebook('Work'), '/Links', links);
    const text = await bench.text('assets', { op: 'list', id: note.id });
    expect(text.match(/in \/Links/gu)).toHaveLength(5);
    expect(text).toContain('and 2 more blocks');
  });
});
