import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { CHAT_ATTRIBUTES } from '../../src/host/chat-document/attributes.ts';
import { createHostBase } from '../../src/host/host-base.ts';
import { createKernelClient } from '../../src/host/kernel/kernel-client.ts';
import { createNotesHost } from '../../src/host/notes-host.ts';
import { SAVED_CHAT } from '../../src/host/search/saved-chats.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import type { SearchPage, SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { realKernelUrl } from './real-kernel.ts';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const search = (query: string, more: Partial<SearchQuery> = {}): Promise<SearchPage> =>
  bench.host.notes.search({ query, mode: 'keyword', page: 1, pageSize: 50, ...more }, signal);
const snippets = (page: SearchPage): string[] => page.matches.map((match) => match.snippet).sort();
const guard = (id: string): Promise<unknown> => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });

/** Gives blocks the time of their last change, as an older workspace has it. */
async function changedAt(documentId: string, content: string, updated: string): Promise<void> {
  await bench.api('/api/sqlite/flushTransaction', {});
  const stmt = `UPDATE blocks SET updated = '${updated}' WHERE root_id = '${documentId}' AND content LIKE '%${content}%' RETURNING id`;
  await bench.api('/api/query/sql', { stmt });
}

describe('a pattern', () => {
  it('says what it matched in what is shown: all of it, in titles and masked blocks too, and of a long match what is not cut off', async () => {
    const doc = await bench.document(
      '/Pattern zx81',
      `zx80 and  zx81\n\nzx82 ${'long words '.repeat(60)}end\n\n{{SELECT * FROM blocks WHERE id = 'zx83'}}`,
    );
    await bench.document('/Other', `refers to ((${doc} 'zx84')) zx85`);
    const words = async (pattern: string) => {
      const { matches } = await search(pattern, { mode: 'regex', types: ['d', 'p', 'query_embed'] });
      return matches.flatMap((match) => match.words?.join('|') ?? []).sort();
    };
    expect(await words('zx8[0-5]')).toEqual(['zx80|zx81', 'zx81', 'zx82', 'zx83', 'zx84|zx85']);
    expect(await words('zx80.*')).toEqual(['zx80 and zx81']);
    const [long = ''] = await words('^zx82.*');
    expect(long).toMatch(/^zx82 long words/u);
    expect((await search('^zx82.*', { mode: 'regex' })).matches[0]?.snippet).toBe(`${long}…`);
    expect((await search('zx80 and', { mode: 'keyword' })).matches[0]?.words).toBeUndefined();
  });
});

describe('filters', () => {
  it('by notebook, tag, type and day are kept, alone and together', async () => {
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Other' });
    await bench.api('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/Far', markdown: 'quasar far' });
    const doc = await bench.document(
      '/Near',
      '# quasar head\n\nquasar one #sky/deep#\n\n- quasar item\n  - quasar inner\n\n> quasar quote\n\n```\nquasar code\n```',
    );
    const tagged = await bench.document('/Tagged', 'quasar two');
    await bench.api('/api/attr/setBlockAttrs', { id: tagged, attrs: { tags: 'sky,night' } });
    await bench.document('/Plain', 'quasar three');
    await changedAt(doc, 'quasar one', '20250301120000');
    expect(snippets(await search('quasar', { notebooks: [notebook.id] }))).toEqual(['quasar far']);
    expect(snippets(await search('quasar', { types: ['h'] }))).toEqual(['quasar head']);
    const items = await search('quasar', { types: ['i'] });
    expect(items.matches.map((match) => match.type)).toEqual(['i', 'i']);
    expect((await search('quasar', { types: ['l', 'b', 'c'] })).matches.map((match) => match.type).sort()).toEqual(['b', 'c', 'l', 'l']);
    // Below sky, in the block or in its document.
    const sky = await search('quasar', { tags: ['#sky#'] });
    expect(new Set(sky.matches.map((match) => match.documentTitle))).toEqual(new Set(['Near', 'Tagged']));
    expect([sky.matches.length, sky.total]).toEqual([7, 7]);
    expect(snippets(await search('quasar', { tags: ['sky', 'night'] }))).toEqual(['quasar two']);
    expect((await search('quasar', { tags: ['sk'] })).matches).toEqual([]);
    const quiet = await bench.document('/Quiet', 'quasar four\n\nguarded #hush#');
    expect((await search('quasar', { tags: ['hush'] })).total).toBe(1);
    await guard((await bench.blocks(quiet))[1] ?? '');
    expect((await search('quasar', { tags: ['hush'] })).total).toBe(0);
    const march = { updatedFrom: '2025-03-01', updatedTo: '2025-03-01' };
    expect(await search('quasar', march)).toMatchObject({ matches: [{ snippet: 'quasar one #sky/deep#' }], total: 1, nextPage: null });
    expect((await search('quasar', { ...march, types: ['h'] })).total).toBe(0);
    expect((await search('quasar', { updatedTo: '2025-02-28' })).total).toBe(0);
    expect((await search('quasar', { updatedFrom: '2025-03-02' })).matches.map((match) => match.snippet)).not.toContain(
      'quasar one #sky/deep#',
    );
  });

  it('that make no sense are refused', async () => {
    expect(await codeOf(search('x', { types: ['paragraph'] }))).toBe('bad_type');
    expect(await codeOf(search('x', { updatedFrom: 'yesterday' }))).toBe('bad_date');
    expect(await codeOf(search('x', { notebooks: ['20200101000000-zzzzzzz'] }))).toBe('not_found');
    expect(await codeOf(search(' '))).toBe('empty_text');
  });
});

