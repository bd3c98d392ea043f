import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf, origin, signal, startBench, steady, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'write');
});
afterAll(() => bench.close());

/** Under `data`. */
async function put(path: string, text = 'Kerosene.'): Promise<void> {
  await bench.client.writeFile(`/data/${path}`, text, signal);
}

const list = async (id: string) => (await bench.host.notes.assets({ in: id, page: 1, pageSize: 20 }, signal)).items;
const paths = async (id: string) => (await list(id)).map(({ path }) => path);
const textOf = async (path: string) => new TextDecoder().decode((await bench.host.notes.assetFile(path, signal)).bytes);
const hide = (id: string, value = 'none') => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': value } });

describe('files of notes', () => {
  it('are listed with their size and every block that uses them, of a notebook, a note and a block', async () => {
    await put('assets/one.pdf', 'twelve bytes');
    const doc = await bench.document(
      '/Files/One',
      '[paper](assets/one.pdf?page=3) ![](assets/one.png)\n\n* a list\n  * [inside](assets/two.txt)',
    );
    const other = await bench.document('/Files/Other', '[paper](assets/one.pdf)');
    const [first, listBlock] = await bench.blocks(doc);
    expect(await list(doc)).toMatchObject([
      { path: 'assets/one.pdf', size: 12, places: [{ id: first, document: { id: doc, path: '/Files/One' } }] },
      { path: 'assets/one.png', size: null },
      { path: 'assets/two.txt', size: null },
    ]);
    expect(await paths(listBlock!)).toEqual(['assets/two.txt']);
    expect(await paths(first!)).toEqual(['assets/one.pdf', 'assets/one.png']);
    const whole = (await list(bench.notebook)).find(({ path }) => path === 'assets/one.pdf');
    expect(whole?.places.map(({ document }) => document.id).sort()).toEqual([doc, other].sort());
  });

  it('come by pages', async () => {
    const doc = await bench.document('/Files/Many', [1, 2, 3].map((n) => `[x](assets/many-${n}.txt)`).join('\n\n'));
    const page = (number: number) => bench.host.notes.assets({ in: doc, page: number, pageSize: 2 }, signal);
    expect(await page(1)).toMatchObject({ total: 3, nextPage: 2, items: [{}, {}] });
    expect(await page(2)).toMatchObject({ total: 3, nextPage: null, items: [{ path: 'assets/many-3.txt' }] });
  });

  it('are read by the path that a note writes, with a page, or encoded as in a link', async () => {
    await put('assets/fuel plan.txt');
    await bench.document('/Files/Fuel', '[plan](<assets/fuel plan.txt>)');
    expect(await textOf('assets/fuel plan.txt')).toBe('Kerosene.');
    expect(await textOf('assets/fuel%20plan.txt')).toBe('Kerosene.');
    expect(await textOf('assets/fuel plan.txt?page=2')).toBe('Kerosene.');
  });

  it('come in by the link of an attached file, with spaces too; Undo takes the link away and leaves the file', async () => {
    await put('assets/fuel bill-20260101000000-abcdefg.txt');
    const doc = await bench.document('/Files/Bill', 'One.');
    const [anchor = ''] = await bench.blocks(doc);
    const before = await bench.dom(doc);
    const markdown = '[fuel bill.txt](assets/fuel bill-20260101000000-abcdefg.txt)';
    const made = await bench.host.notes.planInsert({ anchor, position: 'after', markdown }, 'insert_blocks', signal);
    expect(made.undo).toEqual({ kind: 'exact' });
    await bench.apply(made, undefined, { ...origin, nodeId: 'bill' });
    expect(await list(doc)).toMatchObject([{ path: 'assets/fuel bill-20260101000000-abcdefg.txt', size: 9 }]);
    await bench.reopen().history.undo(origin.sessionId, 'bill', signal);
    expect(steady(await bench.dom(doc))).toBe(steady(before));
    expect(await bench.client.readFile('/data/assets/fuel bill-20260101000000-abcdefg.txt', signal)).toBe('Kerosene.');
  });

  it('may lie in the folder of the notebook that uses them', async () => {
    await put(`${bench.notebook}/assets/own.txt`, 'own');
    const doc = await bench.document('/Files/Own', '[own](assets/own.txt)');
    expect(await list(doc)).toMatchObject([{ path: 'assets/own.txt', size: 3 }]);
    expect(await textOf('assets/own.txt')).toBe('own');
  });

  it('of hidden notes and blocks are no files: neither listed, counted nor read', async () => {
    await put('assets/secret.txt', 'secret');
    const doc = await bench.document('/Files/Hidden', 'seen\n\n[x](assets/secret.txt)');
    const [, secret] = await bench.blocks(doc);
    expect(await textOf('assets/secret.txt')).toBe('secret');
    await hide(secret!);
    expect(await list(doc)).toEqual([]);
    await expect(bench.host.notes.assetFile('assets/nowhere.txt', signal)).rejects.toThrow(
      /no note that may be read uses a file "assets\/nowhere.txt"/u,
    );
    await expect(bench.host.notes.assetFile('assets/secret.txt', signal)).rejects.toThrow(
      /no note that may be read uses a file "assets\/secret.txt"/u,
    );
    await hide(secret!, '');
    await hide(doc);
    expect(await codeOf(list(doc))).toBe('not_found');
    expect(await codeOf(bench.host.notes.assetFile('assets/secret.txt', signal))).toBe('not_found');
  });

  it('of a notebook without rights are no files, nor is one that lies in its folder', async () => {
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Closed' });
    await put(`${notebook.id}/assets/theirs.txt`, 'theirs');
    bench.policy.setRight(notebook.id, 'none');
    // The note names a file that only the other notebook's folder has.
    const doc = await bench.document('/Files/Elsewhere', '[x](assets/theirs.txt)');
    expect(await list(doc)).toMatchObject([{ path: 'assets/theirs.txt', size: null }]);
    expect(await codeOf(bench.host.notes.assetFile('assets/theirs.txt', signal))).toBe('not_found');
  });

  it.each([
    'assets/../storage/local.json',
    'assets/./one.pdf',
    'storage/local.json',
    '/assets/one.pdf',
    'assets/',
    'assets//one.pdf',
    'assets\\..\\conf.json',
    'assets/one.pdf.sya',
    'assets/ocr-texts.json',
    'https://example.org/assets/a.pdf',
  ])('are nothing else: %s is refused', async (path) => {
    await bench.document(`/Files/Odd ${path.replaceAll('/', ' ')}`, `[x](<${path}>)`);
    expect(await codeOf(bench.host.notes.assetFile(path, signal))).toBe('bad_path');
    expect(await paths(bench.notebook)).not.toContain(path);
  });

  it('are not what a symbolic link leads to', async () => {
    writeFileSync(join(bench.workspace, 'outside.txt'), 'outside');
    const link = join(bench.workspace, 'data/assets/linked.txt');
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(bench.workspace, 'outside.txt'), link);
    symlinkSync(bench.workspace, join(bench.workspace, 'data/assets/folder'));
    await bench.document('/Files/Linked', '[x](assets/linked.txt) [y](assets/folder/outside.txt)');
    expect(await codeOf(bench.host.notes.assetFile('assets/linked.txt', signal))).toBe('not_found');
    expect(await codeOf(bench.host.notes.assetFile('assets/folder/outside.txt', signal))).toBe('not_found');
  });
});

