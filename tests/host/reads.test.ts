import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ToolError } from '../../src/tools/contract/errors.ts';
import type { BlockInfo, BlockRange } from '../../src/tools/contract/note-queries.ts';
import { codeOf, signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
let document = '';
let ids: string[] = [];
const TEXT = [
  '# One',
  'alpha',
  '- first item\n  - nested **item**\n\n    more of it\n- second',
  '## Two',
  'beta\ntwo lines',
  '> quoted\n>\n> again',
  '# Three',
  '```js\nlet alpha = 1;\nlet beta = 2;\n```',
];

beforeAll(async () => {
  bench = await startBench();
  document = await bench.document('/Folder/Reads', TEXT.join('\n\n'));
  ids = await bench.blocks(document);
  await bench.api('/api/sqlite/flushTransaction', {});
});
afterAll(() => bench.close());

const blocks = (id: string, range: BlockRange, limit = 9) => bench.host.notes.blocks({ id, range, limit }, signal);
const shown = async (id: string, range: BlockRange, limit = 9) => (await blocks(id, range, limit)).blocks.map((block) => block.markdown);
const grep = (pattern: string, regex = false, limit = 9, id = document) => bench.host.notes.grep({ id, pattern, regex, limit }, signal);

describe('items of a list', () => {
  it('can each be cited and edited by the hash that was read', async () => {
    const reading = await bench.host.notes.document({ id: document }, { start: 0, blocks: 9 }, signal);
    const list = reading.blocks.find((block) => block.type === 'l');
    expect(list?.items?.map(({ depth, markdown }) => [depth, markdown])).toEqual([
      [0, 'first item'],
      [1, 'nested **item**'],
      [0, 'second'],
    ]);
    expect(reading.blocks.filter((block) => block.items)).toHaveLength(1);
    for (const item of list?.items ?? []) {
      const [alone] = (await blocks(item.id, 'self')).blocks;
      expect(alone?.hash).toBe(item.hash);
      const edit = { id: item.id, expectHash: item.hash, edits: [{ old: item.markdown.split(' ')[0] ?? '', new: 'other' }] };
      expect(await codeOf(bench.host.notes.planEdit(edit, 'edit_block', signal))).toBe('no error');
    }
  });

  it('keep their hashes where others of the list are hidden', async () => {
    const other = await bench.document('/Hidden item', '- open\n- secret\n  - below');
    const [list = ''] = await bench.blocks(other);
    const before = (await blocks(list, 'self')).blocks[0]?.items ?? [];
    await bench.api('/api/attr/setBlockAttrs', { id: before[1]?.id, attrs: { 'custom-ai-access': 'none' } });
    const after = await blocks(list, 'self');
    expect(after.blocks[0]?.items).toEqual(before.slice(0, 1));
    expect(after.hidden).toBe(1);
    await bench.api('/api/attr/setBlockAttrs', { id: before[1]?.id, attrs: { 'custom-ai-access': '' } });
    const whole = (await blocks(list, 'self')).blocks[0]?.items ?? [];
    await bench.api('/api/attr/setBlockAttrs', { id: before[2]?.id, attrs: { 'custom-ai-access': 'none' } });
    const [, outer] = (await blocks(list, 'self')).blocks[0]?.items ?? [];
    // The guard is an attribute of the inner item, so the outer one is another than before; it is hashed whole.
    const [alone] = (await blocks(outer?.id ?? '', 'self')).blocks;
    expect(outer).toMatchObject({ id: whole[1]?.id, hash: alone?.hash, markdown: 'secret' });
    expect(alone?.markdown).not.toContain('below');
  });
});

describe('blocks', () => {
  it('gives a block, and the blocks around it', async () => {
    expect(await shown(ids[1]!, 'self')).toEqual(['alpha']);
    expect(await shown(ids[1]!, 'children')).toEqual([]);
    expect(await shown(ids[3]!, 'context', 3)).toEqual([expect.stringContaining('- first item'), '## Two', 'beta\ntwo lines']);
    expect(await shown(ids[0]!, 'context', 2)).toEqual(['# One', 'alpha']);
    expect(await shown(ids[7]!, 'context', 2)).toEqual(['# Three', expect.stringContaining('let alpha')]);
    expect(await shown(ids[3]!, 'before', 2)).toEqual(['alpha', expect.stringContaining('- first item')]);
    expect(await shown(ids[5]!, 'after')).toEqual(['# Three', expect.stringContaining('let alpha')]);
  });

  it('gives the section of a heading, the blocks in a container, and the blocks of a document', async () => {
    expect((await shown(ids[0]!, 'children')).length).toBe(5);
    expect(await shown(ids[3]!, 'children')).toEqual(['beta\ntwo lines', '> quoted\n>\n> again']);
    expect(await shown(ids[5]!, 'children')).toEqual(['quoted', 'again']);
    const cut = await blocks(ids[0]!, 'children', 2);
    expect([cut.blocks.length, cut.more]).toEqual([2, 3]);
    expect(await shown(document, 'self', 2)).toEqual(['# One', 'alpha']);
    expect((await blocks(document, 'children', 3)).more).toBe(5);
    expect(await shown(document, 'before')).toEqual([]);
  });

  it('goes into containers', async () => {
    const [quoted = ''] = (await blocks(ids[5]!, 'children')).blocks.map((block) => block.id);
    expect(await shown(quoted, 'after')).toEqual(['again']);
    const list = await blocks(ids[2]!, 'children');
    expect(list.blocks.map((block) => block.type)).toEqual(['i', 'i']);
    const nested = await blocks(list.blocks[0]?.id ?? '', 'children');
    expect(nested.blocks.map((block) => [block.type, block.items?.length])).toEqual([
      ['p', undefined],
      ['l', 1],
    ]);
    expect(nested).toMatchObject({ document: { id: document, title: 'Reads', path: '/Folder/Reads' }, notebook: { name: 'Notes' } });
  });

  it('has a code for what is not there', async () => {
    expect(await codeOf(blocks('nonsense', 'self'))).toBe('bad_id');
    expect(await codeOf(blocks('20200101000000-zzzzzzz', 'self'))).toBe('not_found');
  });
});

describe('block_info', () => {
  it('tells where a block is, who refers to it and what it carries; an id that fails fails alone', async () => {
    const target = ids[4]!;
    const referring = await bench.document('/Referring', `one ((${target} "it")) two ((${target} "it"))\n\n- three ((${target} "x"))`);
    await bench.api('/api/attr/setBlockAttrs', {
      id: target,
      attrs: { memo: 'mine', 'custom-marginalia-source': 'a/b/c', 'custom-avs': '20260101000000-abcdefg,20260101000000-abcdefh' },
    });
    const answers = await bench.host.notes.blockInfo([target, 'nonsense', document, '20200101000000-zzzzzzz'], signal);
    const info = answers[0] as BlockInfo;
    expect(info).toMatchObject({ id: target, type: 'p', document: { id: document }, notebook: { name: 'Notes' }, backlinks: 2 });
    expect(info.breadcrumb.map(({ text }) => text)).toEqual(['Reads', 'One', 'Two', 'beta two lines']);
    expect(info.breadcrumb.at(-1)?.id).toBe(target);
    expect(info.attributes).toMatchObject({ memo: 'mine' });
    expect(Object.keys(info.attributes).join()).not.toContain('marginalia');
    expect(info.databases).toEqual(['20260101000000-abcdefg', '20260101000000-abcdefh']);
    expect(answers[1]).toMatchObject({ id: 'nonsense', code: 'bad_id' });
    expect(answers[2]).toMatchObject({ type: 'd', breadcrumb: [{ id: document, text: 'Reads' }] });
    expect(answers[3]).toMatchObject({ code: 'not_found' });
    expect((answers[3] as { next: string }).next).not.toBe('');
    expect(await codeOf(bench.host.notes.blockInfo([target], AbortSignal.abort()))).toBe('aborted');
    expect((await bench.host.notes.attributes(target, signal)).attributes).toEqual(info.attributes);
    await bench.api('/api/filetree/removeDocByID', { id: referring });
  });
});

describe('grep', () => {
  it('finds lines with the block that is edited for them', async () => {
    const found = await grep('ALPHA');
    expect(found.matches.map(({ blockId, index, line, type }) => [blockId, index, line, type])).toEqual([
      [ids[1], 1, 'alpha', 'p'],
      [ids[7], 7, 'let alpha = 1;', 'c'],
    ]);
    expect(found).toMatchObject({ total: 2, hidden: 0, document: { path: '/Folder/Reads' } });
    const nested = await grep('^nested.*\\bitem', true);
    const items = (await bench.host.notes.document({ id: document }, { start: 2, blocks: 1 }, signal)).blocks[0]?.items;
    expect(nested.matches).toEqual([{ blockId: items?.[1]?.id, type: 'i', index: 2, line: 'nested **item**', matched: 'nested **item' }]);
    expect((await grep('again')).matches[0]?.blockId).not.toBe(ids[5]);
    const cut = await grep('a', false, 2);
    expect([cut.matches.length, cut.total > 2]).toEqual([2, true]);
    expect((await grep('nowhere')).matches).toEqual([]);
  });

  it('refuses what it cannot run, and does not hang', async () => {
    for (const pattern of ['(', '(?=x)', '(a)\\1', '']) expect(await codeOf(grep(pattern, true))).toBe('bad_pattern');
    const long = await bench.document('/Long', 'a'.repeat(30_000));
    // Tried one by one, its ways through the text would take longer than anybody can wait.
    expect((await grep('(a+)+$b|(a|a)*c', true, 9, long)).total).toBe(0);
    const line = (await grep('a', false, 9, long)).matches[0]?.line ?? '';
    expect(line.length).toBeLessThanOrEqual(300);
  });
});

describe('backlinks', () => {
  it('are blocks with the text around the reference, the newest first, in pages', async () => {
    const target = await bench.document('/Deneb', 'a star\n\nits planet');
    const [star = '', planet = ''] = await bench.blocks(target);
    const filler = 'words '.repeat(100);
    const other = await bench.document(
      '/Links',
      `${filler}((${star} "the star")) ${filler}\n\nsee ((${target} "Deneb")), ((${star} "it"))`,
    );
    await bench.document('/Names', 'nobody links Deneb here\n\nDenebola is another');
    await bench.document('/More', `- item with ((${planet} 'its planet'))`);
    const links = (id: string, page = 1, pageSize = 9) => bench.host.notes.backlinks({ id, kind: 'links', page, pageSize }, signal);
    const all = await links(target);
    expect(all).toMatchObject({ total: 3, nextPage: null });
    const long = all.items.find((item) => item.text.includes('the star'));
    expect(long?.text.length).toBeLessThanOrEqual(240);
    expect(long).toMatchObject({ document: { id: other, title: 'Links', path: '/Links' }, notebook: { name: 'Notes' } });
    expect((await links(star)).total).toBe(2);
    expect((await links(planet)).items.map((item) => item.text)).toEqual(['item with its planet']);
    const first = await links(target, 1, 2);
    const second = await links(target, 2, 2);
    expect([first.items.length, first.nextPage, second.items.length, second.nextPage]).toEqual([2, 2, 1, null]);
    const mentions = await bench.host.notes.backlinks({ id: target, kind: 'mentions', page: 1, pageSize: 9 }, signal);
    expect(mentions.items.map((item) => item.text).sort()).toEqual(['nobody links Deneb here']);
    expect((await bench.host.notes.backlinks({ id: planet, kind: 'mentions', page: 1, pageSize: 9 }, signal)).items).toEqual([]);
  });
});

describe('lists from the index', () => {
  it('has recent documents in local time, the newest first, and no notebook among them', async () => {
    const fresh = await bench.document('/Fresh', 'x');
    const { documents } = await bench.host.notes.recentDocuments({ days: 1, limit: 99 }, signal);
    expect(documents.find((each) => each.id === fresh)).toMatchObject({ title: 'Fresh', path: '/Fresh', notebook: { name: 'Notes' } });
    expect(documents[0]?.updated).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d$/);
    const day = new Date();
    expect(documents[0]?.updated.slice(0, 10)).toBe(day.toLocaleDateString('sv-SE'));
    expect(documents.map((each) => each.updated)).toEqual([...documents.map((each) => each.updated)].sort().reverse());
    expect(documents.map((each) => each.id)).not.toContain(bench.notebook);
    expect((await bench.host.notes.recentDocuments({ days: 1, limit: 1 }, signal)).documents).toHaveLength(1);
  });

  it('counts tags as they are written', async () => {
    await bench.document('/Tags', '#R&D# and #project/moon#\n\n#R&D# #红色#');
    const { tags, total } = await bench.host.notes.tags({ limit: 2 }, signal);
    expect(tags).toEqual([
      { label: 'R&D', count: 2 },
      { label: 'project/moon', count: 1 },
    ]);
    expect(total).toBe(3);
    expect((await bench.host.notes.tags({ filter: '#Moon', limit: 9 }, signal)).tags).toEqual([{ label: 'project/moon', count: 1 }]);
    expect((await bench.host.notes.tags({ filter: '红', limit: 9 }, signal)).total).toBe(1);
  });
});

