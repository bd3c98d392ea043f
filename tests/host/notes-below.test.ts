// Which notes are below a place, for an order that waits for one; and what it costs to see that nothing happened.
import { expect, it } from 'vitest';
import { signal, useBench } from './support.ts';

const bench = useBench('write');
const below = async (place: string) => [...((await bench.host.notes.notesBelow([place], signal)).get(place) ?? [])];
const titles = async (place: string): Promise<readonly string[]> => (await below(place)).map(({ title }) => title).sort();
const flush = () => bench.api('/api/sqlite/flushTransaction', {});
const hide = (id: string) => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });
const mark = async (place = bench.notebook): Promise<string> => {
  await flush();
  return bench.host.notes.changeMark({ below: [place], databases: false }, signal);
};

it('finds those at any depth, and not the place itself', async () => {
  const place = await bench.document('/Below', 'a');
  await bench.document('/Below/One', 'a');
  await bench.document('/Below/One/Two', 'a');
  await bench.document('/Beside', 'a');
  expect(await titles(place)).toEqual(['One', 'Two']);
  expect(await titles(bench.notebook)).toEqual(expect.arrayContaining(['Below', 'Beside', 'One', 'Two']));
});

it('leaves out what is hidden, and says no time of what is hidden in a note', async () => {
  const place = await bench.document('/Rights', 'a');
  const open = await bench.document('/Rights/Open', 'one\n\ntwo');
  await hide(await bench.document('/Rights/Hidden', 'a'));
  const [, second = ''] = await bench.blocks(open);
  await hide(second);
  const [before] = await below(place);
  expect(before).toMatchObject({ id: open, title: 'Open', notebook: bench.notebook });
  await bench.api('/api/block/updateBlock', { id: second, dataType: 'markdown', data: 'changed' });
  expect(await below(place)).toEqual([before]);
  await hide(place);
  expect((await bench.host.notes.notesBelow([place], signal)).size).toBe(0);
});

it('finds a note once it was moved there', async () => {
  const place = await bench.document('/Target', 'a');
  const note = await bench.document('/Moved', 'a');
  const before = await mark(place);
  await bench.api('/api/filetree/moveDocsByID', { fromIDs: [note], toID: place });
  expect(await titles(place)).toEqual(['Moved']);
  expect(await mark(place)).not.toBe(before);
});

it('knows no place in a closed notebook', async () => {
  const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Closed' });
  await bench.api('/api/notebook/closeNotebook', { notebook: notebook.id });
  expect((await bench.host.notes.notesBelow([notebook.id], signal)).size).toBe(0);
});

it('sees with one statement whether anything was written', async () => {
  const note = await bench.document('/Marked', 'a');
  const first = await mark();
  const asked: string[] = [];
  bench.hooks.before = (path) => void asked.push(path);
  expect(await bench.host.notes.changeMark({ below: [bench.notebook], databases: false }, signal)).toBe(first);
  bench.hooks = {};
  expect(asked).toEqual(['/api/query/sql']);
  const [block = ''] = await bench.blocks(note);
  for (const data of ['b', 'c']) {
    const before = await mark();
    await bench.api('/api/block/updateBlock', { id: block, dataType: 'markdown', data });
    expect(await mark()).not.toBe(before);
  }
});
