import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, type KernelNotes, openNotes } from '../../../../tests/host/open-notes.ts';
import type { ToolExecuteResult } from '../../contract/types.ts';
import { TOOL_NOTEBOOKS } from '../../testing/tool-samples.ts';

const SERVER = 'https://meaning.example/v1';
const open = (meaningServer?: string) => openNotes({ notebooks: TOOL_NOTEBOOKS, meaningServer });

afterEach(closeNotes);

describe('search_notes', () => {
  it('hands every filter to the port, names resolved and signs of tags taken off', async () => {
    const { text, notes, notebook } = await open();
    const queries: unknown[] = [];
    const search = notes.search.bind(notes);
    notes.search = (query, signal) => {
      queries.push(query);
      return search(query, signal);
    };
    const args = { notebooks: ['work'], types: ['p', 'h'], tags: ['#space#', ' '], updatedFrom: '2026-01-01', updatedTo: '2999-01-31' };
    expect(await text('search_notes', { query: 'launch', mode: 'syntax', page: 2, ...args })).toMatch(/^2 matches/u);
    await text('search_notes', { query: 'launch', notebooks: [], types: [''], tags: [], updatedFrom: '' });
    expect(queries).toEqual([
      {
        query: 'launch',
        mode: 'syntax',
        page: 2,
        pageSize: 20,
        notebooks: [notebook('Work')],
        types: ['p', 'h'],
        tags: ['space'],
        updatedFrom: '2026-01-01',
        updatedTo: '2999-01-31',
      },
      { query: 'launch', mode: 'relevance', page: 1, pageSize: 10 },
    ]);
  });

  it.each([
    // That a word stands in no note is told as well.
    { query: 'xyzzy' },
    { query: 'xyzzy', mode: 'keyword' },
    { query: 'xyzzy', mode: 'syntax' },
    { query: 'xyzzy', mode: 'regex' },
    { query: 'launch xyzzy', mode: 'keyword' },
    { query: 'launch', page: 99 },
    { query: 'launch', mode: 'keyword', page: 99 },
    { query: 'launch' },
  ])('tells of notes, and is private, whatever it finds: %j', async (args) => {
    const { call, executor } = await open();
    await call('search_notes', args);
    expect(executor.givenPrivate).toBe(true);
  });

  it.each([
    [{ updatedFrom: '2026-02-31' }, /^bad_date: 2026-02-31 is not a valid date/u],
    [{ updatedFrom: 'last week' }, /^bad_date/u],
    [{ updatedFrom: '2026-02-01', updatedTo: '2026-01-01' }, /^bad_date: .* is after .* → give the earlier day as updatedFrom/u],
    [{ types: ['p', 'paragraph'] }, /^bad_arguments: there is no type paragraph → use some of d, h/u],
    [{ notebooks: ['Wrk'] }, /^not_found: there is no notebook "Wrk" → use one of: Work/u],
    [{ notebooks: ['Work', 'first', 'second'] }, /^not_found: there is no notebook "first"/u],
    [{ mode: 'semantic' }, /^bad_arguments/u],
  ])('refuses %j', async (args, message) => {
    expect(await (await open()).text('search_notes', { query: 'launch', ...args })).toMatch(message);
  });

  /** What each search that reaches the port is asked, and whether by meaning. */
  function watch({ notes }: KernelNotes): [query: string, meaning: boolean | undefined][] {
    const asked: [string, boolean | undefined][] = [];
    const search = notes.search.bind(notes);
    notes.search = (query, signal) => {
      asked.push([query.query, query.meaning]);
      return search(query, signal);
    };
    return asked;
  }

  it('asks the embedding service by itself where that is allowed, for the best notes alone, and never asks the person', async () => {
    const bench = await open(SERVER);
    const asked = watch(bench);
    for (const mode of [undefined, 'relevance', 'keyword', 'syntax', 'regex'])
      await bench.call('search_notes', { query: 'launch', ...(mode ? { mode } : {}) });
    expect(asked.map(([, meaning]) => meaning)).toEqual([true, true, undefined, undefined, undefined]);
    expect(bench.asked).toEqual([]);
    expect(JSON.stringify(bench.executor.getTool('search_notes')?.definition)).not.toContain('semantic');
  });

  it.each([
    ['was not allowed', undefined, SERVER],
    ['is another than the one allowed', SERVER, 'https://other.example'],
    ['is gone', SERVER, undefined],
  ])('sends no word to a service that %s', async (_why, allowed, now) => {
    const bench = await open(allowed);
    bench.notes.meaningServer = async () => now;
    const asked = watch(bench);
    expect(await bench.text('search_notes', { query: 'launch' })).toMatch(/^\d notes?\n/u);
    expect(asked).toEqual([['launch', undefined]]);
  });

  it('says whether meaning counted', async () => {
    const bench = await open(SERVER);
    const { search } = bench.notes;
    for (const [byMeaning, said] of [
      [true, /^2 notes, by words and meaning\n/u],
      [false, /^2 notes, by words alone: the embedding service gave nothing\n/u],
    ] as const) {
      bench.notes.search = async (query, signal) => ({ ...(await search({ ...query, meaning: false }, signal)), byMeaning });
      const result = await bench.call('search_notes', { query: 'launch' });
      expect(result.formattedText).toMatch(said);
      expect(result.found?.byMeaning).toBe(byMeaning);
    }
  });

  it('searches several things at once: the best notes of each on one page', async () => {
    const bench = await open();
    const book = bench.notebook('Work');
    for (let index = 0; index < 12; index++) await bench.add(book, `/Kettle ${index}`, 'A kettle boils water, kettle.');
    await bench.add(book, '/Anchors', 'An anchor holds.');
    await bench.add(book, '/Both', 'A kettle with an anchor.');
    const asked = watch(bench);
    const text = await bench.text('search_notes', { query: 'kettle', also: ['anchor', ' ', 'kettle'] });
    expect(asked.map(([query]) => query)).toEqual(['kettle', 'anchor']);
    const titles = [...text.matchAll(/^\d+\. (\/\S+)/gmu)].map(([, title]) => title);
    expect(titles.slice(0, 4)).toEqual(expect.arrayContaining(['/Both', '/Anchors']));
    expect(titles.length).toBeGreaterThan(8);
    expect(await bench.text('search_notes', { query: 'kettle', also: ['anchor'], page: 2 })).not.toContain('/Anchors');
    expect(await bench.text('search_notes', { query: 'kettle', also: Array.from({ length: 9 }, (_, at) => `w${at}`) })).toMatch(
      /^bad_arguments/u,
    );
  });

  it('gives pages', async () => {
    const { text, notebook, add } = await open();
    for (let index = 0; index < 25; index++) await add(notebook('Work'), `/P${index}`, 'needle');
    expect(await text('search_notes', { query: 'needle', mode: 'keyword' })).toMatch(
      /^more matches than these\n1\. .*\n20\. [^\n]+\n[^\n]+\nnext: search_notes query=needle mode=keyword page=2$/su,
    );
    expect(await text('search_notes', { query: 'needle', mode: 'keyword', page: 2 })).not.toContain('next:');
    expect(await text('search_notes', { query: 'needle' })).toMatch(
      /^the best notes, more on the next page\n1\. .*\n10\. [^\n]+\n[^\n]+\nnext: search_notes query=needle page=2$/su,
    );
    expect(await text('search_notes', { query: 'needle', page: 3 })).not.toContain('next:');
  });

  it('takes a question: the best notes, passages with ids to cite, and the words that are nowhere', async () => {
    const { call, notebook, add } = await open();
    const book = notebook('Work');
    await add(book, '/Kettles', 'A red kettle.\n\nA kettle.\n\nRed lids.\n\nred');
    const result = await call('search_notes', { query: 'red kettle xyzzy' });
    expect(result.formattedText).toMatch(
      /^1 note\nin no note: xyzzy\n1\. \/Kettles \[[\w-]+\] in Work\n {3}\[[\w-]+\] A red kettle\.(?:\n {3}.*){3}$/u,
    );
    expect(result.blockIds).toHaveLength(5);
    expect((await call('search_notes', { query: 'xyzzy' })).formattedText).toBe(
      '0 notes\nin no note: xyzzy\ntry other or fewer words, fewer filters, or list_docs',
    );
  });
});

