import type { PlanNotice } from '../tools/plans.ts';
import { allBlocks, type BlockElement, blockId, blockType, parseBlock } from './block-dom.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import { batchesOf, quotedList } from './readable-blocks.ts';

/** What people put on a block by hand, or plugins did; what SiYuan and we keep there is not meant. */
const OWN_ATTRIBUTE = /^(custom-(?!marginalia-|avs$|riff-decks$|sy-).+|name|alias|memo|bookmark)$/;

const blocksIn = (doms: readonly string[]): BlockElement[] =>
  doms.flatMap((dom) => {
    const block = parseBlock(dom);
    return block ? allBlocks(block) : [];
  });

const hasRows = (block: BlockElement): boolean => (block.attribs['custom-avs'] ?? '') !== '';
const hasCards = (block: BlockElement): boolean => (block.attribs['custom-riff-decks'] ?? '') !== '';

/** True for blocks that the kernel does not bring back as they were: bound to databases or flashcards, or databases themselves. */
export const isBound = (dom: string): boolean =>
  blocksIn([dom]).some((block) => hasRows(block) || hasCards(block) || blockType(block) === 'av');

/** How many blocks elsewhere refer to these. The index lags behind, so it is brought up to date first. */
async function countReferences(routes: KernelRoutes, ids: readonly string[], signal: AbortSignal): Promise<number> {
  if (ids.length === 0) return 0;
  await routes.flushIndex(signal);
  const gone = new Set(ids);
  const referring = new Set<string>();
  for (const batch of batchesOf(ids)) {
    const rows = await routes.sql(`SELECT block_id FROM refs WHERE def_block_id IN (${quotedList(batch)}) LIMIT 100000`, signal);
    for (const row of rows) referring.add(String(row.block_id));
  }
  return [...referring].filter((id) => !gone.has(id)).length;
}

/** What is lost with these blocks, each kind with a count; kinds that count nothing are left out. */
export async function lossNotices(
  routes: KernelRoutes,
  doms: readonly string[],
  signal: AbortSignal,
): Promise<{ readonly notices: readonly PlanNotice[]; readonly ids: readonly string[] }> {
  const blocks = blocksIn(doms);
  const ids = blocks.map(blockId);
  const counts: PlanNotice[] = [
    { code: 'references-lost', count: await countReferences(routes, ids, signal) },
    {
      code: 'attributes-lost',
      count: blocks.flatMap((block) => Object.keys(block.attribs).filter((name) => OWN_ATTRIBUTE.test(name))).length,
    },
    { code: 'rows-lost', count: blocks.filter(hasRows).length },
    { code: 'flashcards-lost', count: blocks.filter(hasCards).length },
  ];
  return { notices: counts.filter((notice) => notice.count > 0), ids };
}