describe('files that no note uses', () => {
  let own: TestBench;
  beforeAll(async () => {
    own = await startBench();
    own.policy.setRight(own.notebook, 'write');
    const put = (path: string): Promise<void> => own.client.writeFile(`/data/${path}`, 'Kerosene.', signal);
    for (const name of ['lost.txt', 'used.txt', 'paper.pdf', 'paper.pdf.sya', 'alone.pdf.sya', 'ocr-texts.json'])
      await put(`assets/${name}`);
    await put(`${own.notebook}/assets/own.txt`);
    await own.document('/Uses', '[u](assets/used.txt) [p](assets/paper.pdf?page=2)');
  });
  afterAll(() => own.close());

  const unused = (page = 1, pageSize = 20) => own.host.notes.unusedAssets({ page, pageSize }, signal);

  it('are listed with their size, the newest first, those in folders of notebooks too; SiYuan’s own files are none', async () => {
    expect(await unused()).toEqual({
      items: [
        { path: `${own.notebook}/assets/own.txt`, size: 9 },
        { path: 'assets/lost.txt', size: 9 },
      ],
      total: 2,
      isCut: false,
      nextPage: null,
    });
    expect(await unused(1, 1)).toMatchObject({ items: [{}], total: 2, nextPage: 2 });
    expect(await unused(2, 1)).toMatchObject({ items: [{ path: 'assets/lost.txt' }], nextPage: null });
  });

  it('are not listed while anything is hidden: what is no longer among them would be used there', async () => {
    const refusal = /unused files are not listed while .* hidden/u;
    const doc = await own.document('/Guarded', 'One.');
    await own.api('/api/attr/setBlockAttrs', { id: doc, attrs: { 'custom-ai-access': 'none' } });
    await expect(unused()).rejects.toThrow(refusal);
    await own.api('/api/attr/setBlockAttrs', { id: doc, attrs: { 'custom-ai-access': '' } });
    expect((await unused()).total).toBe(2);
    const { notebook } = await own.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Hidden' });
    own.policy.setRight(notebook.id, 'none');
    await expect(unused()).rejects.toThrow(refusal);
    own.policy.setRight(notebook.id, 'read');
    expect((await unused()).total).toBe(2);
    await own.api('/api/notebook/closeNotebook', { notebook: notebook.id });
    expect(await codeOf(unused())).toBe('no_right');
  });
});

