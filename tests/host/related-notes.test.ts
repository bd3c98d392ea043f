import { afterAll, beforeAll, expect, it } from 'vitest';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const related = (id: string, limit = 10) => bench.host.notes.related({ id, limit }, signal);
const titles = async (id: string, limit?: number): Promise<string[]> =>
  (await related(id, limit)).notes.map(({ document }) => document.title);
const guard = (id: string, value = 'none'): Promise<unknown> =>
  bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': value } });

it('finds the notes about the same, nearest first, each with its best passage and the words that both have', async () => {
  const own = await bench.document('/Quasar survey', 'The quasar survey counts redshift by telescope.\n\nquasar again');
  await bench.document('/Near', 'Nothing here.\n\nA telescope found one quasar, its redshift was high.');
  await bench.document('/Far', 'A telescope for children.');
  await bench.document('/Other', 'Bread and butter.');
  const found = await related(own);
  expect(found.document).toMatchObject({ id: own, title: 'Quasar survey', path: '/Quasar survey' });
  expect(found.notes.map(({ document, words }) => [document.title, [...words].sort()])).toEqual([
    ['Near', ['quasar', 'redshift', 'telescope']],
    ['Far', ['telescope']],
  ]);
  expect(found.notes[0]?.passage.text).toMatch(/^A telescope found/u);
  // What fewer notes have says more.
  expect(found.notes[0]?.words.at(-1)).toBe('telescope');
  expect(await titles(own, 1)).toEqual(['Near']);
});

it('goes by the words that few notes have, not by those that the note says most often', async () => {
  const usual = 'garden work again today morning evening coffee bread weather meeting office train lunch dinner';
  const own = await bench.document('/Diary', `${`${usual}. `.repeat(6)}A wombat dug a burrow.`);
  for (let index = 0; index < 8; index += 1) await bench.document(`/Chores ${index}`, `${usual} ${index}`);
  await bench.document('/Marsupials', 'The wombat sleeps in its burrow.');
  const { notes } = await related(own);
  expect(notes.find(({ document }) => document.title === 'Marsupials')?.words).toEqual(expect.arrayContaining(['wombat', 'burrow']));
});

it('goes by a block or a section alone where one is asked about', async () => {
  const own = await bench.document('/Mixed', '# Harvest\n\nbarley and oats\n\n# Voyage\n\nkayak on a fjord');
  await bench.document('/Fields', 'oats, barley');
  await bench.document('/Boats', 'a kayak');
  const { blocks } = await bench.host.notes.document({ id: own }, { start: 0, blocks: 9 }, signal);
  const [harvest, grain, , kayak] = blocks;
  expect(await titles(own)).toEqual(['Fields', 'Boats']);
  expect([await titles(harvest!.id), await titles(grain!.id), await titles(kayak!.id)]).toEqual([['Fields'], ['Fields'], ['Boats']]);
});

it('takes Chinese, and tells no note of words that it has in part', async () => {
  const own = await bench.document('/间隔重复笔记', '间隔重复让复习分散开来。');
  await bench.document('/卡片', '用间隔重复来背单词。');
  const [note] = (await related(own)).notes;
  expect(note?.document.title).toBe('卡片');
  expect(note?.words).toContain('间隔');
  expect(note?.words.join(' ')).not.toContain('笔记');
});

it('is not crowded out by its own blocks', async () => {
  const own = await bench.document('/Long', Array.from({ length: 400 }, () => 'saxifrage gentian').join('\n\n'));
  await bench.document('/Short', 'one gentian');
  expect(await titles(own)).toEqual(['Short']);
});

it('finds nothing for a note without words, and does not know what is not there', async () => {
  const empty = await bench.document('/2026', '![](assets/image-20200101000000-abcdefg.png) https://example.org/quasar');
  expect((await related(empty)).notes).toEqual([]);
  expect(await codeOf(related('20200101000000-absent0'))).toBe('not_found');
  expect(await codeOf(related('quasar'))).toBe('bad_id');
});

it('says the same whatever hidden text says, and shows nothing of it', async () => {
  const own = await bench.document('/Half hidden', 'obsidian mirror\n\nnothing');
  const [, secret = ''] = await bench.blocks(own);
  await guard(secret);
  await bench.document('/Open mirror', 'a mirror of glass');
  await bench.document('/Open obsidian', 'obsidian is glass, obsidian');
  const hidden = await bench.document('/Hidden', 'first\n\nsecond');
  await bench.document('/Hidden/Below', 'obsidian mirror');
  await guard(hidden);
  const before = await related(own);
  expect(before.notes.map(({ document }) => document.title).sort()).toEqual(['Open mirror', 'Open obsidian']);
  const change = (id: string, data: string): Promise<unknown> => bench.api('/api/block/updateBlock', { id, dataType: 'markdown', data });
  await change(secret, 'glass glass glass quasar telescope');
  await guard(secret);
  for (const id of await bench.blocks(hidden)) await change(id, 'obsidian mirror, obsidian');
  await bench.api('/api/sqlite/flushTransaction', {});
  expect(await related(own)).toEqual(before);
  expect([await codeOf(related(hidden)), await codeOf(related(secret))]).toEqual(['not_found', 'not_found']);
});