describe('pages', () => {
  it('are full and honest however many matches are hidden or filtered out', async () => {
    const lines = Array.from({ length: 90 }, (_, index) => `pulsar number ${index}${index % 10 === 0 ? ' #rare#' : ''}`);
    const doc = await bench.document('/Pulsars', lines.join('\n\n'));
    const blocks = await bench.blocks(doc);
    for (const [index, id] of blocks.entries()) if (index % 3 === 1) await guard(id);
    const seen: string[] = [];
    for (let page = 1; page <= 7; page += 1) {
      const answer = await search('pulsar', { page, pageSize: 10, types: ['p'] });
      seen.push(...answer.matches.map((match) => match.id));
      expect(answer.matches.length).toBe(page <= 6 ? 10 : 0);
      expect(answer.nextPage).toBe(page < 6 ? page + 1 : null);
      expect(answer.total).toBe(page < 6 ? null : 60);
    }
    expect(new Set(seen).size).toBe(60);
    expect(blocks.filter((id, index) => index % 3 === 1 && seen.includes(id))).toEqual([]);
    // Every third of them is guarded: tags of guarded blocks do not count, but their document's open ones do.
    const rare = await search('pulsar', { tags: ['rare'], page: 1, pageSize: 10, types: ['p'] });
    expect(rare).toMatchObject({ total: null, nextPage: 2 });
  });
});

describe('snippets', () => {
  it('stand around the match in Chinese and English, and cut no character', async () => {
    await bench.document('/Long', `${'前言。'.repeat(150)}隐私优先的笔记软件${'结尾。'.repeat(150)}`);
    const [chinese] = (await search('隐私优先')).matches;
    expect(chinese?.snippet).toContain('隐私优先的笔记');
    expect(chinese?.snippet.length).toBeLessThanOrEqual(240);
    await bench.document('/Emoji', `${'👨‍👩‍👧‍👦 '.repeat(80)}magnetar${' 👍🏽'.repeat(80)}`);
    const [emoji] = (await search('magnetar')).matches;
    expect(emoji?.snippet).toContain('magnetar');
    expect(emoji?.snippet.length).toBeLessThanOrEqual(240);
    expect(emoji?.snippet).toMatch(/^… ?(👨‍👩‍👧‍👦 )+magnetar( 👍🏽)+ ?…$/u);
  });

  it('asks SiYuan for no pattern that would keep it busy', async () => {
    for (const query of ['x'.repeat(201), 'a{1000}b{1000}', '((a{9}){9}){99}', '(', '(?=a)'])
      expect(await codeOf(search(query, { mode: 'regex' })), query).toBe('bad_pattern');
    expect(await codeOf(search('(?i)NEBULA|x{2}', { mode: 'regex' }))).toBe('no error');
  });

  it('come from what may be shown where a list has a guarded item, and an embed shows its query', async () => {
    const doc = await bench.document('/Half', "- nebula open\n- nebula shut\n\n{{SELECT * FROM blocks WHERE content LIKE '%nebula%'}}");
    const [list = '', embed = ''] = await bench.blocks(doc);
    const [, shut = ''] = await bench.blocks(list);
    await guard(shut);
    await bench.api('/api/sqlite/flushTransaction', {});
    await bench.api('/api/query/sql', { stmt: `UPDATE blocks SET content = 'nebula shut as found' WHERE id = '${embed}' RETURNING id` });
    const found = await search('nebula', { types: ['l', 'i', 'query_embed'] });
    expect(snippets(found)).toEqual(['nebula open', 'nebula open', "SELECT * FROM blocks WHERE content LIKE '%nebula%'"].sort());
    expect((await search('shut', { types: ['l', 'i', 'query_embed'] })).matches).toEqual([]);
    expect((await search('nebula AND shut', { mode: 'syntax', types: ['l'] })).matches.map((match) => match.snippet)).not.toContain('shut');
    expect((await search('nebula.*shut', { mode: 'regex', types: ['l', 'i', 'query_embed'] })).matches).toEqual([]);
  });

  it('are not shown for a document that only hidden blocks make a match', async () => {
    const doc = await bench.document('/Two words', 'comet here\n\ntail there');
    const other = await bench.document('/Both open', 'comet here\n\ntail there');
    const [, tail = ''] = await bench.blocks(doc);
    await guard(tail);
    await bench.api('/api/sqlite/flushTransaction', {});
    const found = await search('comet tail');
    expect(found.matches.map((match) => match.documentId)).toEqual([other]);
  });
});

