import { afterAll, beforeAll, expect, it } from 'vitest';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const OLD = '20200101000000';
const today = new Date().toLocaleDateString('sv-SE');

async function rewrite(id: string, from: string, to: string): Promise<void> {
  await bench.transact([
    {
      action: 'update',
      id,
      data: (await bench.dom(id)).replace(from, to).replace(/ updated="\d+"/, ` updated="${today.replaceAll('-', '')}235959"`),
    },
  ]);
  await bench.api('/api/sqlite/flushTransaction', {});
}

const make = (path: string, id: string, markdown: string): Promise<string> =>
  bench.api('/api/filetree/createDocWithMd', { notebook: bench.notebook, path, markdown, id });
const at = (id: string, updated = OLD): string => `{: id="${id}" updated="${updated}"}`;
/** A paragraph that may not be read, of old. */
const hide = (id: string): Promise<unknown> => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });
const dayOf = async (id: string): Promise<string | undefined> =>
  (
    await bench.api<{ updated: string }[]>('/api/query/sql', { stmt: `SELECT updated FROM blocks WHERE id = '${id}' LIMIT 1` })
  )[0]?.updated.slice(0, 8);

const isRecent = async (id: string): Promise<boolean> =>
  (await bench.host.notes.recentDocuments({ days: 1, limit: 50 }, signal)).documents.some((document) => document.id === id);

type Mode = 'relevance' | 'regex' | 'keyword';
async function isFoundOfToday(query: string, types: string[], mode: Mode): Promise<boolean> {
  const { matches } = await bench.host.notes.search({ query, mode, types, updatedFrom: today, page: 1, pageSize: 10 }, signal);
  return matches.length > 0;
}
const MODES: readonly Mode[] = ['relevance', 'regex', 'keyword'];

it('a document is as old as what may be read of it, whenever a guarded block in it was changed', async () => {
  const [id, open, kept] = [`${OLD}-almanac`, `${OLD}-opened0`, `${OLD}-guarded`];
  await make('/Almanac', id, `open words\n${at(open)}\n\nkept words\n${at(kept)}`);
  await hide(kept);
  await rewrite(kept, 'kept', 'other');
  // SiYuan itself takes it for changed.
  expect(await dayOf(id)).toBe(today.replaceAll('-', ''));
  const seen = async () => [await isRecent(id), ...(await Promise.all(MODES.map((mode) => isFoundOfToday('Almanac', ['d'], mode))))];
  expect(await seen()).toEqual([false, false, false, false]);
  await rewrite(open, 'open', 'new');
  expect(await seen()).toEqual([true, true, true, true]);
});

it.each([
  { kind: 'h', below: (markdown: string) => `## Hedgerow h\n${at(`${OLD}-holderh`)}\n\n${markdown}` },
  { kind: 'b', below: (markdown: string) => `> ${markdown.replaceAll('\n', '\n> ')}\n${at(`${OLD}-holderb`)}` },
])('a block of kind $kind is as old as what may be read in it', async ({ kind, below }) => {
  const [id, open, kept, holder] = [`${OLD}-docum0${kind}`, `${OLD}-opened${kind}`, `${OLD}-guarde${kind}`, `${OLD}-holder${kind}`];
  await make(`/Section ${kind}`, id, below(`Hedgerow words ${kind}\n${at(open)}\n\nkept words\n${at(kept)}`));
  await hide(kept);
  await rewrite(kept, 'kept', 'other');
  expect(await dayOf(holder)).toBe(today.replaceAll('-', ''));
  const seen = () => Promise.all(MODES.map((mode) => isFoundOfToday(`Hedgerow`, [kind], mode)));
  expect(await seen()).toEqual([false, false, false]);
  await rewrite(open, `words ${kind}`, `new words ${kind}`);
  expect(await seen()).toEqual([true, true, true]);
});

it.each(['links', 'mentions'] as const)(
  'a heading is no newer among the %s of a note for a change of what is hidden below it',
  async (kind) => {
    const end = kind === 'links' ? 'l' : 'm';
    const target = `${OLD}-target${end}`;
    await make(`/Greenfinch ${end}`, target, 'words');
    const named = kind === 'links' ? `((${target} "it"))` : `of Greenfinch ${end}`;
    const [first, second, kept] = [`${OLD}-headin${end}`, `${OLD}-newerh${end}`, `${OLD}-keptbl${end}`];
    await make(`/First ${end}`, `${OLD}-first0${end}`, `## One ${named}\n${at(first)}\n\nkept words\n${at(kept)}`);
    await make(`/Second ${end}`, `${OLD}-second${end}`, `## Two ${named}\n${at(second, '20210101000000')}`);
    await hide(kept);
    await rewrite(kept, 'kept', 'other');
    expect(await dayOf(first)).toBe(today.replaceAll('-', ''));
    const { items } = await bench.host.notes.backlinks({ id: target, kind, page: 1, pageSize: 10 }, signal);
    expect(items.map((item) => item.id)).toEqual([second, first]);
  },
);
