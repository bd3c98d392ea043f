import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { realKernelUrl } from './real-kernel.ts';
import { refer, signal, startBench, type TestBench } from './support.ts';

describe('words of a reference without an id', () => {
  let bench: TestBench;
  beforeEach(async () => {
    bench = await startBench();
    await refer(bench, await bench.document('/Nameless', 'light of Sirrah here'), 'Sirrah', '');
  });
  afterEach(() => bench.close());

  const found = async (): Promise<{ readonly count: number; readonly snippets: readonly string[] }> => {
    let count = 0;
    bench.hooks = {
      before: () => {
        count += 1;
      },
    };
    const page = await bench.host.notes.search({ query: 'sirrah', mode: 'relevance', page: 1, pageSize: 10 }, signal);
    bench.hooks = {};
    return { count, snippets: page.matches.map((match) => match.snippet) };
  };
  const isShown = async (): Promise<boolean> => (await found()).snippets.length > 0;

  it('are found with no more than five requests, as long as nothing is hidden', async () => {
    const { count, snippets: shown } = await found();
    expect(shown).toEqual(['light of Sirrah here']);
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(5);
  });

  it('are not found where a note is guarded, nor where a notebook is closed to the model or to SiYuan', async () => {
    const guarded = await bench.document('/Guarded', 'kept back');
    const guardIt = (value: string) => bench.api('/api/attr/setBlockAttrs', { id: guarded, attrs: { 'custom-ai-access': value } });
    await guardIt('none');
    expect(await isShown()).toBe(false);
    await guardIt('');
    expect(await isShown()).toBe(true);
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Elsewhere' });
    bench.policy.setRight(notebook.id, 'none');
    expect(await isShown()).toBe(false);
    bench.policy.setRight(notebook.id, 'read');
    expect(await isShown()).toBe(true);
    await bench.api('/api/notebook/closeNotebook', { notebook: notebook.id });
    expect(await isShown()).toBe(false);
  });

  it('are not found where only a block is guarded', async () => {
    const [block = ''] = await bench.blocks(await bench.document('/Inside', 'kept back'));
    await bench.api('/api/attr/setBlockAttrs', { id: block, attrs: { 'custom-ai-access': 'none' } });
    expect(await isShown()).toBe(false);
  });

  it.skipIf(realKernelUrl !== undefined)('are not found below a guarded document that the index does not have', async () => {
    const above = await bench.document('/Above', 'left out');
    await bench.document('/Above/Below', 'below it');
    await bench.api('/api/attr/setBlockAttrs', { id: above, attrs: { 'custom-ai-access': 'none' } });
    for (const table of ['blocks', 'attributes']) bench.kernel.kernel.index.select(`DELETE FROM ${table} WHERE root_id = ?`, above);
    expect(await isShown()).toBe(false);
  });
});