describe('search by meaning', () => {
  const block = (id: string, box: string, rootID: string) => ({
    id,
    box,
    path: `/${rootID}.sy`,
    rootID,
    content: 'a star',
    type: 'NodeParagraph',
  });

  const SERVER = 'http://127.0.0.1:6931/v1';

  /** A host over the same workspace whose kernel has embeddings, as kernel/api/search.go answers; `blocks` null: it does not know the route. */
  function hostWith(enabled: boolean, vectors: boolean, blocks: readonly object[] | 'hangs' | null) {
    const asked: Record<string, unknown>[] = [];
    const answer = (data: unknown): Response => new Response(JSON.stringify({ code: 0, msg: '', data }));
    const client = createKernelClient({
      baseUrl: bench.kernel.url.replace(/\/$/, ''),
      fetch: async (url, init) => {
        const body = JSON.parse(String(init.body)) as Record<string, unknown>;
        if (url.endsWith('/getConf')) return answer({ conf: { ai: { embedding: { enabled, baseURL: SERVER } } } });
        if (url.endsWith('/semanticSearchBlock')) {
          asked.push(body);
          if (blocks === null) return new Response('');
          if (blocks === 'hangs') {
            const { signal: ending } = init;
            return new Promise((_resolve, reject) => ending?.addEventListener('abort', () => reject(ending.reason)));
          }
          const found = body.query === '' ? [] : blocks;
          return answer({ blocks: found, matchedBlockCount: found.length, matchedRootCount: 1, pageCount: 1 });
        }
        if (String(body.stmt).includes('block_embeddings')) return answer(vectors ? [{ id: 'x' }] : []);
        return fetch(url, init);
      },
    });
    const probe = { caretBlocks: () => [], whenLeft: async () => {}, ask: async () => 'write' as const };
    const clock = { now: () => Date.now(), today: () => '2026-01-01' };
    const host = createNotesHost({
      base: createHostBase({ client, policy: bench.policy, clock, device: 'd' }),
      engine: testEngine(),
      probe,
      random: Math.random,
      session: 's',
    });
    return { host, asked };
  }

  it('is there only where the host has embeddings', async () => {
    expect(await bench.host.notes.meaningServer(signal)).toBeUndefined();
    for (const [enabled, vectors] of [
      [true, true],
      [true, false],
      [false, true],
    ] as const) {
      const { host, asked } = hostWith(enabled, vectors, []);
      expect(await host.notes.meaningServer(signal)).toBe(enabled && vectors ? SERVER : undefined);
      // An empty query costs the user nothing.
      expect(asked.every((body) => body.query === '')).toBe(true);
      host.close();
    }
  });

  it('passes the same door', async () => {
    const doc = await bench.document('/Meaning', 'a star\n\na dark star\n\nanother');
    const [open = '', dark = '', other = ''] = await bench.blocks(doc);
    await guard(dark);
    await bench.api('/api/sqlite/flushTransaction', {});
    const { host, asked } = hostWith(
      true,
      true,
      [open, dark, other].map((id) => block(id, bench.notebook, doc)),
    );
    const query: SearchQuery = { query: 'things that shine', mode: 'semantic', page: 1, pageSize: 1, types: ['p'] };
    const found = await host.notes.search(query, signal);
    expect(found).toMatchObject({ matches: [{ id: open, documentTitle: 'Meaning' }], total: null, nextPage: 2 });
    expect((await host.notes.search({ ...query, page: 2 }, signal)).matches.map((match) => match.id)).toEqual([other]);
    expect(asked[0]).toMatchObject({
      query: 'things that shine',
      paths: expect.arrayContaining([bench.notebook]),
      types: { paragraph: true },
    });
    host.close();
  });

  it('counts on top of words, and costs nothing where it fails', async () => {
    const doc = await bench.document('/Zephyr', 'a zephyrium shines');
    const far = await bench.document('/Beacon', 'a lamp on the coast');
    const [lamp = ''] = await bench.blocks(far);
    await bench.api('/api/sqlite/flushTransaction', {});
    const query: SearchQuery = { query: 'zephyrium', mode: 'relevance', meaning: true, page: 1, pageSize: 10 };
    const titles = (page: SearchPage) => [...new Set(page.matches.map(({ documentTitle }) => documentTitle))];
    for (const [blocks, found, byMeaning] of [
      [[block(lamp, bench.notebook, far)], ['Zephyr', 'Beacon'], true],
      [[], ['Zephyr'], false],
      [null, ['Zephyr'], false],
    ] as const) {
      const { host } = hostWith(true, true, blocks);
      const page = await host.notes.search(query, signal);
      expect([titles(page), page.byMeaning]).toEqual([found, byMeaning]);
      host.close();
    }
    expect((await search('zephyrium')).byMeaning).toBeUndefined();
    expect(doc).not.toBe(far);
  });

  it('is waited for eight seconds, and then costs a search nothing', async () => {
    await bench.document('/Slow', 'a borealium shines');
    await bench.api('/api/sqlite/flushTransaction', {});
    const { host, asked } = hostWith(true, true, 'hangs');
    const real = globalThis.setTimeout;
    let pass: () => void = () => undefined;
    const limits = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((work: () => void, ms?: number) => {
      if (ms === 8000) pass = work;
      return real(work, ms);
    }) as typeof setTimeout);
    onTestFinished(() => limits.mockRestore());
    const finding = host.notes.search({ query: 'borealium', mode: 'relevance', meaning: true, page: 1, pageSize: 10 }, signal);
    await expect.poll(() => asked.length).toBe(1);
    pass();
    const page = await finding;
    expect([page.matches[0]?.documentTitle, page.byMeaning]).toEqual(['Slow', false]);
    host.close();
  });

  it('looks once whether a service can be used, and asks for its address alone from then on', async () => {
    const { host, asked } = hostWith(true, true, []);
    for (let time = 0; time < 3; time += 1) expect(await host.notes.meaningServer(signal)).toBe(SERVER);
    expect(asked).toHaveLength(1);
    host.close();
  });

  it('says so where the kernel does not know it', async () => {
    const { host } = hostWith(true, true, null);
    expect(await codeOf(host.notes.search({ query: 'x', mode: 'semantic', page: 1, pageSize: 1 }, signal))).toBe('kernel_refused');
    host.close();
  });

  it('finds nothing without embeddings', async () => {
    expect(await search('x', { mode: 'semantic' })).toMatchObject({ matches: [], total: 0 });
  });
});

