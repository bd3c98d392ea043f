// Searches that the user saved in SiYuan: what they find is what SiYuan finds, without what may not be read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchMatch } from '../../src/tools/contract/note-readings.ts';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const save = (name: string, more: object): Promise<unknown> =>
  bench.api('/api/storage/setCriterion', { criterion: { name, method: 0, k: '', idPath: [], types: null, ...more } });
const find = async (name: string, limit = 50): Promise<readonly SearchMatch[]> =>
  (await bench.host.notes.findSaved({ name, limit }, signal)).matches;
const snippets = async (name: string): Promise<string[]> => (await find(name)).map(({ snippet }) => snippet);
const guard = (id: string, access: string): Promise<unknown> =>
  bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': access } });

describe('saved searches', () => {
  it('are listed in their order; one without words, or damaged, is left out', async () => {
    await save('Words', { k: 'pulsar' });
    await save('Empty', { k: '  ' });
    await save('Pattern', { k: 'pulsar (one|two)', method: 3 });
    const listed = await bench.host.notes.savedSearches(signal);
    expect(listed).toEqual(['Words', 'Pattern']);
    expect(await codeOf(bench.host.notes.findSaved({ name: 'Empty', limit: 5 }, signal))).toBe('not_found');
  });

  it('find by words, query syntax, pattern and SQL, in the places and kinds that they name', async () => {
    const near = await bench.document('/Pulsars', '# pulsar head\n\npulsar one\n\npulsar two');
    const far = await bench.document('/Pulsars far', 'pulsar three');
    expect(new Set(await snippets('Words'))).toEqual(
      new Set(['Pulsars', 'Pulsars far', 'pulsar head', 'pulsar one', 'pulsar two', 'pulsar three']),
    );
    expect((await snippets('Pattern')).sort()).toEqual(['pulsar one', 'pulsar two']);
    await save('Syntax', { k: 'pulsar NOT head NOT three', method: 1, types: { paragraph: true } });
    expect((await snippets('Syntax')).sort()).toEqual(['pulsar one', 'pulsar two']);
    await save('Place', { k: 'pulsar', idPath: [`${bench.notebook}/${far}.sy`], types: { paragraph: true } });
    expect(await snippets('Place')).toEqual(['pulsar three']);
    await save('No kind', { k: 'pulsar', types: { paragraph: false } });
    expect(await snippets('No kind')).toEqual([]);
    await save('SQL', { k: `SELECT * FROM blocks WHERE root_id = '${near}' AND type = 'p' ORDER BY content DESC`, method: 2 });
    expect((await find('SQL')).map(({ snippet, documentTitle }) => [snippet, documentTitle])).toEqual([
      ['pulsar two', 'Pulsars'],
      ['pulsar one', 'Pulsars'],
    ]);
    expect(await bench.host.notes.findSaved({ name: 'SQL', limit: 1 }, signal)).toMatchObject({
      matches: [{ snippet: 'pulsar two' }],
      isMore: true,
      notebooks: [bench.notebook],
    });
    await save('No ids', { k: 'SELECT count(*) AS n FROM blocks', method: 2 });
    expect(await codeOf(find('No ids'))).toBe('bad_sql');
    await save('Writes', { k: 'DELETE FROM blocks', method: 2 });
    expect(await codeOf(find('Writes'))).toBe('bad_sql');
  });

  it('keep their order', async () => {
    const doc = await bench.document('/Order', 'magnetar old\n\nmagnetar new');
    await bench.api('/api/sqlite/flushTransaction', {});
    const stmt = `UPDATE blocks SET updated = '20200101000000' WHERE root_id = '${doc}' AND content = 'magnetar old' RETURNING id`;
    await bench.api('/api/query/sql', { stmt });
    await save('Order', { k: 'magnetar', sort: 3, types: { paragraph: true } });
    expect(await snippets('Order')).toEqual(['magnetar old', 'magnetar new']);
    await save('Order', { k: 'magnetar', sort: 4, types: { paragraph: true } });
    expect(await snippets('Order')).toEqual(['magnetar new', 'magnetar old']);
  });

  it('give nothing of a guarded block or document, and by SQL nothing at all then', async () => {
    const doc = await bench.document('/Guarded', 'blazar open\n\nblazar secret');
    const other = await bench.document('/Guarded too', 'blazar elsewhere');
    await save('Guarded', { k: 'blazar' });
    await save('Guarded place', { k: 'blazar', idPath: [`${bench.notebook}/${other}.sy`] });
    await save('Guarded SQL', { k: "SELECT * FROM blocks WHERE content LIKE 'blazar%'", method: 2 });
    expect((await snippets('Guarded')).sort()).toEqual(['blazar elsewhere', 'blazar open', 'blazar secret']);
    const secret = (await bench.blocks(doc))[1] ?? '';
    await bench.document('/Refers', `blazar beside ((${secret} "words"))`);
    await guard(secret, 'none');
    await guard(other, 'none');
    // What shows words of the guarded block is searched by its open words, and in its own place alone.
    expect((await snippets('Guarded')).sort()).toEqual([expect.stringMatching(/^blazar beside/), 'blazar open']);
    expect(await snippets('Guarded place')).toEqual([]);
    expect(await codeOf(find('Guarded SQL'))).toBe('sql_off');
  });
});
