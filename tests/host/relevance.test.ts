import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SAVED_CHAT } from '../../src/host/search/saved-chats.ts';
import type { SearchPage, SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { codeOf, refer, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const search = (query: string, more: Partial<SearchQuery> = {}): Promise<SearchPage> =>
  bench.host.notes.search({ query, mode: 'relevance', page: 1, pageSize: 10, ...more }, signal);
const titles = ({ matches }: SearchPage): string[] => [...new Set(matches.map((match) => match.documentTitle))];
const snippets = ({ matches }: SearchPage): string[] => matches.map((match) => match.snippet);
const set = (id: string, attrs: object): Promise<unknown> => bench.api('/api/attr/setBlockAttrs', { id, attrs });
const guard = (id: string): Promise<unknown> => set(id, { 'custom-ai-access': 'none' });

describe('search by relevance', () => {
  it('finds by any of the words, the best note first, with its best passages', async () => {
    await bench.document('/Nebula', 'The nebula glows.\n\nIts nebula dust glows red at night, seen by the telescope.\n\nNothing else.');
    await bench.document('/Dust', 'Dust on the shelf.');
    await bench.document('/Nebulae of old', 'A list.');
    const page = await search('Which telescope has seen the red dust of the nebula glow, xyzzyq?');
    expect(titles(page)).toEqual(['Nebula', 'Dust', 'Nebulae of old']);
    expect(snippets(page)[0]).toMatch(/^Its nebula dust/u);
    expect(page).toMatchObject({ total: 3, nextPage: null, missing: ['xyzzyq'] });
    expect(await search('xyzzyq')).toEqual({ matches: [], total: 0, nextPage: null, missing: ['xyzzyq'], fromIndex: true });
  });

  it('takes Chinese, both languages in one question, and signs that are syntax elsewhere', async () => {
    await bench.document('/复习', '间隔重复把复习分散到多天，用 Anki 最方便。');
    await bench.document('/花园', '花园里的水壶是红色的。');
    expect(titles(await search('怎么用 anki 间隔重复？'))).toEqual(['复习']);
    expect(titles(await search('水壶是什么颜色'))).toEqual(['花园']);
    await bench.document('/Signs', `The season's "first" C++ exam (100%) costs 5*3`);
    for (const query of [`season's`, `"first`, 'c++', 'exam) OR (', `x' OR 1=1 --exam`, '100%', 'NEAR(exam', '* exam', '{content}: exam'])
      expect([query, titles(await search(query))[0]]).toEqual([query, 'Signs']);
    expect(await codeOf(search(' '))).toBe('empty_text');
    expect((await search('…')).matches).toEqual([]);
  });

  it('prefers whole words, and finds a short one only where it begins a word', async () => {
    await bench.document('/Whole', 'qat grows');
    await bench.document('/Part', 'aqatic things grow');
    expect(titles(await search('qat grows'))).toEqual(['Whole', 'Part']);
    expect(titles(await search('qat'))).toEqual(['Whole']);
  });

  it('shows all of the best passages, also where one note has them', async () => {
    await bench.document('/Sirius', ['one', 'two', 'three', 'four', 'five', 'six'].map((word) => `sirius shines ${word}`).join('\n\n'));
    await bench.document('/Vega', 'a long paragraph on many other things, in which sirius is named beside them once');
    const { matches } = await search('sirius shines');
    expect(matches.map(({ documentTitle }) => documentTitle)).toEqual(['Sirius', 'Sirius', 'Sirius', 'Sirius', 'Sirius', 'Vega']);
  });

  it('ranks the same whatever other notes there are, open or hidden', async () => {
    await bench.document('/Rare', 'antares once, and nothing else that was asked');
    for (let index = 0; index < 6; index += 1) await bench.document(`/Usual ${index}`, `deneb and altair ${index}`);
    await bench.document('/Both', 'deneb and altair and deneb');
    const before = titles(await search('antares deneb altair'));
    const other = await bench.document('/Other things', 'nothing of it\n\n'.repeat(300));
    expect(titles(await search('antares deneb altair'))).toEqual(before);
    await guard(other);
    expect(titles(await search('antares deneb altair'))).toEqual(before);
  });

  it('gives a text that is in many notes one place, from the shortest of them, and names others', async () => {
    const texts = Array.from({ length: 31 }, (_one, index) => `cassiopeia and mirach rise at hour ${index} of the night`);
    for (let index = 0; index < 10; index += 1) await bench.document(`/Almanac ${index}`, texts.join('\n\n'));
    await bench.document('/Hour seven', texts[7] ?? '');
    await bench.document('/Other', 'a few words more on cassiopeia, which nobody copied');
    const page = await search('cassiopeia mirach hour seven');
    expect(page.matches[0]).toMatchObject({ documentTitle: 'Hour seven', snippet: texts[7] });
    expect(page.matches[0]?.alsoIn?.map(({ path }) => path)).toEqual([
      expect.stringMatching(/^\/Almanac/u),
      expect.anything(),
      expect.anything(),
    ]);
    expect(snippets(page)).toEqual([...new Set(snippets(page))]);
    expect(titles(page)).toContain('Other');
  });

  it('ranks a note above what has one passage as good, if its other passages and the names above it have the other words', async () => {
    const lines = ['We rowed a kayak on the fjord.', 'It rained on the tent.', 'The stove was lost.'];
    await bench.document('/Ada and Bo/Week 1', lines.join('\n\n'));
    await bench.document('/Cy and Di/Week 1', 'We rowed a kayak on the fjord once more.\n\nThe sun was out.\n\nNothing was lost.');
    expect((await search('kayak with Ada, tent and stove')).matches[0]?.path).toBe('/Ada and Bo/Week 1');
    expect((await search('where did Cy row the kayak')).matches[0]?.path).toBe('/Cy and Di/Week 1');
  });

  it('gives the note of that name before those below it, however often these say it', async () => {
    const above = await bench.document('/Slow cooking', 'Low heat for hours. Slow cooking keeps meat tender.');
    const below = await bench.document(
      '/Slow cooking/Brisket',
      'Slow cooking, again.\n\nSlow cooking won.\n\nMore slow cooking.\n\nIn slow cooking, patience.',
    );
    const { matches } = await search('slow cooking');
    expect([...new Set(matches.map(({ documentId }) => documentId))].slice(0, 2)).toEqual([above, below]);
  });

  it('finds names, aliases, tags and the heading above', async () => {
    const doc = await bench.document('/Named', '# Zubenelgenubi\n\nfirst\n\nsecond #vindemiatrix#');
    const [, first = ''] = await bench.blocks(doc);
    await set(first, { alias: 'algieba' });
    expect(snippets(await search('algieba'))).toEqual(['first']);
    expect(titles(await search('vindemiatrix'))).toEqual(['Named']);
    expect(snippets(await search('zubenelgenubi second'))[0]).toMatch(/^second/u);
  });

  it('keeps to notebooks, places, kinds, tags and days', async () => {
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Elsewhere' });
    await bench.api('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/Far', markdown: 'quasar far' });
    const near = await bench.document('/Near', '# quasar head\n\nquasar one #sky/deep#\n\n- quasar item');
    await bench.document('/Near/Below', 'quasar below');
    expect(snippets(await search('quasar', { notebooks: [notebook.id] }))).toEqual(['quasar far']);
    expect(titles(await search('quasar', { places: [`${bench.notebook}/${near}`] })).sort()).toEqual(['Below', 'Near']);
    expect(snippets(await search('quasar', { types: ['h'] }))).toEqual(['quasar head']);
    expect(titles(await search('quasar', { tags: ['#sky#'] }))).toEqual(['Near']);
    expect((await search('quasar', { tags: ['sk'] })).matches).toEqual([]);
    expect((await search('quasar', { updatedTo: '2001-01-01' })).matches).toEqual([]);
    expect((await search('quasar', { updatedFrom: '2001-01-01' })).total).toBe(3);
    expect(await codeOf(search('quasar', { updatedFrom: 'soon' }))).toBe('bad_date');
    expect(await codeOf(search('quasar', { types: ['x'] }))).toBe('bad_type');
  });

  it('comes in pages of notes, none twice', async () => {
    for (let index = 0; index < 5; index += 1) await bench.document(`/Pulsar ${index}`, 'magnetar\n\nmagnetar again');
    const pages = [
      await search('magnetar', { pageSize: 2 }),
      await search('magnetar', { pageSize: 2, page: 2 }),
      await search('magnetar', { pageSize: 2, page: 3 }),
    ];
    expect(pages.map(({ total, nextPage }) => [total, nextPage])).toEqual([
      [null, 2],
      [null, 3],
      [5, null],
    ]);
    expect(pages.flatMap(titles)).toHaveLength(5);
    expect(new Set(pages.flatMap(({ matches }) => matches.map(({ id }) => id))).size).toBe(5);
  });

  it('marks a chat that was saved as a note, and puts it last', async () => {
    const chat = await bench.document('/Blazar chat', 'blazar jets, asked about blazar jets');
    await bench.document('/Blazar', 'a blazar in a note of mine');
    await set(chat, { [SAVED_CHAT]: 's1' });
    expect((await search('blazar jets')).matches.map(({ isSavedChat }) => isSavedChat === true)).toEqual([false, true]);
  });

  it('asks no more than five requests, also where an embed is read', async () => {
    await bench.document('/Embeds', "{{SELECT * FROM blocks WHERE content LIKE '%telescope%'}}");
    const requests: string[] = [];
    bench.hooks = { before: (path) => void requests.push(path) };
    await search('Which telescope has seen the red dust of the nebula?');
    bench.hooks = {};
    expect(requests.length).toBeLessThanOrEqual(5);
    expect(requests.length).toBeGreaterThan(0);
  });

  it('asks no more than eight where something masked is read, what need not wait side by side', async () => {
    const doc = await bench.document('/Refers to what is gone', 'red dust gone');
    await refer(bench, doc, 'gone', '20200101000000-abcdefg');
    const requests: string[] = [];
    let [open, most] = [0, 0];
    bench.hooks = {
      before: (path) => {
        requests.push(path);
        open += 1;
        most = Math.max(most, open);
      },
      after: () => {
        open -= 1;
      },
    };
    const page = await search('red dust');
    bench.hooks = {};
    expect(page.matches.map(({ documentId }) => documentId)).toContain(doc);
    // What may be read of the one masked block is two more, whether its note is a saved chat another.
    expect(requests.length).toBeLessThanOrEqual(8);
    expect(requests.filter((path) => path === '/api/query/sql').length).toBeLessThanOrEqual(4);
    expect(most).toBeGreaterThan(1);
  });

  it('finds a block by its id', async () => {
    const [id = ''] = await bench.blocks(await bench.document('/By id', 'found by its id'));
    expect(snippets(await search(id))).toEqual(['found by its id']);
  });
});

describe('search by words and by pattern', () => {
  beforeAll(async () => {
    const gone = "((20200101000000-abcdefg 'gone'))";
    await bench.document('/Fomalhaut', 'its light');
    await bench.document('/Longer', `${'much else is said here. '.repeat(8)}fomalhaut was named once in the evening`);
    await bench.document('/Parts', `${'of other things. '.repeat(8)}subfomalhautine evening`);
    await bench.document('/Best', 'fomalhaut in the evening, fomalhaut');
    await bench.document('/Shows what is gone', `${'many other words stand here. '.repeat(12)}fomalhaut in the evening ${gone}`);
  });

  it.each([
    ['keyword', 'fomalhaut evening'],
    ['syntax', '"fomalhaut" AND "evening"'],
  ] as const)('in mode %s gives the best first, and what needs a closer look among the others', async (mode, query) => {
    expect((await search(query, { mode, types: ['p'] })).matches.map(({ documentTitle }) => documentTitle)).toEqual([
      'Best',
      'Longer',
      'Shows what is gone',
      'Parts',
    ]);
  });

  it('in mode regex gives whole words and titles first', async () => {
    const found = (await search('(?i)fomalhaut', { mode: 'regex' })).matches.map(({ documentTitle }) => documentTitle);
    expect([...found.slice(0, 2)].sort()).toEqual(['Best', 'Fomalhaut']);
    expect(found.slice(2)).toEqual(['Longer', 'Shows what is gone', 'Parts']);
  });

  it('says of keywords that find nothing which of them stand nowhere', async () => {
    expect(await search('fomalhaut xyzzyq', { mode: 'keyword' })).toEqual({ matches: [], total: 0, nextPage: null, missing: ['xyzzyq'] });
    expect(await search('fomalhaut evenings named', { mode: 'keyword', types: ['h'] })).not.toHaveProperty('matches.0');
  });

  it('cuts pages from one order', async () => {
    const all = (await search('fomalhaut', { mode: 'keyword' })).matches.map(({ id }) => id);
    const pages = [];
    for (const page of [1, 2, 3])
      pages.push(...(await search('fomalhaut', { mode: 'keyword', page, pageSize: 2 })).matches.map(({ id }) => id));
    expect(pages).toEqual(all);
    expect(all).toHaveLength(5);
  });
});

describe('what is hidden', () => {
  beforeEach(() => bench.api('/api/sqlite/flushTransaction', {}));

  it('is not named as a copy, and stands for none', async () => {
    const text = 'errai and alrai and segin point to the north, says this line';
    const [open, hidden] = [
      await bench.document('/Open north', `${text}\n\nmore on errai\n\nand on segin`),
      await bench.document('/Hidden north', text),
    ];
    expect((await search('errai alrai segin')).matches[0]).toMatchObject({ documentId: hidden, alsoIn: [{ id: open }] });
    await guard(hidden);
    const [first] = (await search('errai alrai segin')).matches;
    expect(first).toMatchObject({ documentId: open });
    expect(first?.alsoIn).toBeUndefined();
  });

  it('is not found, nor what stands in a guarded document or notebook', async () => {
    const [shut = ''] = await bench.blocks(await bench.document('/Half open', 'procyon shut\n\nprocyon open'));
    await guard(shut);
    const closed = await bench.document('/Procyon closed', 'procyon');
    await bench.document('/Procyon closed/Below', 'procyon below');
    await guard(closed);
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Shut' });
    await bench.api('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/Procyon shut', markdown: 'procyon' });
    bench.policy.setRight(notebook.id, 'none');
    expect(snippets(await search('procyon'))).toEqual(['procyon open']);
    expect(titles(await search('procyon', { tags: ['none'] }))).toEqual([]);
  });

  it.each([
    ['makes no open word usual', 'capella of mine', 400],
    ['takes no place among those that are ranked', 'capella spica', 400],
    ['does neither where there is more than a statement names', 'capella spica', 600],
  ])('%s, whatever it says', async (what, text, count) => {
    await bench.document(`/Open one ${what}`, 'capella stands in the north');
    await bench.document(`/Open two ${what}`, 'spica stands in the south, in the south');
    const found: SearchPage[] = [];
    for (const hidden of ['nothing at all', text]) {
      const id = await bench.document(`/Hidden ${what}`, Array.from({ length: count }, () => hidden).join('\n\n'));
      await guard(id);
      found.push(await search('where capella and spica stand'));
      await bench.api('/api/filetree/removeDocByID', { id });
      await bench.api('/api/sqlite/flushTransaction', {});
    }
    expect(found[1]).toEqual(found[0]);
    expect(found[0]?.matches.length).toBeGreaterThan(1);
  });

  it('adds no words to its note, whether a block, a section or what a block shows of it is hidden', async () => {
    const other = await bench.document('/Beside mimosa', 'acrux stands high\n\nand mimosa and gacrux too\n\nor not');
    const [hidden, shown, head, below, last] = ['first', 'second', '# third', 'fourth', 'fifth'];
    const note = await bench.document('/Around acrux', ['acrux is low', hidden, shown, 'mimosa was seen', head, below, last].join('\n\n'));
    const blocks = await bench.blocks(note);
    for (const at of [1, 4]) await guard(blocks[at] ?? '');
    const found: unknown[] = [];
    const write = async (at: number, markdown: string): Promise<void> => {
      await bench.api('/api/block/updateBlock', { id: blocks[at], dataType: 'markdown', data: markdown });
      if (at !== 2) await guard(blocks[at] ?? '');
      await bench.api('/api/sqlite/flushTransaction', {});
    };
    const query = 'acrux mimosa gacrux';
    for (const words of ['nothing', 'acrux mimosa gacrux '.repeat(40)]) {
      await write(1, words);
      await write(4, `# ${words.slice(0, 200).trim()}`);
      await write(2, `shown ((${blocks[1]} '${words.trim()}'))`);
      found.push((await search(query)).matches.map(({ documentId, id, snippet }) => [documentId, id, snippet]));
    }
    expect(found[1]).toEqual(found[0]);
    expect((await search(query)).matches.map(({ documentId }) => documentId)).toEqual(expect.arrayContaining([other, note]));
  });

  it('makes its note no longer than what may be read of it', async () => {
    await bench.document('/Sky one', 'hadar is low\n\nwhat else was seen is said elsewhere');
    const note = await bench.document('/Sky two', `hadar is low\n\n${'long '.repeat(400)}\n\n# Head\n\n${'long '.repeat(400)}`);
    const [, long = '', head = ''] = await bench.blocks(note);
    expect(titles(await search('hadar'))).toEqual(['Sky one', 'Sky two']);
    await guard(long);
    await guard(head);
    expect(titles(await search('hadar'))).toEqual(['Sky two', 'Sky one']);
  });

  it('is in no word of a block that shows it, and that block stands where its open words put it', async () => {
    const [secret = ''] = await bench.blocks(await bench.document('/Secret place', 'aldebaran'));
    await bench.document('/Shows', `canopus seen with ((${secret} 'aldebaran')) today`);
    await bench.document('/Better', 'canopus seen today, canopus today');
    await bench.document('/Worse', 'today');
    await guard(secret);
    const page = await search('canopus today');
    expect(titles(page)).toEqual(['Better', 'Shows', 'Worse']);
    expect(JSON.stringify(page)).not.toContain('aldebaran');
    expect((await search('aldebaran')).matches).toEqual([]);
  });
});
