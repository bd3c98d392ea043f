import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBlockIndex, type SearchIndex } from '../block-index.ts';
import { BLOCK_COLUMNS } from '../schema.ts';
import { NOTEBOOK, testDocument } from '../test-documents.ts';
import { fullTextSearch, type SearchAnswer } from './full-text.ts';
import { snippet, termPattern } from './highlight.ts';
import { readSearchQuery } from './search-query.ts';

const OTHER = '20260101000000-notebk2';
let index: SearchIndex;

beforeAll(() => {
  index = createBlockIndex();
  const moved = { ...testDocument('Elsewhere', 'a quick word'), notebook: OTHER };
  index.putAll([
    testDocument(
      'Fox',
      '# Animals\n\nthe quick brown fox\n\nquick silver\n\n`code quick`\n\n- quick item\n\n思源笔记是一款隐私优先的笔记软件',
    ),
    testDocument('Notes on quick things', 'about "x < y" & the rest\n\nbrown bread; a fox is quick and brown'),
    moved,
  ]);
});
afterAll(() => index.close());

const search = (query: string, more: Record<string, unknown> = {}): SearchAnswer =>
  fullTextSearch(index, readSearchQuery({ query, paths: [NOTEBOOK], ...more }));
const shown = (answer: SearchAnswer): string[] => answer.blocks.map((block) => block.content);

describe('one word', () => {
  it('finds titles first and marks the matches', () => {
    const answer = search('quick');
    expect(shown(answer)[0]).toBe('Notes on <mark>quick</mark> things');
    expect(shown(answer)).toContain('the <mark>quick</mark> brown fox');
    expect(answer).toMatchObject({ matchedBlockCount: 6, matchedRootCount: 2, pageCount: 1, docMode: false });
    expect(answer.blocks[0]).toMatchObject({ type: 'NodeDocument', hPath: '/' });
  });

  it('searches all notebooks without paths, lists only on request', () => {
    expect(search('quick', { paths: [] }).matchedRootCount).toBe(3);
    expect(shown(search('item', { types: { listItem: true } }))).toEqual([' quick <mark>item</mark>']);
    expect(shown(search('quick', { types: {} }))).toEqual([]);
  });

  it('finds Chinese and escapes HTML', () => {
    expect(shown(search('隐私'))).toEqual(['思源笔记是一款<mark>隐私</mark>优先的笔记软件']);
    expect(shown(search('x'))).toContain('about &#34;<mark>x</mark> &lt; y&#34; &amp; the rest');
    expect(shown(search('"'))).toEqual(['about <mark>&#34;</mark>x &lt; y<mark>&#34;</mark> &amp; the rest']);
  });

  it('pages', () => {
    const pages = [1, 2, 3].map((page) => search('quick', { page, pageSize: 2, orderBy: 1 }));
    expect(new Set(pages.flatMap((page) => page.blocks.map((block) => block.id))).size).toBe(6);
    expect(pages[0]!.pageCount).toBe(3);
  });

  it('groups by document', () => {
    const answer = search('quick', { groupBy: 1, orderBy: 5 });
    const fox = answer.blocks.find((block) => block.content === 'Fox');
    expect(fox?.children?.map((block) => block.content)).toEqual([
      'the <mark>quick</mark> brown fox',
      '<mark>quick</mark> silver',
      'code <mark>quick</mark>',
      '<mark>quick</mark> item',
    ]);
  });
});

describe('several words', () => {
  it('finds documents that hold them all, and first the blocks that do', () => {
    const answer = search('quick fox');
    expect(answer).toMatchObject({ docMode: true, matchedBlockCount: 2, matchedRootCount: 2 });
    expect(shown(answer).slice(0, 2).sort()).toEqual([
      'brown bread; a <mark>fox</mark> is <mark>quick</mark> and brown',
      'the <mark>quick</mark> brown <mark>fox</mark>',
    ]);
    expect(answer.blocks.slice(2).map((block) => block.type)).toEqual(['NodeDocument', 'NodeDocument']);
  });

  it('finds nothing for several words by relevance, as 3.7.3 does', () => {
    expect(search('quick brown', { orderBy: 7 })).toMatchObject({ blocks: [], matchedBlockCount: 0 });
    expect(search('quick', { orderBy: 7 }).matchedBlockCount).toBeGreaterThan(0);
  });
});

describe('other methods', () => {
  it('reads query syntax', () => {
    expect(shown(search('quick NOT (silver OR fox)', { method: 1 })).sort()).toEqual([
      '<mark>quick</mark> item',
      'Notes on <mark>quick</mark> things',
      'code <mark>quick</mark>',
    ]);
    expect(search('quick AND (', { method: 1 }).blocks).toEqual([]);
  });

  it('puts query syntax into its statement as it is, so that it can be a statement of its own', () => {
    const columns = BLOCK_COLUMNS.join(', ');
    const silver = "WHERE content LIKE '%silver%'";
    expect(shown(search(`zzz)') UNION SELECT ${columns} FROM blocks ${silver} --`, { method: 1 }))).toEqual(['quick <mark>silver</mark>']);
    expect(shown(search(`zzz") UNION SELECT ${columns} FROM blocks ${silver} --`))).toEqual([]);
  });

  it('takes of a keyword the spaces around it, and leaves out what is not printed', () => {
    expect(shown(search('silver '))).toEqual([]);
    expect(shown(search('quick ')).sort()).toContain('<mark>quick </mark>silver');
    expect(shown(search('sil\u0000\nver\u200b'))).toEqual(['quick <mark>silver</mark>']);
  });

  it('runs queries, never writes', () => {
    expect(shown(search("SELECT * FROM blocks WHERE content = 'quick silver'", { method: 2 }))).toEqual(['quick silver']);
    expect(search('DELETE FROM blocks', { method: 2 }).blocks).toEqual([]);
    expect(search('quick').matchedBlockCount).toBe(6);
  });

  it('reads regular expressions', () => {
    expect(shown(search('q.{3}k silv', { method: 3 }))).toEqual(['<mark>quick silv</mark>er']);
    for (const pattern of ['(', '(?=q)quick', '[\\u4e00-\\u9fff]+', 'q\\\\w+'])
      expect(search(pattern, { method: 3 }).blocks, pattern).toEqual([]);
    expect(shown(search('\\p{Han}{2}笔记软', { method: 3 }))).toEqual(['思源笔记是一款隐私优<mark>先的笔记软</mark>件']);
  });

  it('finds a block by its id', () => {
    const id = search('silver').blocks[0]!.id;
    expect(shown(search(id))).toEqual(['quick silver']);
  });
});

describe('snippets', () => {
  it('cuts long texts around the first match', () => {
    const long = `${'a'.repeat(1000)} needle ${'b'.repeat(1000)}`;
    const cut = snippet(long, termPattern(['needle']));
    expect(cut).toMatch(/^\.\.\.a+ <mark>needle<\/mark> b+\.\.\.$/);
    expect(cut.replace(/<\/?mark>|\.\.\./g, '')).toHaveLength(512);
  });
});
