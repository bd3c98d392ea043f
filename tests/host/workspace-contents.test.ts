import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseCalls } from './database-bench.ts';
import { origin, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  // A real SiYuan has more notebooks.
  bench.policy.setRight('*', 'none');
  bench.policy.setRight(bench.notebook, 'delete');
});
afterAll(() => bench.close());

const contents = () => bench.host.notes.contents(signal);
const guard = (id: string, value = 'none'): Promise<unknown> =>
  bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': value } });

describe('what readable notes contain', () => {
  it('is found by a database, a card or a file in one of them, and by nothing that is hidden', async () => {
    expect(await contents()).toEqual([]);
    const table = await bench.document('/Table', 'words');
    const calls = databaseCalls(bench);
    const { id } = await calls.create({ anchor: table, columns: [{ name: 'Price', type: 'number' }] });
    expect(await contents()).toEqual(['databases']);
    const cards = await bench.document('/Cards', 'front');
    const ids = await bench.blocks(cards);
    await bench.apply(await bench.host.notes.planFlashcards({ op: 'create', ids }, 'flashcards', signal), undefined, origin);
    expect(await contents()).toEqual(['databases', 'flashcards']);
    const picture = await bench.document('/Picture', '![a](assets/a-20260102150405-abcdefg.png)');
    expect(await contents()).toEqual(['databases', 'flashcards', 'assets']);
    // A block, the note around one, and a notebook.
    await guard(id);
    expect(await contents()).toEqual(['flashcards', 'assets']);
    await guard(cards);
    expect(await contents()).toEqual(['assets']);
    await guard(id, '');
    await guard(picture);
    expect(await contents()).toEqual(['databases']);
    bench.policy.setRight(bench.notebook, 'none');
    expect(await contents()).toEqual([]);
    bench.policy.setRight(bench.notebook, 'delete');
    for (const each of [cards, picture]) await guard(each, '');
  });

  it('is found behind more hidden files than are looked at together', async () => {
    const picture = (number: number) => `![a](assets/a${number}-20260102150405-abcdefg.png)`;
    const book = (await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Pictures' })).notebook.id;
    const markdown = Array.from({ length: 230 }, (_, number) => picture(number)).join('\n\n');
    await bench.api('/api/filetree/createDocWithMd', { notebook: book, path: '/Many', markdown });
    bench.policy.setRight(book, 'none');
    expect(await contents()).toContain('assets');
    await bench.api('/api/filetree/removeDocByID', {
      id: (await bench.api<string[]>('/api/filetree/getIDsByHPath', { notebook: bench.notebook, path: '/Picture' }))[0],
    });
    await expect.poll(contents).not.toContain('assets');
    await bench.document('/Late', picture(500));
    expect(await contents()).toContain('assets');
  });
});