it('a chat that was saved as a note is marked, and comes after the notes that it repeats', async () => {
  const chat = await bench.document('/Blazar chat', 'blazar blazar blazar, asked about');
  await bench.document('/Blazar', 'blazar in a note of mine');
  expect(SAVED_CHAT).toBe(CHAT_ATTRIBUTES.session);
  await bench.api('/api/attr/setBlockAttrs', { id: chat, attrs: { [SAVED_CHAT]: 's1' } });
  const { matches } = await search('blazar');
  const last = matches.filter((match) => match.documentId === chat);
  expect(last.length).toBeGreaterThan(0);
  expect(matches.slice(-last.length)).toEqual(last);
  expect(matches.map((match) => match.isSavedChat === true)).toEqual(matches.map((match) => match.documentId === chat));
});

// A kernel that indexes while it is flushed does it by itself; its full-text table cannot be written to.
it.skipIf(realKernelUrl !== undefined)(
  'a block that the index holds twice is found once, and so is a document in the recent ones',
  async () => {
    const doc = await bench.document('/Pulsar', 'pulsar twice');
    await bench.api('/api/sqlite/flushTransaction', {});
    for (const table of ['blocks', 'blocks_fts'])
      await bench.api('/api/query/sql', { stmt: `INSERT INTO ${table} SELECT * FROM ${table} WHERE root_id = '${doc}' RETURNING id` });
    const [rows] = await bench.api<{ n: number }[]>('/api/query/sql', { stmt: `SELECT count(*) AS n FROM blocks WHERE id = '${doc}'` });
    expect(rows?.n).toBe(2);
    expect(snippets(await search('twice'))).toEqual(['pulsar twice']);
    const { documents } = await bench.host.notes.recentDocuments({ days: 1, limit: 50 }, signal);
    expect(documents.filter(({ id }) => id === doc)).toHaveLength(1);
  },
);
