import { allBlocks, blockId, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf } from '../sql/sql-text.ts';
import { loadWindow, type Run, runsOf } from '../tree/document-window.ts';

type Doms = Readonly<Record<string, string>>;

/** So few are asked for by their ids in a long document too. */
const FEW_IDS = 4;
/** Windows of one document, and blocks that they bring for each that is asked for: more cost more than the ids. */
const MOST_RUNS = 6;
const MOST_BESIDE = 6;

/** So many cost more one by one than the whole of a document of 20,000 blocks. */
const MANY_IDS = 60;
/** Ids in one request. */
const BY_IDS = 200;

/** Blocks by the documents that should hold them. */
export type ByDocument = ReadonlyMap<string, readonly string[]>;

/** Windows for blocks at these indexes: none where they are scattered, one over all where they are so many that this costs less. */
function runsThrough(indexes: readonly number[], asked: number): readonly Run[] {
  const runs = runsOf(indexes, 0);
  const count = runs.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  if (runs.length <= MOST_RUNS && count <= MOST_BESIDE * asked) return runs;
  const [first, last] = [runs[0], runs.at(-1)];
  return asked >= MANY_IDS && first && last ? [{ from: first.from, to: last.to }] : [];
}

/** Of a long document those that stand close together; what is missing in the answer was not found so. */
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

/**
 * DOM by id as it stands now; what is nowhere is missing. Asking by ids costs a walk through the document for each: of long documents (of
 * which `isLong` says so) blocks that stand together are asked for by their place.
 */
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
