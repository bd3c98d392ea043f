import { allBlocks, blockId, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf } from '../sql/sql-text.ts';
import { loadWindow, type Run, runsOf } from '../tree/document-window.ts';

type Doms = Readonly<Record<string, string>>;

/** Up to this number, blocks are requested by id even in a long document. */
const FEW_IDS = 4;
/** The maximum number of windows of one document, and of blocks that they load per requested block: beyond that, ids are cheaper. */
const MOST_RUNS = 6;
const MOST_BESIDE = 6;

/** From this number on, single requests cost more than a whole document of 20,000 blocks. */
const MANY_IDS = 60;
const BY_IDS = 200;

export type ByDocument = ReadonlyMap<string, readonly string[]>;

/** Windows for blocks at these indexes: none if they are scattered, one over all of them if there are so many that it is cheaper. */
function runsThrough(indexes: readonly number[], asked: number): readonly Run[] {
  const runs = runsOf(indexes, 0);
  const count = runs.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  if (runs.length <= MOST_RUNS && count <= MOST_BESIDE * asked) return runs;
  const [first, last] = [runs[0], runs.at(-1)];
  return asked >= MANY_IDS && first && last ? [{ from: first.from, to: last.to }] : [];
}

/** Loads blocks of a long document that are close together; a missing one was not found this way. */
async function domsInWindows(routes: KernelRoutes, documentId: string, ids: readonly string[], signal: AbortSignal): Promise<Doms> {
  const indexes = await routes.blockIndexes([documentId, ...ids], signal);
  const runs = runsThrough(
    ids.flatMap((id) => indexes[id] || []),
    ids.length,
  );
  const wanted = new Set(ids);
  const found: Record<string, string> = {};
  for (const { from, to } of runs) {
    const loaded = await loadWindow(routes, documentId, from - 1, to - from + 1, signal);
    if (!loaded || loaded.marked) continue;
    for (const { dom } of loaded.blocks) {
      const block = parseBlock(dom);
      for (const each of block ? allBlocks(block) : []) if (wanted.has(blockId(each))) found[blockId(each)] = serializeBlock(each);
    }
  }
  return found;
}

/** Current DOM by id; missing blocks are missing. In long documents (`isLong`), where each id costs a walk, by index. */
export async function currentDoms(
  routes: KernelRoutes,
  blocks: ByDocument,
  isLong: (documentId: string) => boolean,
  signal: AbortSignal,
): Promise<Doms> {
  const found: Record<string, string> = {};
  for (const [documentId, ids] of blocks) {
    if (ids.length > FEW_IDS && isLong(documentId)) Object.assign(found, await domsInWindows(routes, documentId, ids, signal));
  }
  const missing = [...blocks.values()].flat().filter((id) => found[id] === undefined);
  for (const batch of batchesOf([...new Set(missing)], BY_IDS)) Object.assign(found, await routes.doms(batch, signal));
  return found;
}
