import { afterAll, beforeAll, expect, it } from 'vitest';
import { createAccess } from '../../src/host/access/access.ts';
import { findMaskedBlocks, LEAF_TYPES, type MaskedKinds } from '../../src/host/access/masked-blocks.ts';
import { createKernelRoutes } from '../../src/host/kernel/kernel-routes.ts';
import { signal, startBench, type TestBench } from './support.ts';

let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

const masked = (kinds: MaskedKinds) => {
  const routes = createKernelRoutes(bench.client);
  return findMaskedBlocks({ routes, access: createAccess(routes, bench.policy) }, [bench.notebook], kinds, signal);
};

const EMBED = "{{SELECT * FROM blocks WHERE content = 'x'}}";

/** A note of the text, and the id of the block of that kind with these words. */
async function idIn(path: string, markdown: string, type: string, words: string): Promise<string> {
  const document = await bench.document(path, markdown);
  await bench.api('/api/sqlite/flushTransaction', {});
  const stmt = `SELECT id FROM blocks WHERE root_id = '${document}' AND type = '${type}' AND content LIKE '%${words}%' LIMIT 1`;
  const [row] = await bench.api<{ id: string }[]>('/api/query/sql', { stmt });
  return row?.id ?? '';
}

it('are the same leaves whether or not every block is looked at', async () => {
  const item = await idIn('/Item', `- outer\n  - inner\n\n    ${EMBED}`, 'i', 'outer');
  const quote = await idIn('/Quote', `> quoted\n>\n> ## Head\n>\n> ${EMBED}`, 'b', 'quoted');
  const heading = await idIn('/Heading', `# Above\n\n${EMBED}`, 'h', 'Above');
  const document = await bench.document('/Embeds', `one\n\n${EMBED}`);
  const embed = await idIn('/Embed', EMBED, 'query_embed', '');
  const guarded = await idIn('/Guarded', 'kept back', 'p', 'kept');
  await bench.api('/api/attr/setBlockAttrs', { id: guarded, attrs: { 'custom-ai-access': 'none' } });
  const refer = (id: string, path: string): Promise<string> => idIn(path, `shows ((${id} "it"))`, 'p', 'shows');
  const shows = new Map<string, string>();
  for (const [path, id] of Object.entries({ item, quote, embed, guarded })) shows.set(path, await refer(id, `/Refers ${path}`));
  const twice = await refer(shows.get('item') ?? '', '/Twice');
  const open = [await refer(heading, '/Refers heading'), await refer(document, '/Refers document')];
  const [all, leaves] = [await masked('all'), await masked('leaves')];
  const textsOf = (found: ReadonlyMap<string, { readonly id: string; readonly type: string }>): string[] =>
    [...found.values()].flatMap(({ id, type }) => (type !== 'd' && LEAF_TYPES.includes(type) ? id : [])).sort();
  expect(textsOf(leaves)).toEqual(textsOf(all));
  expect(textsOf(leaves)).toEqual(expect.arrayContaining([...shows.values(), twice, guarded]));
  expect(open.filter((id) => id === '' || leaves.has(id))).toEqual([]);
  expect([...leaves.keys()].filter((id) => !all.has(id))).toEqual([]);
  // Only where no other kind is looked for are the embeds themselves left out.
  expect([all.has(embed), all.has(item), leaves.has(embed)]).toEqual([true, true, true]);
});