describe('an export', () => {
  it('is the whole document in Markdown that other programs read', async () => {
    const source = `# Head\n\nsee ((${ids[1]} 'alpha')) and **((${ids[1]} "bold"))**\n\n{{{row\nleft\n\nright\n\n}}}\n\n{{SELECT * FROM blocks}}\n\n- a\n  - b`;
    const id = await bench.document('/Export', source);
    const exported = await bench.host.notes.exportMarkdown({ path: '/Export' }, signal);
    expect(exported.markdown).toBe('# Head\n\nsee alpha and **bold**\n\nleft\n\nright\n\n{{SELECT * FROM blocks}}\n\n- a\n\n  - b');
    expect(exported).toMatchObject({ document: { id, title: 'Export', path: '/Export' }, hidden: 0 });
    expect(exported.markdown).not.toContain('\u200b');
    expect(await codeOf(bench.host.notes.exportMarkdown({ path: '/Nowhere' }, signal))).toBe('not_found');
  });

  it('has every block of a long document', async () => {
    const lines = Array.from({ length: 450 }, (_, index) => `line ${index}`);
    const id = await bench.document('/Long export', lines.join('\n\n'));
    expect((await bench.host.notes.exportMarkdown({ id }, signal)).markdown).toBe(lines.join('\n\n'));
  });
});