describe('what a search found', () => {
  const titles = ({ found }: ToolExecuteResult) => found?.notes.map(({ title, passages }) => [title, passages.map(({ text }) => text)]);

  it('goes beside the text of every mode: notes, passages, what was looked for and what is nowhere', async () => {
    const { call, id, block } = await open();
    const asked = await call('search_notes', { query: 'launch xyzzy' });
    expect(asked.found).toMatchObject({ words: ['launch'], missing: ['xyzzy'] });
    const apollo = asked.found?.notes.find((note) => note.id === id('/Apollo'));
    expect(apollo).toMatchObject({ title: 'Apollo', path: '/Apollo', notebook: 'Work' });
    expect(apollo?.passages[0]?.id).toBe(block('/Apollo', 1).id);
    for (const [mode, query, words] of [
      ['keyword', 'the launch', ['the', 'launch']],
      ['syntax', '"the launch" OR (fuel AND NOT zzz*)', ['the launch', 'fuel', 'zzz']],
      ['regex', 'La.nch', ['Launch']],
    ]) {
      const { found } = await call('search_notes', { query, mode });
      expect([mode, found?.words]).toEqual([mode, words]);
    }
  });

  it('is an empty list where nothing was found, and absent where the call failed', async () => {
    const { call, id } = await open();
    expect((await call('search_notes', { query: 'xyzzy' })).found).toEqual({ notes: [], words: [], missing: ['xyzzy'] });
    expect((await call('grep_doc', { id: id('/Apollo'), pattern: 'xyzzy' })).found?.notes).toEqual([]);
    expect((await call('backlinks', { id: id('/Zeta') })).found?.notes).toEqual([]);
    expect((await call('search_notes', { query: 'x', updatedFrom: 'never' })).found).toBeUndefined();
  });

  it('shows lines of one note as words, with what matched them', async () => {
    const { call, id } = await open();
    const lines = await call('grep_doc', { id: id('/Apollo'), pattern: 'PLAN' });
    expect([titles(lines), lines.found?.words]).toEqual([[['Apollo', ['Plan']]], ['Plan']]);
    const pattern = await call('grep_doc', { id: id('/Apollo'), pattern: 'A.n', regex: true });
    expect([titles(pattern), pattern.found?.words]).toEqual([[['Apollo', ['Anna']]], ['Ann']]);
  });

  it('says why a note is related', async () => {
    const { call, id } = await open();
    const { found } = await call('related_notes', { id: id('/Apollo') });
    expect(found?.notes.slice(0, 2)).toMatchObject([
      { title: 'Log', shared: expect.arrayContaining(['crew', 'fuel']) },
      { title: 'Zeta', shared: expect.arrayContaining(['launch', 'space']) },
    ]);
    expect(found?.words).toEqual(expect.arrayContaining(['crew', 'fuel', 'space']));
  });
});