describe('a file of another name', () => {
  const plan = (path: string, name: string) => bench.host.notes.planAssetRename({ path, name }, 'assets', signal);
  const NAMED = /assets\/study-1-\d{14}-[0-9a-z]{7}\.pdf/u;

  it('is a copy that every writable block links and shows; what may not be read keeps the old one, and Undo brings the links back', async () => {
    await put('assets/old-20260101000000-abcdefg.pdf', 'pdf');
    await put('assets/old-20260101000000-abcdefg.pdf.sya', '{"marks":1}');
    const link = '[old](assets/old-20260101000000-abcdefg.pdf?page=3)';
    const one = await bench.document('/Names/One', `${link} and [x](assets/old-20260101000000-abcdefg.pdfx)\n\n* ${link}`);
    const two = await bench.document('/Names/Two', '![](assets/old-20260101000000-abcdefg.pdf)');
    const hidden = await bench.document('/Names/Hidden', link);
    await hide(hidden);
    const before = await Promise.all([one, two, hidden].map((id) => bench.dom(id)));
    const print = bench.fingerprint();
    const made = await plan('assets/old-20260101000000-abcdefg.pdf', 'study-1.pdf');
    expect(bench.fingerprint()).toBe(print);
    expect(made).toMatchObject({ undo: { kind: 'exact' }, notices: [{ code: 'old-file-kept', count: 1 }] });
    expect(made.operations.map(({ action, document }) => [action, document?.path])).toEqual([
      ['update', '/Names/One'],
      ['update', '/Names/One'],
      ['update', '/Names/Two'],
    ]);
    await bench.apply(made, undefined, { ...origin, nodeId: 'named' });
    const [first = ''] = await bench.markdown(one);
    const [path = ''] = NAMED.exec(first) ?? [];
    expect(first).toContain(`[old](${path}?page=3)`);
    expect(first).toContain('assets/old-20260101000000-abcdefg.pdfx');
    expect((await bench.markdown(two)).join()).toContain(path);
    expect(await bench.dom(hidden)).toBe(before[2]);
    expect(await textOf(path)).toBe('pdf');
    expect(await bench.client.readFile(`/data/${path}.sya`, signal)).toBe('{"marks":1}');
    expect(await bench.client.readFile('/data/assets/old-20260101000000-abcdefg.pdf', signal)).toBe('pdf');
    await bench.reopen().history.undo(origin.sessionId, 'named', signal);
    const after = await Promise.all([one, two, hidden].map((id) => bench.dom(id)));
    expect(after.map(steady)).toEqual(before.map(steady));
  });

  it('is written where it was approved', async () => {
    await put('assets/part.txt');
    const doc = await bench.document('/Names/Part', '[a](assets/part.txt)\n\n[b](assets/part.txt)');
    const made = await plan('assets/part.txt', 'piece');
    await bench.apply(made, [made.operations[1]!.id], { ...origin, nodeId: 'part' });
    expect((await paths(doc)).map((path) => path.replace(/-\d{14}-[0-9a-z]{7}/u, '-id'))).toEqual([
      'assets/part.txt',
      'assets/piece-id.txt',
    ]);
  });

  it('leaves notebooks that may only be read alone, and asks for the right where there is no other', async () => {
    await put('assets/rights.txt');
    await bench.document('/Names/Rights', '[a](assets/rights.txt)');
    bench.policy.setRight(bench.notebook, 'read');
    expect(await plan('assets/rights.txt', 'wrongs')).toMatchObject({ needsRight: 'write' });
    expect(await codeOf(bench.apply(await plan('assets/rights.txt', 'wrongs')))).toBe('no_right');
    bench.policy.setRight(bench.notebook, 'write');
  });

  it.each([
    ['assets/two.txt', '', 'bad_value'],
    ['assets/names.txt', '../conf', 'bad_value'],
    ['assets/names.txt', '.hidden', 'bad_value'],
    ['assets/names.txt', 'a"b', 'bad_value'],
    ['assets/names.txt', 'x'.repeat(121), 'bad_value'],
    ['assets/names.txt', 'names', 'no_change'],
    ['assets/no-such.txt', 'other', 'not_found'],
    ['assets/kept-back.txt', 'other', 'not_found'],
    ['assets/../conf/conf.json', 'other', 'bad_path'],
  ])('refuses %s as "%s" and writes nothing', async (path, name, code) => {
    for (const each of ['names', 'two', 'kept-back']) await put(`assets/${each}.txt`);
    await bench.document(`/Names/Refused ${name.length} ${code}`, '[a](assets/names.txt) [b](assets/two.txt)');
    const hidden = await bench.document(`/Names/Kept ${name.length} ${code}`, '[a](assets/kept-back.txt)');
    await hide(hidden);
    const print = bench.fingerprint();
    expect(await codeOf(plan(path, name))).toBe(code);
    expect(bench.fingerprint()).toBe(print);
  });
});