describe('references', () => {
  it('show their text as long as their block may be read, in the outline too', async () => {
    const target = await bench.document('/Shown', 'shown text');
    const [block = ''] = await bench.blocks(target);
    const id = await bench.document('/Refs', `# see ((${block} 'shown text'))\n\ngone ((20200101000000-zzzzzzz "anchor"))`);
    const reading = await bench.host.notes.document({ id }, { start: 0, blocks: 9 }, signal);
    expect(reading.outline.map((each) => each.text)).toEqual(['see shown text']);
    expect(reading.blocks[0]?.markdown).toBe(`# see ((${block} 'shown text'))`);
    const hash = reading.blocks[0]?.hash;
    await bench.api('/api/attr/setBlockAttrs', { id: block, attrs: { 'custom-ai-access': 'none' } });
    const after = await bench.host.notes.document({ id }, { start: 0, blocks: 9 }, signal);
    expect(after.outline.map((each) => each.text)).toEqual(['see unavailable']);
    expect(after.blocks[0]).toMatchObject({ markdown: `# see ((${block} 'unavailable'))`, hash });
    await bench.api('/api/attr/setBlockAttrs', { id: block, attrs: { 'custom-ai-access': '' } });
  });
});

describe('an edit of a block that is not as it was read', () => {
  it('is told what stands there without the text of hidden blocks', async () => {
    const target = await bench.document('/Private', 'zqsecret text');
    const [block = ''] = await bench.blocks(target);
    const id = await bench.document('/Stale', `see ((${block} 'zqsecret text')) here`);
    const [edited = ''] = await bench.blocks(id);
    await bench.api('/api/attr/setBlockAttrs', { id: block, attrs: { 'custom-ai-access': 'none' } });
    const run = bench.host.notes.planEdit({ id: edited, expectHash: '00000000', edits: [{ old: 'here', new: 'x' }] }, 't', signal);
    const error = await run.then(String, (caught: ToolError) => caught);
    expect(error).toMatchObject({ code: 'stale', quoted: expect.stringMatching(/unavailable.*here/) });
    expect(JSON.stringify(error) + String(error)).not.toContain('zqsecret');
  });
});
