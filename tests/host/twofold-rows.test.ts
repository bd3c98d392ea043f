import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BLOCK_COLUMNS } from '../../devhost/kernel/index/schema.ts';
import type { SearchPage, SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { realKernelUrl } from './real-kernel.ts';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const MODES = ['relevance', 'keyword', 'syntax', 'regex'] as const;
const search = (query: string, mode: SearchQuery['mode'], more: Partial<SearchQuery> = {}): Promise<SearchPage> =>
  bench.host.notes.search({ query, mode, page: 1, pageSize: 10, ...more }, signal);
const shown = ({ matches }: SearchPage): string[] => matches.map(({ snippet }) => snippet);
const sql = (stmt: string): Promise<unknown> => bench.api('/api/query/sql', { stmt });

/** The index holds the block a second time, with what it said before, behind the row that it has or before it. */
async function addStaleRow(id: string, before: Readonly<Record<string, string>>, place: 'first' | 'last'): Promise<void> {
  await bench.api('/api/sqlite/flushTransaction', {});
  const old = BLOCK_COLUMNS.map((column) => (column in before ? `'${before[column]}'` : column)).join(', ');
  const as = (columns: string): string =>
    `INSERT INTO blocks (${BLOCK_COLUMNS.join(', ')}) SELECT ${columns} FROM blocks WHERE id = '${id}' LIMIT 1`;
  await sql(as(old));
  // What is copied again comes last; the first row goes.
  if (place === 'last') return;
  await sql(as(BLOCK_COLUMNS.join(', ')));
  await sql(`DELETE FROM blocks WHERE rowid = (SELECT min(rowid) FROM blocks WHERE id = '${id}')`);
}

/** A kernel that indexes while somebody writes does it by itself; its index cannot be written to here. */
describe.skipIf(realKernelUrl !== undefined)('a block that the index holds twice, as it was and as it is', () => {
  let count = 0;
  const write = async (text: string): Promise<{ id: string; document: string }> => {
    count += 1;
    const document = await bench.document(`/Twofold ${count}`, text);
    return { id: (await bench.blocks(document))[0] ?? '', document };
  };
  const places = MODES.flatMap((mode) => [[mode, 'first'] as const, [mode, 'last'] as const]);

  it('costs nothing where there is none, and one more request for each kind of reading where there is one', async () => {
    const asked = async (query: string): Promise<string[]> => {
      const paths: string[] = [];
      bench.hooks = { before: (path) => void paths.push(path) };
      await search(query, 'relevance');
      bench.hooks = {};
      return paths;
    };
    await write('homam stands alone');
    expect((await asked('homam')).length).toBeLessThanOrEqual(5);
    const { id } = await write('matar stands here');
    await addStaleRow(id, { content: 'matar stood there' }, 'last');
    expect((await asked('matar')).filter((path) => path === '/api/block/getBlockDOMs')).toHaveLength(1);
  });

  it.each(places)('is shown as it is now, in mode %s, where the row of before comes %s', async (mode, place) => {
    const { id } = await write(`sadalsuud${count} now stands here`);
    const word = `sadalsuud${count - 1}`;
    await addStaleRow(id, { content: `${word} stood there before` }, place);
    expect(shown(await search(word, mode))).toEqual([`${word} now stands here`]);
    expect(await search(word, mode)).toMatchObject({ total: 1, nextPage: null });
  });

  it.each(places)(
    'is no match by words that it does not have any more, in mode %s, where the row of before comes %s',
    async (mode, place) => {
      const { id } = await write('what stands here now');
      const word = `sadachbia${count}`;
      await addStaleRow(id, { content: `${word} stood here before` }, place);
      expect(await search(word, mode)).toMatchObject({ matches: [], total: 0 });
    },
  );

  it('says that a word stands nowhere which only the row of before has', async () => {
    const { id } = await write('ancha stands here');
    await addStaleRow(id, { content: 'ancha and skat stood here' }, 'last');
    expect(await search('ancha skat', 'relevance')).toMatchObject({ matches: [{ snippet: 'ancha stands here' }], missing: ['skat'] });
  });

  it.each(MODES)('tells of no name or title that it had, in mode %s', async (mode) => {
    const { id, document } = await write('with a name');
    await addStaleRow(id, { alias: `situla${count}` }, 'last');
    expect((await search(`situla${count}`, mode)).matches).toEqual([]);
    await addStaleRow(document, { content: `Albali ${count}`, hpath: `/Albali ${count}` }, 'last');
    expect((await search(mode === 'regex' ? `Albali ${count}` : `"Albali"`, mode, { types: ['d'] })).matches).toEqual([]);
    expect(shown(await search('Twofold', mode, { types: ['d'], pageSize: 100 }))).toContain(`Twofold ${count}`);
  });

  it('is read under the rights of what it shows now', async () => {
    const { id: secret } = await write('kitalpha is secret');
    await bench.api('/api/attr/setBlockAttrs', { id: secret, attrs: { 'custom-ai-access': 'none' } });
    const { id } = await write(`seen with ((${secret} 'kitalpha')) today`);
    await addStaleRow(id, { content: 'seen with kitalpha before' }, 'last');
    for (const mode of MODES) expect(JSON.stringify(await search('seen', mode))).not.toContain('kitalpha');
  });
});

describe.skipIf(realKernelUrl !== undefined)('words that only the full-text index has of a block', () => {
  it('make no match, but where it takes two characters for the same', async () => {
    const document = await bench.document('/Words', 'biham stands here\n\n複習');
    const [plain, han] = await bench.blocks(document);
    await bench.api('/api/sqlite/flushTransaction', {});
    for (const [id, word] of [
      [plain, 'sadalbari'],
      [han, '复习'],
    ])
      await sql(`INSERT INTO blocks_fts (rowid, content) SELECT rowid, fts_tokens('${word}') FROM blocks WHERE id = '${id}'`);
    expect(await search('sadalbari', 'relevance')).toMatchObject({ matches: [], missing: ['sadalbari'] });
    expect(shown(await search('sadalbari biham', 'relevance'))).toEqual(['biham stands here']);
    expect(shown(await search('复习', 'relevance'))).toEqual(['複習']);
  });
});