describe('grep_doc, backlinks, related_notes and recent_docs', () => {
  it('grep_doc gives block number, id and line, of list items too', async () => {
    const { call, text, block, id } = await open();
    const result = await call('grep_doc', { id: id('/Apollo'), pattern: 'an' });
    const item = block('/Apollo', 3).items![0]!;
    expect(result.formattedText).toBe(
      `# Apollo [${id('/Apollo')}] /Apollo in Work\n2 matches\n0 [${block('/Apollo', 0).id}] # Plan\n3 [${item.id}] Anna`,
    );
    expect(result.blockIds).toEqual([id('/Apollo'), block('/Apollo', 0).id, item.id]);
    expect(await text('grep_doc', { id: id('/Apollo'), pattern: '^[AB]', regex: true })).toContain('2 matches');
    expect(await text('grep_doc', { id: id('/Apollo'), pattern: '(', regex: true })).toMatch(/^bad_pattern/u);
    expect(await text('grep_doc', { id: id('/Apollo'), pattern: '(' })).toContain('0 matches');
  });

  it('grep_doc says that it was cut, and what is hidden', async () => {
    const { text, notebook, id, hide, add } = await open();
    const long = await add(notebook('Work'), '/Long', 'fuel\n\n'.repeat(60));
    await hide(long.blocks[0]!.id);
    const found = await text('grep_doc', { id: id('/Long'), pattern: 'fuel' });
    expect(found).toMatch(/\n59 matches\n/u);
    expect(found).toMatch(/\(1 blocks are kept private\)\nnext: 9 more; use a narrower pattern$/u);
  });

  it('backlinks groups by document and counts nothing that is hidden', async () => {
    const { call, text, block, id, notebook, hide, add } = await open();
    const launch = block('/Apollo', 1).id;
    const see = await add(notebook('Work'), '/See', `See ((${launch} "launch")).\n\nThen ((${launch} "it")).`);
    const guarded = await add(notebook('Work'), '/Private', `((${launch} "x"))`);
    await hide(guarded.id);
    const result = await call('backlinks', { id: launch });
    const [one, two] = see.blocks;
    const [count, note, ...passages] = result.formattedText?.split('\n') ?? [];
    expect([count, note]).toEqual(['2 links', `1. /See [${see.id}] in Work`]);
    expect(passages.sort()).toEqual([`   [${one!.id}] See launch.`, `   [${two!.id}] Then it.`].sort());
    expect(result.notebooks).toEqual([notebook('Work')]);
    expect([...(result.blockIds ?? [])].sort()).toEqual([see.id, one!.id, two!.id].sort());
    expect(await text('backlinks', { id: id('/Apollo'), kind: 'mentions' })).toMatch(/^1 mentions\n1\. \/Zeta /u);
  });

  it('related_notes gives notes with a passage and the words that both have, and never the note itself', async () => {
    const bench = await open();
    const [own, zeta, party] = [bench.id('/Apollo'), bench.id('/Zeta'), bench.block('/Zeta', 0)];
    const [log, other] = [bench.id('/Apollo/Log'), bench.block('/Apollo/Log', 1)];
    const { formattedText = '', blockIds } = await bench.call('related_notes', { id: own });
    const [head, ...lines] = formattedText.split('\n');
    expect(head).toBe(`3 notes related to /Apollo [${own}]`);
    expect(lines.slice(0, 4)).toEqual([
      `1. /Apollo/Log [${log}] in Work; both have: crew, fuel, day`,
      `   [${other.id}] Day two: fuel again, with the crew.`,
      `2. /Zeta [${zeta}] in Work; both have: launch, space`,
      `   [${party.id}] Launch party. #space#`,
    ]);
    expect(blockIds?.slice(0, 5)).toEqual([own, log, other.id, zeta, party.id]);
    expect(await bench.text('related_notes', { id: 'x' })).toMatch(/^bad_id/u);
  });

  it('recent_docs gives day, title and id', async () => {
    const { text, call, id, notebook, hide } = await open();
    const result = await call('recent_docs');
    const day = new Date().toLocaleDateString('sv-SE');
    expect(result.formattedText).toMatch(
      new RegExp(`^8 documents changed in 7 days\n.*- ${day} \\d\\d:\\d\\d Zeta \\[${id('/Zeta')}\\] /Zeta in Work`, 'su'),
    );
    expect(result.notebooks).toEqual(expect.arrayContaining([notebook('Work'), notebook('Diary')]));
    expect(result.blockIds).toContain(id('/Zeta'));
    await hide(id('/Zeta'));
    expect(await text('recent_docs')).toMatch(/^7 documents changed in 7 days\n(?!.*Zeta)/su);
  });
});

