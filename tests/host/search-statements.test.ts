// No text of a model becomes part of a statement: every route of the kernel that is given one, with texts that were made to leave it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SearchPage, SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { evenForm } from '../../src/tools/equal-text/equal-text.ts';
import { settle } from './real-kernel.ts';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

const PIN = 'guarded pin 4711';
const COLUMNS =
  'id,parent_id,root_id,hash,box,path,hpath,name,alias,memo,tag,content,fcontent,markdown,length,type,subtype,ial,sort,created,updated';
const UNION = `zzz)') UNION SELECT ${COLUMNS} FROM blocks WHERE content LIKE '%4711%' --`;
/** Each is in one paragraph as it is. */
const HOSTILE = [
  UNION,
  "x') OR 1=1 --",
  "x')); DELETE FROM spans --",
  '") OR ("',
  "it's 'quoted' ''twice''",
  'say "hi" and ""twice""',
  '“curly” ‘quotes’ it’s',
  'a*b ^c {d} e:f g+h -i',
  'back\\slash \\\' \\" \\',
  'fifty_% 100% a_b',
  '%',
  '_',
  '*',
  '"',
  "'",
  '\\',
  ';',
  '--',
  '/* c */',
  'NULL',
  '? ?1 :a @b $c',
  '[x] `y`',
  '<b>&amp;</b>',
  '1)) UNION SELECT 1',
];

let bench: TestBench;
let notebook = '';
let doc = '';
let texts = new Map<string, string>();

beforeAll(async () => {
  bench = await startBench();
  notebook = bench.notebook;
  doc = await bench.document('/Hostile', HOSTILE.map(() => 'placeholder').join('\n\n'));
  const blocks = await bench.blocks(doc);
  const secret = (await bench.blocks(await bench.document('/Secret', PIN)))[0] ?? '';
  await bench.api('/api/attr/setBlockAttrs', { id: secret, attrs: { 'custom-ai-access': 'none' } });
  const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
  const html = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? sign);
  await bench.transact(
    HOSTILE.map((text, at) => ({
      action: 'update',
      id: blocks[at],
      data: `<div data-node-id="${blocks[at]}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${html(text)}</div><div class="protyle-attr" contenteditable="false"></div></div>`,
    })),
  );
  await settle();
  await bench.api('/api/sqlite/flushTransaction', {});
  const rows = await bench.api<{ id: string; content: string }[]>('/api/query/sql', {
    stmt: `SELECT id, content FROM blocks WHERE root_id = '${doc}' AND type = 'p' LIMIT 100`,
  });
  texts = new Map(rows.map(({ id, content }) => [id, content]));
  expect(texts.size).toBe(HOSTILE.length);
});
afterAll(() => bench.close());

const search = (query: string, mode: SearchQuery['mode']): Promise<SearchPage> =>
  bench.host.notes.search({ query, mode, page: 1, pageSize: 100, notebooks: [notebook], types: ['p'] }, signal);
const holding = (part: (text: string) => boolean): string[] => [...texts].flatMap(([id, text]) => (part(text) ? [id] : [])).sort();
/** In whatever quotes. */
const contains = (text: string, part: string): boolean => evenForm(text).includes(evenForm(part));
const idsOf = ({ matches }: SearchPage): string[] => matches.map(({ id }) => id).sort();
const words = (text: string): string[] => text.split(' ');

