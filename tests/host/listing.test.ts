import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signal, startBench, type TestBench } from './support.ts';

/** A listing costs what a page costs, however many folders there are: those that are not opened are counted. */
let bench: TestBench;
const paths: string[] = [];
const ids = new Map<string, string>();
const FOLDERS = 9;

beforeAll(async () => {
  bench = await startBench();
  bench.hooks = { before: (path) => void paths.push(path) };
  const make = async (path: string): Promise<void> => void ids.set(path, await bench.document(path, 'x'));
  for (let folder = 1; folder <= FOLDERS; folder += 1) {
    await make(`/F${folder}`);
    for (const name of ['A', 'B']) {
      await make(`/F${folder}/${name}`);
      await make(`/F${folder}/${name}/Deep`);
      await make(`/F${folder}/${name}/Deep/Deeper`);
    }
  }
});
afterAll(() => bench.close());
beforeEach(() => void paths.splice(0));

const list = async (depth: number, page = 1, pageSize = 50) => {
  const listing = await bench.host.notes.documents({ parent: bench.notebook, depth, page, pageSize }, signal);
  return { ...listing, lines: listing.documents.map(({ path, moreChildren }) => `${path} +${moreChildren}`) };
};
const setAccess = (path: string, value: string): Promise<unknown> =>
  bench.api('/api/attr/setBlockAttrs', { id: ids.get(path), attrs: { 'custom-ai-access': value } });

describe('a listing of many folders', () => {
  it('opens the upper ones level by level, and counts what is below the others', async () => {
    const { lines, documents, total, unopened } = await list(4);
    expect(paths.length).toBeLessThanOrEqual(9);
    const [first] = documents;
    expect(
      documents
        .filter(({ depth }) => depth === 0)
        .map(({ path }) => path)
        .sort(),
    ).toEqual(Array.from({ length: FOLDERS }, (_one, index) => `/F${index + 1}`));
    expect(lines.slice(0, 3).sort()).toEqual([`${first?.path} +0`, `${first?.path}/A +1`, `${first?.path}/B +1`].sort());
    expect([total, lines.length]).toEqual([FOLDERS + 4 * 2, FOLDERS + 4 * 2]);
    expect(lines.filter((line) => /^\/F\d \+2$/.test(line))).toHaveLength(5);
    // Five folders, and the two documents in each of the four that were opened.
    expect(unopened).toBe(5 + 8);
    paths.splice(0);
    expect((await bench.host.notes.documents({ parent: ids.get('/F9') ?? '', depth: 4, page: 1, pageSize: 50 }, signal)).unopened).toBe(0);
  });

  it('has its pages side by side, without gaps, though each opens folders of its own', async () => {
    const all = new Set<string>();
    for (let page = 1; ; page += 1) {
      paths.splice(0);
      const { documents, total, nextPage } = await list(2, page, 5);
      expect([total, paths.length <= 9]).toEqual([FOLDERS * 3, true]);
      expect(documents).toHaveLength(Math.min(5, FOLDERS * 3 - 5 * (page - 1)));
      for (const { path } of documents) all.add(path);
      if (nextPage === null) break;
    }
    expect(all.size).toBe(FOLDERS * 3);
    const { documents, unopened, nextPage, total } = await list(2);
    expect([documents.length, unopened, nextPage, total]).toEqual([FOLDERS + 2 * 4, 5, null, FOLDERS * 3]);
  });

  it('counts only what may be read, and asks no folder for that', async () => {
    const [first] = (await list(1)).documents;
    const guarded = `${first?.path}/A`;
    await setAccess(guarded, 'none');
    paths.splice(0);
    const { lines } = await list(1);
    expect(paths.length).toBeLessThanOrEqual(9);
    expect(lines).toContain(`${first?.path} +1`);
    expect(lines.filter((line) => line.endsWith(' +2'))).toHaveLength(FOLDERS - 1);
    paths.splice(0);
    const deep = await list(4);
    expect(paths.length).toBeLessThanOrEqual(12);
    expect(deep.lines.some((line) => line.startsWith(guarded))).toBe(false);
    await setAccess(`${first?.path}/B`, 'none');
    const none = await list(1);
    expect([none.lines.includes(`${first?.path} +0`), none.unopened]).toEqual([true, 0]);
    await setAccess(guarded, '');
    await setAccess(`${first?.path}/B`, '');
  });
});