describe('query_sql', () => {
  it('gives a table in the order of its columns, and ids of id columns only to cite', async () => {
    const { call, text, id, notebook } = await open();
    const result = await call('query_sql', {
      stmt: "SELECT content, id FROM blocks WHERE type = 'd' AND hpath LIKE '%apollo%' ORDER BY hpath",
    });
    expect(result.formattedText).toBe(
      `| content | id |\n| --- | --- |\n| Apollo | ${id('/Apollo')} |\n| Log | ${id('/Apollo/Log')} |\n2 rows`,
    );
    expect(result.blockIds).toEqual([id('/Apollo'), id('/Apollo/Log')]);
    // Whatever it could see: also the notebook that gave no row.
    expect(result.notebooks).toEqual([notebook('Work'), notebook('Diary')]);
    // Nor is its text that of the blocks whose ids stand beside it: a note that is guarded later may be in it.
    expect(result.sources).toEqual([{ notebook: notebook('Work') }, { notebook: notebook('Diary') }]);
    expect((await call('query_sql', { stmt: "SELECT box, content FROM blocks WHERE type = 'd'" })).blockIds).toEqual([]);
    expect(await text('query_sql', { stmt: "SELECT id FROM blocks WHERE type = 'x'" })).toBe('0 rows');
    expect(await text('query_sql', { stmt: 'DELETE FROM blocks' })).toMatch(/^bad_sql/u);
  });

  it('keeps cells on one line and whole, and says what was cut', async () => {
    const { call, text, notebook, executor, add } = await open();
    const wild = `a|b \\ c\n${'👨‍👩‍👧'.repeat(60)}`;
    await add(notebook('Work'), '/Wild', wild);
    const found = await text('query_sql', { stmt: "SELECT markdown FROM blocks WHERE hpath = '/Wild' AND type = 'p'" });
    expect(found).toMatch(/\n\| a\\\|b \\\\ c (?:👨‍👩‍👧)+… \|\n1 rows$/u);
    for (let index = 0; index < 150; index++) await add(notebook('Work'), `/N${index}`, 'filler '.repeat(20));
    const cut = await call('query_sql', { stmt: 'SELECT id, markdown FROM blocks', maxRows: 120 });
    expect(cut.finalText).toContain('records left out here');
    expect(cut.finalText).toContain('120 rows; more were cut off: add conditions, or LIMIT and OFFSET');
    expect(executor.getTool('query_sql')!.compressResult!(cut)).toMatch(/^120 rows; /u);
  });

  it('is off while anything is kept private', async () => {
    const { text, id, hide } = await open();
    await hide(id('/Zeta'));
    expect(await text('query_sql', { stmt: 'SELECT id FROM blocks' })).toMatch(/^sql_off: .* → /u);
  });
});
