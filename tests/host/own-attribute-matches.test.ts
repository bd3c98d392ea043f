import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let count = 0;
let before: object = {};
beforeAll(async () => {
  bench = await startBench();
  const { conf } = await bench.api<{ conf: { search?: object } }>('/api/system/getConf', {});
  before = { ial: false, ...conf.search };
  await bench.api('/api/setting/setSearch', { ...before, ial: true });
});
afterAll(async () => {
  await bench.api('/api/setting/setSearch', before);
  await bench.close();
});

/** A saved answer that cites a block of a notebook that is closed now; the first words of it are kept for "what changed". */
async function answerCiting(words: string): Promise<{ readonly document: string; readonly block: string }> {
  const document = await bench.document(`/Answers/A${++count}`, 'It launches in May.\n\nother zebra');
  const [block = ''] = await bench.blocks(document);
  const cites = JSON.stringify([{ id: '20250101000000-closed1', hash: '12345678', words }]);
  const attrs = { 'custom-marginalia-cites': cites, 'custom-marginalia-source': 's/n/c', 'custom-state': 'paused' };
  await bench.api('/api/attr/setBlockAttrs', { id: block, attrs });
  return { document, block };
}

const find = async (query: string, more: Partial<SearchQuery> = {}) => {
  const page = await bench.host.notes.search({ query, mode: 'keyword', page: 1, pageSize: 60, ...more }, signal);
  return JSON.stringify([page.matches.map(({ id }) => id), page.total, page.nextPage]);
};

describe('words in attributes of ours', () => {
  it.each([
    ['keyword', 'kestrel'],
    ['keyword', 'kestrel launches'],
    ['keyword', 'kestrel zebra'],
    ['keyword', 'k_strel launches'],
    ['syntax', 'kestrel'],
    ['syntax', 'kestrel AND launches'],
    ['regex', 'k[ef]strel'],
    ['regex', 'kes'],
    ['relevance', 'kestrel'],
    ['keyword', 'custom-marginalia-cites'],
    ['keyword', '20250101000000-closed'],
  ] as const)('are found by no search: %s %s', async (mode, query) => {
    const { document, block } = await answerCiting('the kestrel flies');
    const other = await answerCiting('the magpie sings');
    for (const order of [undefined, 'newest'] as const) {
      const found = await find(query, { mode, ...(order ? { order } : {}) });
      for (const id of [document, block, other.block]) expect(found).not.toContain(id);
    }
  });

  it('nor told by what a search leaves out', async () => {
    const { routes } = bench.host;
    const sent: string[] = [];
    const search = routes.search.bind(routes);
    Object.assign(routes, {
      search: (asked: Parameters<typeof search>[0], stop: AbortSignal) => {
        sent.push(asked.query);
        return search(asked, stop);
      },
    });
    const { block } = await answerCiting('the heron waits');
    for (const query of ['launches NOT heron', 'zzz OR (launches NOT (heron OR egret))', 'content: (launches NOT heron)'])
      expect(await find(query, { mode: 'syntax' })).toContain(block);
    expect(sent.every((query) => query.startsWith('{content name alias memo tag} : ('))).toBe(true);
    Object.assign(routes, { search });
  });

  it('nor counted, but what stands in the block, and what the person set there, is found', async () => {
    const { document, block } = await answerCiting('the osprey dives');
    expect(await find('launches')).toContain(block);
    expect(await find('launches zebra')).toContain(document);
    expect(await find('paused')).toContain(block);
    expect(await find('osprey')).toBe(await find('ospreyless'));
  });
});