describe('a hostile text', () => {
  it('would have made the kernel print what is guarded, and makes search_notes print nothing', async () => {
    const raw = await bench.api<{ blocks: { content: string }[] }>('/api/search/fullTextSearchBlock', {
      query: UNION,
      method: 1,
      paths: [notebook],
      page: 1,
      pageSize: 10,
      groupBy: 0,
      orderBy: 0,
    });
    expect(raw.blocks.map(({ content }) => content.replaceAll(/<\/?mark>/g, ''))).toContain(PIN);
    expect(await codeOf(search(UNION, 'syntax'))).toBe('bad_query');
    for (const query of [`"${UNION}"`, `x OR "${UNION}"`, `content:"${UNION}"`, `NEAR("${UNION}" x)`]) {
      const { matches } = await search(query, 'syntax');
      expect(matches.map(({ snippet }) => snippet).join(), query).not.toContain('4711 ');
      expect(matches.filter(({ id }) => !texts.has(id))).toEqual([]);
    }
  });

  it.each(HOSTILE)('%s finds in query syntax, as a phrase, what holds it, and nothing else', async (text) => {
    expect(idsOf(await search(`"${text.replaceAll('"', '""')}"`, 'syntax'))).toEqual(holding((each) => contains(each, text)));
  });

  it.each(HOSTILE)('%s finds as words what holds them all, and nothing else', async (text) => {
    expect(idsOf(await search(text, 'keyword'))).toEqual(holding((each) => words(text).every((word) => contains(each, word))));
  });

  it.each(HOSTILE)('%s finds as a regular expression that says it what holds it, and nothing else', async (text) => {
    const pattern = text.slice(0, 60).replaceAll(/[^\w ]/gu, '\\$&');
    expect(idsOf(await search(pattern, 'regex'))).toEqual(holding((each) => each.includes(text.slice(0, 60))));
  });

  it.each(HOSTILE)('%s is read in query syntax, or refused with the place', async (text) => {
    const code = await codeOf(search(text, 'syntax'));
    expect(['no error', 'bad_query']).toContain(code);
    if (code === 'no error') expect((await search(text, 'syntax')).matches.filter(({ id }) => !texts.has(id))).toEqual([]);
  });

  it.each(['\u0000', '4711\u0000', '\u200b\u0000\ue000'])('%j is nothing to look for, or what is left of it', async (text) => {
    for (const mode of ['keyword', 'syntax'] as const) {
      expect(await codeOf(search(text, mode))).toBe(text.includes('4711') ? 'no error' : 'empty_text');
    }
  });

  it.each([...HOSTILE, `'\u0000'`, '\u0000'])('%s as a tag, a filter, a path or a text of grep is only a text', async (text) => {
    const { notes } = bench.host;
    const tagged = await notes.search({ query: 'a', mode: 'keyword', page: 1, pageSize: 9, tags: [text.replaceAll('#', '')] }, signal);
    expect(tagged.matches).toEqual([]);
    expect((await notes.tags({ filter: text, limit: 9 }, signal)).tags).toEqual([]);
    const { matches } = await notes.grep({ id: doc, pattern: text, regex: false, limit: 99 }, signal);
    for (const { line } of matches) expect(evenForm(line.replaceAll('\\', ''))).toContain(evenForm(text.replaceAll('\\', '').slice(0, 40)));
  });
});

describe('what is looked for is found', () => {
  let found = '';
  beforeAll(async () => {
    const document = await bench.document('/Found', "first paragraph has quokka\n\ndon't panic, it’s 微服务架构中的熔断机制");
    found = (await bench.blocks(document))[0] ?? '';
    await bench.api('/api/sqlite/flushTransaction', {});
  });
  const second = async (query: string, mode: SearchQuery['mode']): Promise<string[]> =>
    (await search(query, mode)).matches.map(({ snippet }) => snippet).filter((text) => text.startsWith('don'));

  it.each([
    'quokka ',
    ' quokka',
    '　quokka　',
    'quokka\n',
    '\tquokka',
    '\u00a0quokka\u00a0',
    'quo\u200bkka',
    'first　quokka',
    'first\tquokka',
    'first\n\nquokka',
  ])('%j as words', async (query) => {
    expect(idsOf(await search(query, 'keyword'))).toContain(found);
  });

  it.each([
    ["don't", 'keyword'],
    ["don't panic", 'keyword'],
    ["don't", 'syntax'],
    ['"don\'t" OR nothing', 'syntax'],
    ["don't", 'regex'],
    ['it’s', 'syntax'],
    ['[\\u4e00-\\u9fa5]{4}机制', 'regex'],
    ['\\p{Script=Han}{2}机制', 'regex'],
    ['(?<word>熔断)机制', 'regex'],
    ['panic,\\u0020it', 'regex'],
  ] as const)('%s in mode %s', async (query, mode) => {
    expect(await second(query, mode)).toHaveLength(1);
  });

  it('and shown as the block says it', async () => {
    const [match] = (await search('熔断', 'syntax')).matches.filter(({ snippet }) => snippet.startsWith('don'));
    expect(match?.snippet).toBe("don't panic, it’s 微服务架构中的熔断机制");
  });
});
