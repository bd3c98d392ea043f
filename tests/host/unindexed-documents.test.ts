import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signal, startBench, type TestBench } from './support.ts';

// SiYuan's ignore file keeps a document out of the index and not those below it. Here its rows are deleted, which leaves the same index.
let bench: TestBench;
let target = '';
/** More folders than a few: each note is in one of its own. */
const FOLDERS = 70;

const indexWithout = async (id: string): Promise<void> => {
  await bench.api('/api/sqlite/flushTransaction', {});
  for (const table of ['blocks', 'attributes']) {
    await bench.api('/api/query/sql', { stmt: `DELETE FROM ${table} WHERE root_id = '${id}' RETURNING id` });
  }
};

beforeAll(async () => {
  bench = await startBench();
  const open = await bench.document('/Open', 'the marigold');
  [target = ''] = await bench.blocks(open);
  const guarded = await bench.document('/Guarded', 'nothing');
  for (let index = 0; index < FOLDERS; index += 1) {
    await bench.document(
      `/Guarded/Folder ${index}/Note`,
      index === 0 ? `quince #kept# ((${target} "the flower"))\n\nthe marigold, the flower` : 'quince',
    );
  }
  const [secret] = await bench.blocks(
    (await bench.api<string[]>('/api/filetree/getIDsByHPath', { notebook: bench.notebook, path: '/Guarded/Folder 0/Note' }))[0] ?? '',
  );
  await bench.document('/Shows', `this one #told# ((${secret} 'quince'))`);
  await bench.document('/Links', `here is ((${target} "marigold"))`);
  await bench.api('/api/attr/setBlockAttrs', { id: guarded, attrs: { 'custom-ai-access': 'none' } });
  await indexWithout(guarded);
});
afterAll(() => bench.close());

describe('what stands below a guarded document that the index does not have', () => {
  it('is not listed, however many folders it stands in', async () => {
    const { documents } = await bench.host.notes.recentDocuments({ days: 1, limit: 500 }, signal);
    expect(documents.map(({ path }) => path).sort()).toEqual(['/Links', '/Open', '/Shows']);
  });

  it('is counted nowhere, and gives no words to look for', async () => {
    const { tags } = await bench.host.notes.tags({ limit: 9 }, signal);
    expect(tags).toEqual([{ label: 'told', count: 1 }]);
    const page = { id: target, page: 1, pageSize: 9 };
    const links = await bench.host.notes.backlinks({ ...page, kind: 'links' }, signal);
    expect([links.total, links.items.map(({ document }) => document.path)]).toEqual([1, ['/Links']]);
    expect((await bench.host.notes.backlinks({ ...page, kind: 'mentions' }, signal)).items).toEqual([]);
  });

  it('is not found, not even through a block that shows it', async () => {
    const search = (mode: 'relevance' | 'keyword' | 'regex') =>
      bench.host.notes.search({ query: 'quince', mode, page: 1, pageSize: 9 }, signal);
    expect(await search('relevance')).toMatchObject({ matches: [], total: 0 });
    expect(await search('keyword')).toMatchObject({ matches: [], total: 0 });
    expect(await search('regex')).toMatchObject({ matches: [], total: 0 });
  });
});
