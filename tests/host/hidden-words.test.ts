import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(() => bench.close());

const guard = (id: string) => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });
const flush = () => bench.api('/api/sqlite/flushTransaction', {});
const escaped = (text: string): string => text.replaceAll('"', '&quot;');
const paragraph = (id: string, html: string): string =>
  `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${html}</div><div class="protyle-attr" contenteditable="false"></div></div>`;

describe('words that the user hides', () => {
  it.each(['d', 'h'] as const)('are not counted by search beyond its pages, nor told by what follows one: %s', async (type) => {
    await bench.document(`/Plans${type}`, `# Plans${type}`);
    const top = await bench.document(`/Fires${type}`, 'x');
    await bench.document(`/Fires${type}/Below`, `# Fires${type}`);
    await guard(top);
    await flush();
    const found = async (query: string, page: number) => {
      const { total, nextPage } = await bench.host.notes.search({ query, mode: 'syntax', types: [type], page, pageSize: 1 }, signal);
      return { total, nextPage };
    };
    expect(await found(`Fires${type}`, 99)).toEqual(await found(`Nothing${type}`, 99));
    expect(await found(`Plans${type} OR Fires${type}`, 1)).toEqual(await found(`Plans${type} OR Nothing${type}`, 1));
  });

  it('make no mention, though a reference shows them between quotes', async () => {
    const [hidden = ''] = await bench.blocks(await bench.document('/Hidden', 'He said "zebra" now'));
    const [shown = ''] = await bench.blocks(await bench.document('/Shown', `((${hidden} 'He said "zebra" now'))`));
    await bench.document('/Shows it', `see ((${shown} 'He said "zebra" now'))`);
    await bench.document('/Guess', 'My guess: He said "zebra" now');
    await guard(hidden);
    await flush();
    const { items } = await bench.host.notes.backlinks({ id: shown, kind: 'mentions', page: 1, pageSize: 9 }, signal);
    expect(items).toEqual([]);
  });

  it.each([
    ['a backslash at the end', 'giraffe\\'],
    ['a line break', 'a\ngiraffe'],
    ['a quote', 'say "giraffe" now'],
  ])('are not shown by a reference that the index cannot be read back from: %s', async (_what, secret) => {
    const [target = ''] = await bench.blocks(await bench.document('/Target', 'target'));
    const [hidden = ''] = await bench.blocks(await bench.document('/Secret', 'x'));
    await bench.transact([{ action: 'update', id: hidden, data: paragraph(hidden, escaped(secret)) }]);
    const doc = await bench.document('/Refers', 'p');
    const [block = ''] = await bench.blocks(doc);
    const reference = (id: string, kind: string, text: string): string =>
      `<span data-type="block-ref" data-id="${id}" data-subtype="${kind}">${escaped(text)}</span>`;
    const html = `see ${reference(hidden, 'd', secret)} and ${reference(target, 's', 'target')}`;
    await bench.transact([{ action: 'update', id: block, data: paragraph(block, html) }]);
    await guard(hidden);
    await flush();
    const { notes } = bench.host;
    const told = await Promise.all([
      notes.exportMarkdown({ id: doc }, signal),
      notes.grep({ id: doc, pattern: '.', regex: true, limit: 9 }, signal),
      notes.backlinks({ id: target, kind: 'links', page: 1, pageSize: 9 }, signal),
      notes.document({ id: doc }, { start: 0, blocks: 9 }, signal),
    ]);
    expect(JSON.stringify(told)).toContain('target');
    expect(JSON.stringify(told)).not.toContain('giraffe');
  });
});
